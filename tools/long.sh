#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs with LONG=1 one of the test programs that have parts for it, the next one after each commit and each day:
#   long.sh BUILD_DIR [PART]      PART, from 0 on, says which
# Two of them take four to five minutes of an idle machine, which .ci/run has not got: LONG=1 make check has those.
set -euo pipefail
[ $# -ge 1 ] || { echo 'usage: tools/long.sh BUILD_DIR [PART]' >&2; exit 2; }
mapfile -t programs < <(grep -rlE --include='test_*.c' 'support_takes_long|support/mutants\.h' tests |
    grep -vE 'reduce/test_exact|poisson5/test_chaotic' | LC_ALL=C sort)
[ ${#programs[@]} -ne 0 ] || { echo 'long.sh: no test program has parts that take long' >&2; exit 1; }
commits=$(git rev-list --count HEAD 2>/dev/null || echo 0)
part=${2:-$((commits + $(date +%s) / 86400))}
part=$((part % ${#programs[@]}))
echo "LONG=1, part $part of ${#programs[@]} (PART=$part):"
LONG=1 AT_ONCE=1 exec tools/run-tests.sh "$1" "$1/${programs[part]%.c}"
