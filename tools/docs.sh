#!/bin/sh
# SPDX-License-Identifier: MIT
# Regenerates what is generated: docs.sh QUADPASS. The variant table in README.md, between its markers.
set -eu
table=$(mktemp)
trap 'rm -f "$table" "$table.new"' EXIT
"$1" list --markdown >"$table"
awk -v table="$table" '
    /<!-- variants -->/ { print; while ((getline line < table) > 0) print line; skip = 1 }
    /<!-- \/variants -->/ { skip = 0 }
    !skip && !/<!-- variants -->/ { print }
' README.md >"$table.new"
cmp -s "$table.new" README.md || cp "$table.new" README.md
