#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown table of products by diagonals, from records of `quadpass bench spmv/diagonals --block all`: draws.sh RECORD...
# A line for each number of diagonals a draw; for each record the least, first quartile and median of milliseconds a product.
set -eu
[ $# -ge 1 ] || { echo 'usage: tools/draws.sh RECORD...' >&2; exit 2; }
jq -L "$(dirname "$0")" --slurp --raw-output '
    include "tables";
    def at($part): (.samples | sort)[((.samples | length) - 1) * $part | floor] / .iterations * 1e3 | digits;
    . as $files
    | head(["diagonals a draw; ms, \(.[0].device | device), one thread"]
           + [.[].records[0] | "\(.problem), \(.width) x \(.height): least", "first quartile", "median"]),
      (.[0].records | sort_by(.block)[] | .block as $block
       | row(["\($block)"] + [$files[].records[] | select(.block == $block) | at(0), at(0.25), at(0.5)]))
' "$@"
