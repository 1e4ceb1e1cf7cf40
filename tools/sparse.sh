#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables of sparse products, one for each record of `quadpass bench spmv --problem all`: sparse.sh RECORD...
# 1e9 entries a second; a column for each kind, at the largest size that the record has of it, and the geometric mean of
# rows that take all kinds. What has no speed there shows its verdict, what is not there a dash.
set -eu
[ $# -ge 1 ] || { echo 'usage: tools/sparse.sh RECORD...' >&2; exit 2; }
jq -L "$(dirname "$0")" --slurp --raw-output '
    include "tables";
    to_entries[] | .key as $key | .value as $file
    | [$file.records[] | select(.variant | startswith("spmv/"))] as $all
    | ([$all[] | .problem] | distinct) as $kinds
    | [$kinds[] as $kind | [$all[] | select(.problem == $kind)] | (map(.width * .height) | max) as $most
       | .[] | select(.width * .height == $most)] as $runs
    | def of($name; $kind): first($runs[] | select(.variant == $name and .problem == $kind)) // {};
      def mean($name): [$kinds[] as $kind | of($name; $kind) | select(noisy | not) | .glups // empty]
          | if length < ($kinds | length) then "-" else map(log) | add / length | exp | digits end;
      (if $key > 0 then "" else empty end),
      head(["\($file.device | device), 1e9 entries/s"] + $kinds + ["mean"]),
      ([$runs[] | .variant] | distinct | .[] as $name
       | row(["`\($name | ltrimstr("spmv/"))`"] + [$kinds[] as $kind | of($name; $kind) | speed] + ["\(mean($name))"])),
      (if any($runs[]; .backend == "cpu") then row(["CPU of the cpu rows", $file.cpu] + [$kinds[] | ""]) else empty end)
' "$@"
