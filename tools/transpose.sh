#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables of transposition, one for each record of `quadpass bench transpose`: transpose.sh RECORD...
# GB/s, a column for each size; in brackets the share of the fastest copy of that size on the same backend.
set -eu
[ $# -ge 1 ] || { echo 'usage: tools/transpose.sh RECORD...' >&2; exit 2; }
jq -L "$(dirname "$0")" --slurp --raw-output '
    include "tables";
    to_entries[] | .key as $key | .value as $file
    | [$file.records[] | select(.variant | startswith("transpose/"))] as $runs
    | def size: "\(.width) x \(.height)";
      def name: "`\(.variant)`" + if .block != null then ", \(.block) rows of threads" else "" end;
      def roof: . as $run | [$runs[] | select((.variant | test("/(cuda_)?copy_?")) and .backend == $run.backend
                                              and size == ($run | size) and .gbytes_per_s)] | max_by(.gbytes_per_s);
      def share: . as $run | ratio($run; roof; .gbytes_per_s) | if . == "-" then "" else " (\(.))" end;
      def rate: figure(.gbytes_per_s) + share;
      ([$runs[] | size] | distinct) as $sizes
    | (if $key > 0 then "" else empty end),
      head(["\($file.device | device), GB/s"] + $sizes),
      ([$runs[] | name] | distinct | .[] as $name
       | row([$name] + [$sizes[] as $size | first($runs[] | select(name == $name and size == $size)) // {} | rate])),
      (if any($runs[]; .backend == "cpu") then row(["CPU of the cpu rows"] + [$sizes[] | $file.cpu]) else empty end)
' "$@"
