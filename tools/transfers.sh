#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables of transfers, one for each device and kind of problem in records of `quadpass bench transfer`:
#   transfers.sh [--blocks] RECORD...
# GB/s over the bus; a column for each size of the array, or with --blocks (of a run with --block all) for
# each size of its pieces.
set -eu
pieces=false
if [ "${1:-}" = --blocks ]; then
    pieces=true
    shift
fi
[ $# -ge 1 ] || { echo 'usage: tools/transfers.sh [--blocks] RECORD...' >&2; exit 2; }
jq -L "$(dirname "$0")" --slurp --raw-output --argjson pieces $pieces '
    include "tables";
    def rate: figure(.gbytes_per_s);
    def size: 4 * .width * if $pieces then .block else .height end;
    def words: if . >= 1048576 then "\(. / 1048576) MiB" else "\(. / 1024) KiB" end;
    [.[] | .device as $device | .records[] + {device: $device}] | group_by([.device, .problem])
    | to_entries[] | .key as $key | .value as $runs
    | ([$runs[] | size] | unique) as $sizes
    | (if $key > 0 then "" else empty end),
      head(["\($runs[0] | .device | device), `\($runs[0].problem)`, GB/s"] + [$sizes[] | words]),
      ([$runs[].variant] | distinct | .[] as $variant
       | row(["`\($variant)`"] + [$sizes[] as $size | first($runs[] | select(.variant == $variant and size == $size)) // {} | rate]))
' "$@"
