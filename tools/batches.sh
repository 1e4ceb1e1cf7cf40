#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables of batches, one for each record of `quadpass bench gauss_jordan_batch`:
#   batches.sh RECORD...
# 1e6 systems solved a second; a column for each number of systems.
set -eu
[ $# -ge 1 ] || { echo 'usage: tools/batches.sh RECORD...' >&2; exit 2; }
jq -L "$(dirname "$0")" --slurp --raw-output '
    include "tables";
    def rate: figure(1e-6 * .systems * .iterations / .seconds);
    to_entries[] | .key as $key | .value as $file | $file.records as $runs
    | ([$runs[].systems] | unique) as $counts
    | (if $key > 0 then "" else empty end),
      head(["\($file.device | device), 1e6 systems/s of \($runs[0].width) unknowns"] + [$counts[] | "\(.) systems"]),
      ([$runs[].variant] | distinct | .[] as $variant
       | row(["`\($variant)`"] + [$counts[] as $count | first($runs[] | select(.variant == $variant and .systems == $count)) // {} | rate]))
' "$@"
