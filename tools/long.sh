#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs with LONG=1 an eighth of the test programs that have parts for it, the next one after each commit and each day:
#   long.sh BUILD_DIR [PART]      PART, from 0 to 7, says which
# Each eighth takes less than two minutes of two idle cores, but for the longest programs; of 10,000 random kernels it has 300,
# of 20,000 random systems 1200.
set -euo pipefail
[ $# -ge 1 ] || { echo 'usage: tools/long.sh BUILD_DIR [PART]' >&2; exit 2; }
parts=8

# Seconds of what takes longest, of one core; all others count as 12.
seconds='
100 stencil/test_mutants             60 stencil/test_random               150 stencil/test_programs
 70 stencil/test_cuda                 75 cmd/run/test_mutants              110 cheats/test_cheats
150 house/test_package              140 walk/test_disguise                 110 io/test_number
100 ops/reduce/test_exact            80 walk/test_disguise_shaders          80 ops/poisson5/test_chaotic
 75 ops/jacobi9/test_wraps           60 toolkit/test_overhead               60 cmd/demo/test_demo
 55 ops/poisson5/test_parts          50 ops/jacobi9/test_sabotage           50 house/test_valgrind
 45 solve/eliminate/test_judge      40 ops/poisson5/test_cpu               40 walk/test_walk
 30 ops/poisson5/test_sabotage       30 plan/test_faults                    30 ops/gauss_jordan/test_blocked_compute
 25 solve/test_certain               20 ops/reduce/test_sabotage            20 ops/gauss_jordan_batch/test_gauss_jordan_batch'

commits=$(git rev-list --count HEAD 2>/dev/null || echo 0)
part=$((${2:-$((commits + $(date +%s) / 86400))} % parts))

# The longest first, each to the part that has least to do.
mapfile -t programs < <(grep -rlE --include='test_*.c' 'support_takes|support/mutants\.h|support/blocked_variants\.h' tests |
    sed 's|^tests/||; s|\.c$||' | LC_ALL=C sort |
    awk -v seconds="$seconds" 'BEGIN { n = split(seconds, s); for (i = 1; i < n; i += 2) of[s[i + 1]] = s[i] }
        { print ($0 in of ? of[$0] : 12), $0 }' | sort -k1,1nr -k2 |
    awk -v parts="$parts" -v part="$part" '{
        least = 0
        for (i = 1; i < parts; i++) if (sum[i] + 0 < sum[least] + 0) least = i
        sum[least] += $1
        if (least == part) print $2 }')
[ ${#programs[@]} -ne 0 ] || { echo 'long.sh: no test program has parts that take long' >&2; exit 1; }
echo "LONG=1, part $part of $parts (PART=$part):"
QUADPASS_RANDOM=300 QUADPASS_RANDOM_SYSTEMS=1200 LONG=1 exec tools/run-tests.sh "$1" "${programs[@]/#/$1/tests/}"
