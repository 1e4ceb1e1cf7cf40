#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints records of `quadpass model` as Markdown, a table of the sweep each: splits.sh FILE...
set -eu

[ $# -ge 1 ] || { echo 'usage: tools/splits.sh FILE...' >&2; exit 2; }

for file in "$@"; do
    jq -r '
        def round(digits): . * pow(10; digits) | round / pow(10; digits);
        .device as $device | .records as $all | $all[0] as $first
        | [$all[] | select(.runs == "sweep")] as $sweep
        | ($sweep[] | select(.best == 1)) as $best | ($sweep[] | select(.fastest == 1)) as $fastest
        | "`\($first.variant)`, \($first.width) x \($first.height), \($first.iterations) steps, \($device)\(if $first.slow > 1
            then ", the lower part \($first.slow) times slower" else "" end):",
          "",
          "| rows of the lower part | measured, ms a step | predicted | predicted / measured | |",
          "|---:|---:|---:|---:|---|",
          ($sweep[] | "| \(.rows) (\(100 * .rows / .height | round(1)) %) | \(1e3 * .seconds_a_step | round(3)) | " +
            "\(1e3 * .predicted | round(3)) | \(.ratio | round(3)) | " +
            ([if .best == 1 then "best by the model" else empty end, if .fastest == 1 then "fastest" else empty end]
             | join(", ")) + " |"),
          "",
          "Lower part: \($first.lower_curve), off by \(100 * $first.lower_residual | round(1)) % at samples that are left out; upper " +
          "part: \($first.upper_curve), \(100 * $first.upper_residual | round(1)) %. Exchange: " +
          "\(1e3 * $first.exchange_seconds | round(3)) ms; hindrance: \($first.hindrance | round(2)). Best by the model / fastest: " +
          "\($best.seconds_a_step / $fastest.seconds_a_step | round(3)).",
          ""' "$file"
done
