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
jq -L "$(dirname "$0")" --slurp --raw-output --arg wanted "^[^/]+/($wanted)\$" '
    include "tables";
    def size: .width * part;
    .[0].device as $device
    | [.[].records[] | select(.width == .height and (.variant | test($wanted)))] as $runs
    | ([$runs[] | size] | unique) as $sizes
    | head(["\($device | sub("/PCIe.*"; "")), GLUP/s"] + [$sizes[] | "\(.) x \(.)"]),
      ([$runs[].variant] | distinct | .[] as $variant
       | row(["`\($variant)`"] + [$sizes[] as $size | first($runs[] | select(.variant == $variant and size == $size)) // {} | speed]))
' $files
