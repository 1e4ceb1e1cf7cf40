#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of what a step takes where OpenGL and CUDA share textures, from records of
# `quadpass bench` of one device on square grids: turns.sh RECORD...
# The last lines are differences: what changing hands and registering cost.
set -eu
[ $# -ge 1 ] || { echo 'usage: tools/turns.sh RECORD...' >&2; exit 2; }
jq -L "$(dirname "$0")" --slurp --raw-output '
    include "tables";
    .[0].device as $device
    | [.[].records[] | select(.width == .height)] as $runs
    | ([$runs[].width] | unique) as $sizes
    | def run($variant; $size): first($runs[] | select(.variant == "jacobi9/" + $variant and .width == $size)) // {};
      def step: 1e6 * .seconds / .iterations;
      def difference($words; $one; $other):
          row([$words] + [$sizes[] | . as $size | [run($one; $size), run($other; $size)]
              | if any(.[]; .seconds == null or noisy) then "-" else (.[0] | step) - (.[1] | step) | digits | tostring end]);
      head(["\($device | device), microseconds a step"] + [$sizes[] | "\(.) x \(.)"]),
      ([$runs[].variant] | distinct | .[] | sub("jacobi9/"; "") as $variant
       | row(["`\($variant)`"] + [$sizes[] | . as $size | run($variant; $size) | if .seconds then figure(step) else "-" end])),
      difference("map and unmap 12 textures"; "cuda_arrays_mapped"; "cuda_arrays"),
      difference("register and unregister 2 textures"; "cuda_arrays_registered"; "cuda_arrays_mapped")
' "$@"
