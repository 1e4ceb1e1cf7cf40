#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of speeds from records of `quadpass bench`: speeds.sh WIDTH HEIGHT RECORD...
# One column for each record; what was not measured there says why it was not, or -.
set -eu
[ $# -ge 3 ] || { echo 'usage: tools/speeds.sh WIDTH HEIGHT RECORD...' >&2; exit 2; }
width=$1 height=$2
shift 2
jq --slurp --raw-output --argjson width "$width" --argjson height "$height" '
    def digits: if . >= 100 then round elif . >= 10 then (. * 10 | round / 10)
                elif . >= 1 then (. * 100 | round / 100) else (. * 1000 | round / 1000) end;
    def row(cells): "| " + (cells | join(" | ")) + " |";
    map(.records |= map(select(.width == $width and .height == $height))) as $files
    | row(["\($width) x \($height), GLUP/s"] + [$files[].device]),
      row(["---"] + [$files[] | "---:"]),
      ([$files[].records[].variant] | reduce .[] as $v ([]; if index($v) then . else . + [$v] end) | .[]
       | . as $variant
       | row(["`\(.)`"] + [$files[] | first(.records[] | select(.variant == $variant)) // {}
                           | if .glups then (.glups | digits | tostring) else .verdict // "-" end])),
      row(["CPU of the cpu rows"] + [$files[].cpu])
' "$@"
