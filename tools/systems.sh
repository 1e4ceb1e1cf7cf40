#!/bin/bash
# SPDX-License-Identifier: MIT
# Writes the matrices whose solves are measured, as Matrix Market files, to standard output: systems.sh NAME [N].
#   five N      five points on a grid of N x N (200): 4 and -1
#   seven N     seven points on a grid of N x N x N (40): 6 and -1
#   random N    N rows (30000): 9 + u on the diagonal, u in 0..1, and seven others in +-0.5 at random places
#   ones N      a right-hand side of N ones
set -euo pipefail

case ${1:-} in
five) n=${2:-200} rows=$((n * n)) count=$((5 * n * n - 4 * n)) ;;
seven) n=${2:-40} rows=$((n * n * n)) count=$((7 * n * n * n - 6 * n * n)) ;;
random) n=${2:-30000} rows=$n count=$((8 * n)) ;;
ones) n=${2:?how many} ;;
*) sed -n 's/^#   //p' "$0" >&2 && exit 2 ;;
esac

if [ "$1" = ones ]; then
    printf '%%%%MatrixMarket matrix array real general\n%d 1\n' "$n"
    seq "$n" | sed 's/.*/1/'
    exit
fi
printf '%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n' "$rows" "$rows" "$count"
awk -v kind="$1" -v n="$n" -v rows="$rows" '
    # Park and Miller: the same numbers in any awk, which hold 53 bits.
    function random() { state = state * 16807 % 2147483647; return state / 2147483647 }
    function neighbours(i, apart) {
        if (int(i / apart) % n > 0) print i + 1, i + 1 - apart, -1
        if (int(i / apart) % n < n - 1) print i + 1, i + 1 + apart, -1
    }
    BEGIN {
        state = 1
        for (i = 0; i < rows; i++) {
            if (kind == "random") {
                printf "%d %d %.17g\n", i + 1, i + 1, 9 + random()
                for (k = 0; k < 7; ) {
                    j = int(random() * n)
                    if (j == i || taken[j] == i + 1) continue
                    taken[j] = i + 1
                    printf "%d %d %.17g\n", i + 1, j + 1, random() - 0.5
                    k++
                }
                continue
            }
            print i + 1, i + 1, kind == "five" ? 4 : 6
            neighbours(i, 1)
            neighbours(i, n)
            if (kind == "seven") neighbours(i, n * n)
        }
    }'
