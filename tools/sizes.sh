#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of one device's speeds on square grids, from records of `quadpass bench`:
#   sizes.sh RECORD... ['VARIANT|VARIANT...']
# One column for each size; what has no speed there shows its verdict, what is not there a dash.
set -eu
usage() {
    echo "usage: tools/sizes.sh RECORD... ['VARIANT|VARIANT...']" >&2
    exit 2
}
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
jq --slurp --raw-output --arg wanted "^[^/]+/($wanted)\$" '
    def digits: if . >= 100 then round elif . >= 10 then (. * 10 | round / 10)
                elif . >= 1 then (. * 100 | round / 100) else (. * 1000 | round / 1000) end;
    def size: .width * (if .systems > 1 then 2 else 1 end); # four systems share the cells
    def row(cells): "| " + (cells | join(" | ")) + " |";
    def distinct: reduce .[] as $v ([]; if index([$v]) then . else . + [$v] end);
    .[0].device as $device
    | [.[].records[] | select(.width == .height and (.variant | test($wanted)))] as $runs
    | ([$runs[] | size] | unique) as $sizes
    | row(["\($device | sub("/PCIe.*"; "")), GLUP/s"] + [$sizes[] | "\(.) x \(.)"]),
      row(["---"] + [$sizes[] | "---:"]),
      ([$runs[].variant] | distinct | .[] as $variant
       | row(["`\($variant)`"] + [$sizes[] as $size | first($runs[] | select(.variant == $variant and size == $size)) // {}
                                  | if .glups then (.glups | digits | tostring) else .verdict // "-" end]))
' $files
