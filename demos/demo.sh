#!/bin/sh
# SPDX-License-Identifier: MIT
# Steps of `make demo` once everything is built: demo.sh BUILD_FOLDER
set -eu
mkdir -p "$1/pictures"
exec "$1/quadpass" demo data "$1/pictures"
