#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs cmocka test programs, AT_ONCE of them (1) at a time: run-tests.sh BUILD_DIR PROGRAM...
# The output of a program is shown only if it fails. The total also goes to BUILD_DIR/tests/summary.
set -euo pipefail

# Seconds of processor time for each process of a program, which may run on all cores, so that a busy machine fails none;
# and of the clock for one that waits for ever.
cores=$(nproc)
limit=$((120 * (cores > 2 ? cores : 2))) wait=1200
[ "${LONG:-}" != 1 ] || limit=$((4 * limit)) wait=$((3 * wait))

# count LOG: how many passed, failed and were skipped, summed over the groups of lines such as
# '[  PASSED  ] 3 test(s).' and, of a newer cmocka, '[  SKIPPED ] name: 3 test(s), listed below:'.
count() {
    awk '/^\[ +(PASSED|FAILED|SKIPPED) +\] (.*: )?[0-9]+ test\(s\)/ {
             sub(/ test\(s\).*/, ""); n[substr($2, 1, 4)] += $NF
         }
         END { print n["PASS"] + 0, n["FAIL"] + 0, n["SKIP"] + 0 }' "$1"
}

# name PROGRAM: its place below the folder of tests, as in ops/reduce/test_cuda.
name() {
    echo "${1##*/tests/}"
}

# run FOLDER PROGRAM: runs it, says how that went, and leaves FOLDER/NAME: numbers, and what was wrong.
run() {
    local program=$2 name log code=0 why='' begin tenths used p f s
    name=${program##*/tests/} log=$1/$name.log
    mkdir -p "${log%/*}"
    # Several at a time leave llvmpipe no core for threads of its own, and waking them takes longer than what most
    # tests draw. It has them where their turns are what is tested, and with LONG=1 but for mutants and disguises of
    # shaders, hundreds of draws of a few cells, for which they would double the time.
    case $name in
    gl/* | ops/transfer/*) ;;
    */test_sabotage* | walk/test_disguise*) [ "${AT_ONCE:-1}" -eq 1 ] || export LP_NUM_THREADS="${LP_NUM_THREADS:-0}" ;;
    *) [ "${AT_ONCE:-1}" -eq 1 ] || [ "${LONG:-}" = 1 ] || export LP_NUM_THREADS="${LP_NUM_THREADS:-0}" ;;
    esac
    # Shaders are compiled by the thousand and run once, on a few cells: llvmpipe leaves its optimiser out, which is a
    # third of all time. What it leaves as it is has the same bits. All variants are walked, contexts and passes tested,
    # variants timed and large sizes drawn with the code that users have; with LONG=1 that is so everywhere.
    case $name in
    gl/* | walk/test_walk | cmd/paper/* | demos/* | ops/transfer/* | ops/*/test_accuracy | \
        ops/gauss_jordan/test_gauss_jordan) ;;
    *) [ "${LONG:-}" = 1 ] || export GALLIVM_PERF="${GALLIVM_PERF:-nopt}" ;;
    esac
    # Two mpirun that begin and end at once would take each other's folder away.
    export OMPI_MCA_orte_tmpdir_base=$1/mpi$BASHPID
    mkdir -p "$OMPI_MCA_orte_tmpdir_base"
    begin=${EPOCHREALTIME/[.,]/}
    # --foreground, so that Ctrl-C reaches the program.
    used=$(
        ulimit -S -t "$limit"
        TIMEFORMAT='%U %S'
        { time timeout --foreground -k 10 "$wait" "$program" >"$log" 2>&1 </dev/null; } 2>&1
    ) || code=$?
    tenths=$(((${EPOCHREALTIME/[.,]/} - begin) / 100000))
    used=$(awk '{ printf "%.1f", $1 + $2 }' <<<"$used")
    read -r p f s < <(count "$log")

    if [ "$code" -eq 130 ]; then
        echo "interrupted in $name" >&2
        exit 255 # which ends xargs
    elif [ ! -x "$program" ]; then
        why='was not built'
    elif [ "$tenths" -ge $((wait * 10)) ]; then
        why="killed after $wait seconds"
    elif [ "$code" -eq 152 ]; then # SIGXCPU
        why="killed after $limit seconds of processor time"
    elif [ "$code" -ge 128 ] && [ "$f" -eq 0 ]; then
        why="crashed: signal $((code - 128)) ($(kill -l $((code - 128)) 2>/dev/null || echo unknown))"
    elif [ "$code" -ne 0 ] || [ "$f" -ne 0 ]; then
        why="exit code $code"
    elif [ $((p + s)) -eq 0 ]; then
        why='ran no test'
    fi
    # A program that broke off without a failed test is one failure itself.
    [ -z "$why" ] || [ "$f" -ne 0 ] || f=1
    echo "$p $f $s $why" >"$1/$name"

    exec 9>"$1/lock"
    flock 9
    printf '%-4s %-36s %3d passed %2d failed %2d skipped %4d.%d s %6s CPU%s\n' "$([ -z "$why" ] && echo ok || echo FAIL)" \
        "$name" "$p" "$f" "$s" $((tenths / 10)) $((tenths % 10)) "$used" "${why:+  $why}"
    if [ -n "$why" ]; then
        sed 's/^/    /' "$log"
    elif [ "$s" -ne 0 ]; then
        # The running lines name them too: only those after the total.
        awk '/^\[  SKIPPED \] (.*: )?[0-9]+ test\(s\)/ { listed = 1; next }
             listed && /^\[  SKIPPED \] / { print "     skipped: " $4; next }
             { listed = 0 }' "$log"
    fi
}

if [ "${1:-}" = --run ]; then
    run "$2" "$3"
    exit 0
fi

[ $# -ge 1 ] || { echo 'usage: tools/run-tests.sh BUILD_DIR PROGRAM...' >&2; exit 2; }
build=$1
shift

# For DEBUG=1. A refused allocation answers NULL, as it does without sanitizers.
export ASAN_OPTIONS="detect_leaks=1:strict_string_checks=1:allocator_may_return_null=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export UBSAN_OPTIONS="print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
# The format that is counted above.
export CMOCKA_MESSAGE_OUTPUT=STDOUT
# A start is mostly page faults: where the kernel lends large pages to who asks, the heap asks, and a fifth is saved.
export GLIBC_TUNABLES="${GLIBC_TUNABLES-glibc.malloc.hugetlb=1}"
# Idle OpenMP threads must not spin where llvmpipe wants the cores.
export OMP_WAIT_POLICY=passive
# The tokens of `make -j` do not come here, and makes that tests start would warn of that.
MAKEFLAGS=$(sed -E 's/(^| )-j[0-9]*//; s/(^| )--jobserver-[a-z]+=[^ ]*//g' <<<"${MAKEFLAGS:-}")
export MAKEFLAGS

mkdir -p "$build/tests"
# The user's cache, and what was learned there, is left alone.
XDG_CACHE_HOME=$(cd "$build" && pwd)/tests/cache
export XDG_CACHE_HOME
summary=$build/tests/summary
rm -f "$summary"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

code=0
[ $# -eq 0 ] || printf '%s\0' "$@" | xargs -0 -r -n 1 -P "${AT_ONCE:-1}" "$0" --run "$folder" || code=$?
[ "$code" -ne 124 ] || exit 130

passed=0 failed=0 skipped=0
bad=()
for program in "$@"; do
    name=$(name "$program")
    read -r p f s why <"$folder/$name"
    [ -z "$why" ] || bad+=("$name: $why")
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
