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
jq -L "$(dirname "$0")" --slurp --raw-output --argjson width "$width" --argjson height "$height" --arg wanted "^[^/]+/($wanted)\$" '
    include "tables";
    map(.records |= map(select(.width * part == $width and .height * part == $height and (.variant | test($wanted))))) as $files
    | head(["\($width) x \($height), GLUP/s"] + [$files[].device | sub("/PCIe.*"; "")]),
      ([$files[].records[].variant] | distinct | .[] as $variant
       | row(["`\($variant)`"] + [$files[] | first(.records[] | select(.variant == $variant)) // {} | speed])),
      (if any($files[].records[]; .backend == "cpu") then row(["CPU of the cpu rows"] + [$files[].cpu]) else empty end)
' $files
