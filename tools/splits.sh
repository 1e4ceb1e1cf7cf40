#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables from records of `quadpass model` and of `bench --paper 5`:
#   splits.sh FILE...       a table of each sweep
#   splits.sh best FILE...  one table, a line a sweep: how far apart the parts are, and what the best split gains
set -eu

what=sweeps
if [ "${1:-}" = best ]; then
    what=best
    shift
fi
[ $# -ge 1 ] || { echo 'usage: tools/splits.sh [best] FILE...' >&2; exit 2; }

if [ $what = best ]; then
    cat <<'END'
| device, row | n | parts apart, alone | fastest split, of the rows below | gain over the faster part alone | best by the model / fastest |
|---|---:|---:|---:|---:|---:|
END
fi
for file in "$@"; do
    jq -L "$(dirname "$0")" -r --arg what "$what" '
        include "tables";
        def round(digits): . * pow(10; digits) | round / pow(10; digits);
        .device as $device
        | sweeps[] as $sweep
        | $sweep[0] as $first | ($sweep | apart) as $apart
        | ($sweep | min_by(.seconds_a_step)) as $fastest | first(($sweep[] | select(.best == 1)), null) as $best
        | (if $apart >= 1 then "the lower part \($apart | round(1))" else "the upper part \(1 / $apart | round(1))" end
           + " times slower" + if ($first.slow // 1) > 1 then " (each step \($first.slow) times)" else "" end) as $unlike
        | (if $best then $best.seconds_a_step / $fastest.seconds_a_step | round(3) else "-" end) as $missed
        | if $what == "best" then
          "| \($device | sub(" \\(.*|/PCIe.*"; "")), `\($first.variant | sub(".*/"; ""))` | \($first.width) | \($unlike) | " +
          "\(100 * $fastest.rows / $fastest.height | round(1)) % | " +
          "\($sweep | split_gain | round(1)) % | \($missed) |"
          else
          "`\($first.variant)`, \($first.width) x \($first.height), \($first.iterations) steps, \($device | sub("/PCIe.*"; "")); alone \($unlike):",
          "",
          "| rows of the lower part | measured, ms a step | predicted | predicted / measured | |",
          "|---:|---:|---:|---:|---|",
          ($sweep[] | "| \(.rows) (\(100 * .rows / .height | round(1)) %) | \(1e3 * .seconds_a_step | round(3)) | " +
            "\(1e3 * .predicted | round(3)) | \(.ratio | round(3)) | " +
            ([if .best == 1 then "best by the model" else empty end, if .rows == $fastest.rows then "fastest" else empty end]
             | join(", ")) + " |"),
          "",
          "Lower part: \($first.lower_curve), off by \(100 * $first.lower_residual | round(1)) % at samples that are left out; upper " +
          "part: \($first.upper_curve), \(100 * $first.upper_residual | round(1)) %. Exchange: " +
          "\(1e3 * $first.exchange_seconds | round(3)) ms; hindrance: \($first.hindrance | round(2)). Best by the model / fastest: " +
          "\($missed).",
          "" end' "$file"
done
