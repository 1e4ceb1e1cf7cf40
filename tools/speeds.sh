#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables of speeds from records of `quadpass bench`:
#   speeds.sh WIDTH HEIGHT RECORD... ['VARIANT|VARIANT...']  on one grid: a column for each record
#   speeds.sh sizes RECORD... ['VARIANT|VARIANT...']         of one device on square grids: a column for each size
#   speeds.sh cubes RECORD... ['VARIANT|VARIANT...']         of eliminations: nanoseconds for each of N^3 updates,
#                                                            a table for each device, a column for each N
# What has no speed there shows its verdict, what is not there a dash.
set -eu
usage() {
    echo "usage: tools/speeds.sh WIDTH HEIGHT|sizes|cubes RECORD... ['VARIANT|VARIANT...']" >&2
    exit 2
}
[ $# -ge 2 ] || usage
how=$1 width=0 height=0
shift
case $how in
sizes | cubes) ;;
*[!0-9]*) usage ;;
*)
    width=$how height=$1 how=grid
    shift
    ;;
esac
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
jq -L "$(dirname "$0")" --slurp --raw-output --arg how "$how" --argjson width "$width" --argjson height "$height" --arg wanted "^[^/]+/($wanted)\$" '
    include "tables";
    def short: sub("/PCIe.*"; "");
    def chosen: select(.variant | test($wanted));

    # Rows of variants; a run is in the column that `place` names.
    def table($runs; $title; $columns; names; place; text):
        head([$title] + ($columns | map(names))),
        ([$runs[].variant] | distinct | .[] as $variant
         | row(["`\($variant)`"] + [$columns[] as $column | [$runs[] | select(.variant == $variant and place == $column)] | newest | text]));

    def grid:
        . as $files
        | [to_entries[] | .key as $file | .value.records[] | chosen
           | select(.width * part == $width and .height * part == $height) | . + {file: $file}] as $runs
        | table($runs; "\($width) x \($height), GLUP/s"; [range(length)]; $files[.].device | short; .file; speed),
          (if any($runs[]; .backend == "cpu") then row(["CPU of the cpu rows"] + [$files[].cpu]) else empty end);

    def sizes:
        def size: .width * part;
        [.[] | {date} as $head | .records[] | chosen | select(.width == .height) | . + $head] as $runs
        | table($runs; "\(.[0].device | short), GLUP/s"; [$runs[] | size] | unique; "\(.) x \(.)"; size; speed);

    def cubes:
        def cube: figure(1e9 * .seconds / .iterations / .systems / pow(.height; 3));
        [.[] | {device: (.device // "no device"), date} as $head | .records[] | chosen | select(.variant | startswith("gauss_jordan/"))
         | . + $head]
        | group_by(.device) | to_entries[] | .value as $runs
        | (if .key > 0 then "" else empty end),
          table($runs; "\($runs[0].device | device), ns / N^3"; [$runs[].height] | unique; "N = \(.)"; .height; cube);

    if $how == "grid" then grid elif $how == "sizes" then sizes else cubes end
' $files
