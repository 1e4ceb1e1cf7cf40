#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables from a record of `quadpass accuracy poisson5/...`: floors.sh RECORD
# First, where the record has them, how near each way comes to the exact discrete solution of `sine`, by n; then steps and time to an
# error of `field`, 1e-6 where the record says none.
set -eu
[ $# -eq 1 ] || { echo 'usage: tools/floors.sh RECORD' >&2; exit 2; }
jq -L "$(dirname "$0")" --raw-output '
    include "tables";
    def sci: if . == 0 then "0" else (log10 | floor) as $e | "\(. / pow(10; $e) * 10 | round / 10)e\($e)" end;
    .records as $all
    | def error($n; $what; $variant): first($all[] | select(.width == $n and .what == $what and .variant == "poisson5/\($variant)") | .error | sci) // "-";
    ([$all[].width] | unique) as $sizes
    | def time: if . < 0.1 then "\(1e3 * . | digits) ms" else "\(digits) s" end;
      def floors:
          row(["n", "float, Jacobi where it is stuck", "float, chebyshev", "float refined in double", "double, chebyshev"]),
          row(["---:", "---:", "---:", "---:", "---:"]),
          ($sizes[] as $n | row(["\($n)", error($n; "stuck"; "openmp"), error($n; "steps"; "openmp"), error($n; "refined"; "openmp"), error($n; "steps"; "openmp_double")])),
          "";
      (if any($all[]; .what == "stuck") then floors else empty end),
      row(["n", "method", "row", "error", "steps", "time"]), row(["---:", "---", "---", "---:", "---:", "---:"]),
      ($all[] | select(.what == "jacobi" or .what == "sor" or .what == "chebyshev")
       | row(["\(.width)", .what + (if .computed then "*" else "" end), "`\(.variant)`", (.wanted // 1e-6 | sci), "\(.iterations)", (.seconds | time)]))
' "$1"
