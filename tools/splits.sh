#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables from records of `quadpass model` and of `bench --paper 5`:
#   splits.sh FILE...       a table of each sweep
#   splits.sh best FILE...  one table, a line a sweep: how far apart the parts are, and what the best split gains
#   splits.sh picture FILE  an SVG of a model and what was measured, on standard output
set -eu

what=sweeps
if [ "${1:-}" = best ] || [ "${1:-}" = picture ]; then
    what=$1
    shift
fi
[ $# -ge 1 ] || { echo 'usage: tools/splits.sh [best|picture] FILE...' >&2; exit 2; }

if [ "$what" = picture ]; then
    exec jq -L "$(dirname "$0")" -r '
        include "tables"; include "chart";
        .device as $device | .records as $all | $all[0] as $first
        | def curve($name; $k; at; y): {name: $name, points: [.[] | [100 * at / .height, 1e3 * y]] | sort, colour: colours[$k], dash: dashes[$k]};
        [$all[] | select(.runs == "sweep")] as $sweep
        | ($sweep | min_by(.seconds_a_step)) as $fastest
        | chart("\($first.variant), \($first.width) x \($first.height), \($device | sub(" .*"; ""))"; "rows of the lower part, % of all"; "ms a step"; false;
            "The fastest split that was measured has \(100 * $fastest.rows / $fastest.height | round) % of the rows below and takes \(1e3 * $fastest.seconds_a_step | digits) ms a step.";
            [([$all[] | select(.runs == "lower")] | curve("the lower part alone"; 0; .rows; .seconds_a_step)),
             ([$all[] | select(.runs == "upper")] | curve("the upper part alone"; 1; .height - .rows; .seconds_a_step)),
             ($sweep | curve("both, by the model"; 2; .rows; .predicted)),
             ($sweep | curve("both, measured"; 4; .rows; .seconds_a_step))])' "$1"
fi

if [ "$what" = best ]; then
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
