#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of speeds from records of `quadpass bench`:
#   speeds.sh WIDTH HEIGHT RECORD... ['VARIANT|VARIANT...']
# One column for each record; what has no speed there shows its verdict, what is not there a dash.
set -eu
usage() {
    echo "usage: tools/speeds.sh WIDTH HEIGHT RECORD... ['VARIANT|VARIANT...']" >&2
    exit 2
}
[ $# -ge 3 ] || usage
width=$1 height=$2
shift 2
wanted='.*'
files=''
for word in "$@"; do
    case $word in
    *.json) files="$files $word" ;;
    *) wanted=$word ;;
    esac
done
[ -n "$files" ] || usage
# shellcheck disable=SC2086 # names are separate words
jq --slurp --raw-output --argjson width "$width" --argjson height "$height" --arg wanted "^[^/]+/($wanted)\$" '
    def digits: if . >= 100 then round elif . >= 10 then (. * 10 | round / 10)
                elif . >= 1 then (. * 100 | round / 100) else (. * 1000 | round / 1000) end;
    def part: if .systems > 1 then 2 else 1 end; # four systems share the cells
    def row(cells): "| " + (cells | join(" | ")) + " |";
    map(.records |= map(select(.width * part == $width and .height * part == $height and (.variant | test($wanted))))) as $files
    | row(["\($width) x \($height), GLUP/s"] + [$files[].device | sub("/PCIe.*"; "")]),
      row(["---"] + [$files[] | "---:"]),
      ([$files[].records[].variant] | reduce .[] as $v ([]; if index($v) then . else . + [$v] end) | .[]
       | . as $variant
       | row(["`\(.)`"] + [$files[] | first(.records[] | select(.variant == $variant)) // {}
                           | if .glups then (.glups | digits | tostring) else .verdict // "-" end])),
      (if any($files[].records[]; .backend == "cpu") then row(["CPU of the cpu rows"] + [$files[].cpu]) else empty end)
' $files
