#!/bin/sh
# SPDX-License-Identifier: MIT
# Steps of `make demo` once everything is built: demo.sh BUILD_FOLDER
set -eu
mkdir -p "$1/pictures"
"$1/quadpass" demo data "$1/pictures"
echo "next: what held of five papers, measured here in three minutes: $1/quadpass report --quick"
