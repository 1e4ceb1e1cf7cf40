#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of group sizes from a record of `quadpass bench --group all`: groups.sh RECORD
# Speeds in GLUP/s.
set -eu
[ $# -eq 1 ] || {
    echo 'usage: tools/groups.sh RECORD' >&2
    exit 2
}
jq --raw-output '
    def digits: if . >= 100 then round elif . >= 10 then (. * 10 | round / 10)
                elif . >= 1 then (. * 100 | round / 100) else (. * 1000 | round / 1000) end;
    def row(cells): "| " + (cells | join(" | ")) + " |";
    def distinct: reduce .[] as $v ([]; if any(.[]; . == $v) then . else . + [$v] end);
    (.records | map(select(.group))) as $runs | ($runs | map(.variant) | distinct) as $variants
    | row(["\(.device | sub(" \\(.*|/PCIe.*"; "")), \($runs[0].width) x \($runs[0].height), GLUP/s"] + [$variants[] | "`\(.)`"]),
      row(["---"] + [$variants[] | "---:"]),
      ($runs | map(.group) | distinct | .[] as $group
       | row(["groups of " + ($group | sub("x"; " x "))]
             + [$variants[] as $v | first($runs[] | select(.variant == $v and .group == $group))
                | if .glups then (.glups | digits | tostring) else .verdict end]))
' "$1"
