#!/bin/sh
# SPDX-License-Identifier: MIT
# The list paper place -> rows as a Markdown table: places.sh LIST.csv, with `quadpass` in the PATH.
# Exit code 1, and the gaps by name, if a row does not exist, a place has no row, a row names a paper and is not
# listed there, or a row names neither a paper nor what else it is. A place no row can have says `none: why`.
set -eu
[ $# -eq 1 ] || { echo 'usage: tools/places.sh LIST.csv' >&2; exit 2; }
variants=$(mktemp)
trap 'rm -f "$variants"' EXIT
quadpass list --json - | jq --raw-output '.[] | "\(.variant),\(.place)"' >"$variants"
[ -s "$variants" ] || { echo 'places.sh: quadpass lists no rows' >&2; exit 1; }
awk -F, '
    function gap(text) { print FILENAME ": " text >"/dev/stderr"; gaps++ }
    NR == FNR { place_of[$1] = substr($0, length($1) + 2); next }
    FNR == 1 { print "| paper | place | what | rows |\n|---|---|---|---|"; next }
    NF != 4 { gap("line " FNR " has " NF " fields, not 4"); next }
    {
        cells = ""
        count = split($4, names, " ")
        none = $4 ~ /^none: ./
        for (i = 1; i <= count && !none; i++) {
            if (!(names[i] in place_of))
                gap($1 ", " $2 ": there is no row " names[i])
            listed[$1, names[i]]
            cells = cells (i > 1 ? ", " : "") "`" names[i] "`"
        }
        if (count == 0)
            gap($1 ", " $2 ": it has no row")
        print "| " $1 " | " $2 " | " $3 " | " (none ? $4 : cells) " |"
    }
    END {
        for (name in place_of) {
            rest = place_of[name]
            if (rest !~ /^(paper [0-9]|ours|the judge of all rows|the obvious C|what came after)/)
                gap("row " name " names no paper and does not begin with ours: " rest)
            while (match(rest, /paper [0-9]+/)) {
                paper = substr(rest, RSTART + 6, RLENGTH - 6)
                if (!((paper, name) in listed))
                    gap("row " name " names paper " paper " and is not listed there")
                rest = substr(rest, RSTART + RLENGTH)
            }
        }
        exit gaps > 0
    }' "$variants" "$1"
