#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of paper 4's reduction ladder, from a record of `quadpass bench reduce`:
#   ladder.sh WIDTH HEIGHT RECORD
# GB/s of the slides' card and of the record's, and how much faster than the rung before each is.
set -eu
[ $# -eq 3 ] || { echo 'usage: tools/ladder.sh WIDTH HEIGHT RECORD' >&2; exit 2; }
papers=$(dirname "$0")/../docs/papers
jq -L "$(dirname "$0")" --raw-output --argjson width "$1" --argjson height "$2" \
    --rawfile places "$papers/places.csv" --rawfile figures "$papers/paper4-reduction.csv" '
    include "tables";
    def times($before): compared(.; $before; .gbytes_per_s; " (x \(.[0] * 100 | round / 100)" + within + ")") | if . == "-" then "" else . end;
    def show($before): if . then figure(.gbytes_per_s) + times($before) else "-" end;
    ([$figures | lines | {key: "slide \(.[1])", value: {gbytes_per_s: (.[2] | tonumber)}}] | from_entries) as $slides
    | ([.records[] | select(.width == $width and .height == $height and .gbytes_per_s) | {key: .variant, value: .}]
       | from_entries) as $ours
    | ([$places | lines | select(.[0] == "4" and (.[3] | test("^reduce/cuda"))) | {row: .[3], place: .[1], paper: $slides[.[1]]}]
       + [{row: "reduce/cuda_tiles", place: "ours"}, {row: "reduce/cuda_cub", place: "opponent"}]) as $rungs
    | head(["GB/s, \($width) x \($height) values", "", "GeForce GTX 280", (.device | device)]),
      (foreach $rungs[] as $rung ({};
          {row: $rung.row, place: $rung.place, paper: ($rung.paper // .paper), shown: $rung.paper, before: .paper,
           ours: $ours[$rung.row], ours_before: .ours};
          row(["`\(.row)`", .place, (.before as $b | .shown | show($b)), (.ours_before as $b | .ours | show($b))])))
' "$3"
