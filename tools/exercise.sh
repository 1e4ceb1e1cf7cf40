#!/bin/bash
# SPDX-License-Identifier: MIT
# Judges an answer to an exercise of docs/exercises: exercise.sh BUILD_FOLDER [NAME [FILE]]
# Without NAME it lists them. FILE is by default mine.frag or mine.c in the exercise's folder, which begins as a copy of its start.
# Exit code 0 for a right answer, 1 for a wrong one, 2 for one that does not compile or is not there.
set -euo pipefail

refuse() {
    echo "exercise: $1" >&2
    exit 2
}

[[ $# -ge 1 && $# -le 3 ]] || refuse 'usage: tools/exercise.sh BUILD_FOLDER [NAME [FILE]]'
build=$1 name=${2:-} file=${3:-}
list=docs/exercises/README.md

# The list is the page's table: | [name](name/README.md) | 10 min | question |
if [ -z "$name" ]; then
    [ -z "$file" ] || refuse "$file is an answer to which exercise? give its NAME, too"
    sed -n 's/^| \[\([a-z-]*\)\](.*) | \([^|]*\) | \([^|]*\) |.*/\1|\2|\3/p' $list |
        while IFS='|' read -r name time question; do printf '%-10s %6s  %s\n' "$name" "$time" "$question"; done
    echo 'make exercise NAME=shift begins with one; docs/exercises/README.md says more'
    exit 0
fi

folder=docs/exercises/$name
[[ $name =~ ^[a-z-]+$ && -d $folder ]] || refuse "there is no exercise '$name'; 'make exercise' lists them"
kind=frag
[ -e "$folder/start.frag" ] || kind=c
if [ -z "$file" ]; then
    file=$folder/mine.$kind
    if [ ! -e "$file" ]; then
        sed 's/start\.c$/mine.c/' "$folder/start.$kind" >"$file"
        [[ $kind = c || ! -e $folder/start.c ]] || cp "$folder/start.c" "$folder/mine.c"
        echo "$file is now a copy of the start; change it, then: make exercise NAME=$name"
    fi
fi
[[ $file != -* ]] || file=./$file # no option
[[ -f $file && -r $file ]] || refuse "there is no file '$file'; an answer begins as a copy of $folder/start.$kind"
[[ $file == *.$kind ]] || refuse "'$file' is no answer to '$name'; that is a file whose name ends in .$kind"
[ -z "${MAKE:-}" ] || "$MAKE" --no-print-directory ready

wrong() {
    echo "$name: not yet; hints are in $folder/README.md"
    exit 1
}

# A kernel file is judged by the exercise's reference, after the file that takes the first half of a step. Where there is no
# reference the answer is to bring its own.
check() {
    local reference=$folder/reference.c code=0
    set -- "$file" "$@"
    [ ! -e "$folder/first.frag" ] || set -- "$folder/first.frag" "$@"
    [ ! -e "$reference" ] || set -- "$@" --check "$reference"
    [ ! -e "$folder/cells.npy" ] || set -- "$@" --input "x=$folder/cells.npy"
    "$build/quadpass" check ${FIXED:+--fixed} "$@" >"$output" 2>&1 || code=$?
    # The first size has told the answer from trivial ones, which a single cell need not.
    if [ -n "$further" ] && grep -q '/kernel  *cannot tell ' "$output"; then return; fi
    # Words of an answer that the exercise's own reference does not notice are no mistake of the answer.
    if [ -e "$reference" ] && grep -q 'mutants survive, more than a tenth' "$output"; then code=0; fi
    grep -v -e ': compiling ' -e ' skipped$' "$output" || true
    case $code in
    0) ;;
    1) wrong ;;
    *) exit $code ;;
    esac
}

# A program's passes are judged by judge.c in the exercise's folder.
compile() {
    local library flags=(-std=c11 -Wall -D_GNU_SOURCE -Iinclude "-I$folder")
    library=$(cd "$build" && pwd)
    [[ $build != *debug ]] || flags+=("-fsanitize=address,undefined")
    "${CC:-cc}" "${flags[@]}" "$file" "$folder/judge.c" -o "$output.program" "-L$library" -lquadpass -lm "-Wl,-rpath,$library" || exit 2
}

output=$(mktemp)
trap 'rm -f "$output" "$output.program"' EXIT
if [ $kind = c ]; then
    compile
    code=0
    ASAN_OPTIONS=detect_leaks=0 "$output.program" || code=$?
    [ $code -ne 1 ] || wrong
    [ $code -ne 0 ] || echo "$name: right"
    exit $code
fi

# Comments of the reference say what else is judged: a number that the answer reads, and further sizes.
asks() {
    [ ! -e "$folder/reference.c" ] || sed -n "$1" "$folder/reference.c"
}

# An answer has the start's problem. Only a test chooses its own.
problem() {
    sed -nE 's,^.*//@[[:blank:]]*(size|steps|input|set|state|seed|tolerance|schedule)[[:blank:]]+,\1 ,p' "$1" |
        sed -E 's/[[:space:]]+/ /g; s/ $//'
}

if [[ -e $folder/reference.c && $(problem "$file") != $(problem "$folder/start.frag") ]]; then
    echo "the first lines of $folder/start.frag say what is judged; leave size, steps, input and numbers as they are there"
    wrong
fi
number=$(asks 's/^\/\* Judge by \([a-z_]*\),.*/\1/p')
if [ -n "$number" ] && ! sed 's/\/\/.*//' "$file" | grep -q "$number"; then
    echo "the judge finds $number through your text, which must read it"
    wrong
fi
further=
check --mutants
read -r noticed made < <(sed -n 's/^the reference notices .* reads \([0-9]*\) of \([0-9]*\).*/\1 \2/p' "$output") || true
if [ $((10 * ${noticed:-0})) -lt $((9 * ${made:-0})) ]; then
    echo "a test is to notice nine of ten reads that are spoiled"
    wrong
fi
sizes=$(asks 's/^\/\* Judge at \([0-9x ]*\) as well.*/\1/p')
further=yes
for size in $sizes; do check --size "$size"; done
echo "$name: right"
