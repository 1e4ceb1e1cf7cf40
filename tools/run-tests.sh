#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs cmocka test programs one after another: run-tests.sh BUILD_DIR PROGRAM...
# The output of a program is shown only if it fails. The total also goes to BUILD_DIR/tests/summary.
set -euo pipefail

[ $# -ge 1 ] || { echo 'usage: tools/run-tests.sh BUILD_DIR PROGRAM...' >&2; exit 2; }
build=$1
shift
limit=240 # seconds for one program

# For DEBUG=1. A refused allocation answers NULL, as it does without sanitizers.
export ASAN_OPTIONS="detect_leaks=1:strict_string_checks=1:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export UBSAN_OPTIONS="print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
# The format that is counted below.
export CMOCKA_MESSAGE_OUTPUT=STDOUT
# Idle OpenMP threads must not spin where llvmpipe wants the cores.
export OMP_WAIT_POLICY=passive

mkdir -p "$build/tests"
summary=$build/tests/summary
rm -f "$summary"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# count WORD: sum over the groups of lines such as '[  PASSED  ] 3 test(s).'
count() {
    awk -v word="$1" '$1 == "[" && $2 == word && $3 == "]" && $5 ~ /^test\(s\)/ { n += $4 }
                      END { print n + 0 }' "$log"
}

passed=0 failed=0 skipped=0
bad=()
for program in "$@"; do
    name=${program##*/}
    begin=$(date +%s%N)
    code=0
    # --foreground, so that Ctrl-C reaches the program.
    timeout --foreground -k 10 "$limit" "$program" >"$log" 2>&1 </dev/null || code=$?
    tenths=$((($(date +%s%N) - begin) / 100000000))
    p=$(count PASSED) f=$(count FAILED) s=$(count SKIPPED)

    why=''
    if [ "$code" -eq 130 ]; then
        echo "interrupted in $name" >&2
        exit 130
    elif [ ! -x "$program" ]; then
        why='was not built'
    elif [ "$tenths" -ge $((limit * 10)) ]; then
        why="killed after $limit seconds"
    elif [ "$code" -ge 128 ] && [ "$f" -eq 0 ]; then
        why="crashed: signal $((code - 128)) ($(kill -l $((code - 128)) 2>/dev/null || echo unknown))"
    elif [ "$code" -ne 0 ] || [ "$f" -ne 0 ]; then
        why="exit code $code"
    elif [ $((p + s)) -eq 0 ]; then
        why='ran no test'
    fi
    # A program that broke off without a failed test is one failure itself.
    [ -z "$why" ] || [ "$f" -ne 0 ] || f=1

    printf '%-4s %-20s %3d passed %2d failed %2d skipped %4d.%d s%s\n' "$([ -z "$why" ] && echo ok || echo FAIL)" \
        "$name" "$p" "$f" "$s" $((tenths / 10)) $((tenths % 10)) "${why:+  $why}"
    if [ -n "$why" ]; then
        bad+=("$name: $why")
        sed 's/^/    /' "$log"
    elif [ "$s" -ne 0 ]; then
        # The running lines name them too: only those after the total.
        awk '/^\[  SKIPPED \] [0-9]+ test\(s\)/ { listed = 1; next }
             listed && /^\[  SKIPPED \] / { print "     skipped: " $4; next }
             { listed = 0 }' "$log"
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done

if [ $# -eq 0 ]; then
    bad+=('no test program was given')
    failed=1
fi
if [ ${#bad[@]} -ne 0 ]; then
    echo 'failed:'
    printf '  %s\n' "${bad[@]}"
fi
echo "$passed passed, $failed failed, $skipped skipped" | tee "$summary"
[ ${#bad[@]} -eq 0 ]
