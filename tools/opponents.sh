#!/bin/sh
# SPDX-License-Identifier: MIT
# The list of opponents as a Markdown table: opponents.sh LIST.csv
set -eu
[ $# -eq 1 ] || { echo 'usage: tools/opponents.sh LIST.csv' >&2; exit 2; }
awk -F, '
    NR > 1 { $1 = "`" $1 "`" }
    { line = rule = "|"; for (i = 1; i <= NF; i++) { line = line " " $i " |"; rule = rule " --- |" }; print line }
    NR == 1 { print rule }
' "$1"
