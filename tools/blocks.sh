#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables of block processing, one for each record of `quadpass bench 'gauss_jordan/blocks*' --block all`:
#   blocks.sh RECORD...
# A line for each block; seconds of an elimination, and the vertices a second of the rows that do nothing else.
set -eu
[ $# -ge 1 ] || { echo 'usage: tools/blocks.sh RECORD...' >&2; exit 2; }
jq -L "$(dirname "$0")" --slurp --raw-output '
    include "tables";
    to_entries[] | .key as $key | .value as $file
    | [$file.records[] | select(.block != null)] as $runs
    | ([$runs[].variant] | distinct) as $variants
    | def run($variant; $block): first($runs[] | select(.variant == $variant and .block == $block)) // {};
      def seconds: figure(.seconds / .iterations);
      def vertices: figure(1e-6 * .vertices * .iterations / .seconds);
      (if $key > 0 then "" else empty end),
      head(["\($file.device | device), N = \($runs[0].height)"] + [$variants[] | "`\(sub(".*/"; ""))`, s"]
           + [$variants[] | select(test("noop")) | "`\(sub(".*/"; ""))`, 1e6 vertices/s"]),
      ([$runs[].block] | unique | .[] as $block
       | row(["b = \($block)"] + [$variants[] | run(.; $block) | seconds]
             + [$variants[] | select(test("noop")) | run(.; $block) | vertices]))
' "$@"
