#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs with LONG=1 a twelfth of the test programs that have parts for it, the next twelfth after each commit and each day:
#   long.sh BUILD_DIR [PART]      PART, 0 to 11, says which
set -euo pipefail
[ $# -ge 1 ] || { echo 'usage: tools/long.sh BUILD_DIR [PART]' >&2; exit 2; }
build=$1 parts=12
commits=$(git rev-list --count HEAD 2>/dev/null || echo 0)
part=${2:-$(((commits + $(date +%s) / 86400) % parts))}
mapfile -t programs < <(grep -rlE --include='test_*.c' 'support_takes_long|support/mutants\.h' tests | LC_ALL=C sort |
    awk -v part="$part" -v parts="$parts" 'NR % parts == part' | sed "s|^|$build/|; s|\.c\$||")
echo "LONG=1, part $part of $parts (PART=$part):"
LONG=1 exec tools/run-tests.sh "$build" "${programs[@]}"
