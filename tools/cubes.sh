#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables of time / N^3 from records of `quadpass bench gauss_jordan`, one for each device:
#   cubes.sh RECORD... ['VARIANT|VARIANT...']
# Nanoseconds for each of the N^3 updates of one elimination; a column for each N. What has no time there
# shows its verdict, what is not there a dash.
set -eu
usage() {
    echo "usage: tools/cubes.sh RECORD... ['VARIANT|VARIANT...']" >&2
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
jq -L "$(dirname "$0")" --slurp --raw-output --arg wanted "^gauss_jordan/($wanted)\$" '
    include "tables";
    def cube: if .seconds then 1e9 * .seconds / .iterations / .systems / pow(.height; 3) | digits | tostring
              else .verdict // "-" end;
    [.[] | .device as $device | .records[] | select(.variant | test($wanted)) | . + {device: ($device // "no device")}]
    | group_by(.device) | to_entries[] | .value as $runs
    | ([$runs[].height] | unique) as $sizes
    | (if .key > 0 then "" else empty end),
      head(["\($runs[0].device | device), ns / N^3"] + [$sizes[] | "N = \(.)"]),
      ([$runs[].variant] | distinct | .[] as $variant
       | row(["`\($variant)`"] + [$sizes[] as $size | first($runs[] | select(.variant == $variant and .height == $size)) // {} | cube]))
' $files
