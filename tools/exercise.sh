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
kept=build/exercises # pictures, a list of what is done, and what wrong answers compute; it may be deleted

# Files and output are read by the shell itself: a process for each would take longer than all judging. This reads a file into
# the variable that is named; one that is not there is empty.
slurp() {
    printf -v "$1" ''
    read -r -d '' "$1" 2>/dev/null <"$2" || true
}

make_kept() {
    [ -d $kept ] || mkdir -p $kept 2>/dev/null
}

# ---- The list ----

# The page's table is the list: | [name](name/README.md) | 10 min | question |. Prints it where NAME is empty. Sets `count` of
# `all` exercises that are done, and the next one: after NAME the first that is not done, or else of all.
list() {
    local line one time question finished mark is_after=
    slurp finished $kept/done
    count=0 all=0 next=
    while read -r line; do
        [[ $line =~ ^'| ['([a-z-]+)']('.*') | '([^|]*)' | '([^|]*)' |' ]] || continue
        one=${BASH_REMATCH[1]} time=${BASH_REMATCH[2]} question=${BASH_REMATCH[3]} mark=
        all=$((all + 1))
        if [[ " ${finished//[[:space:]]/ } " == *" $one "* ]]; then
            count=$((count + 1)) mark="done"
        elif [[ -z $next || $is_after = now ]]; then
            next="make exercise NAME=$one     ($time: $question)"
            [ "$is_after" != now ] || is_after=found
        fi
        [ -n "$1" ] || printf '%-4s  %-11s %6s  %s\n' "$mark" "$one" "$time" "$question"
        [ "$one" != "$1" ] || is_after=now
    done <docs/exercises/README.md
    next="$count of $all are done; next: ${next:-the lab sheets of docs/exercises}"
}

if [ -z "$name" ]; then
    [ -z "$file" ] || refuse "$file is an answer to which exercise? give its NAME, too"
    list ''
    echo "$next"
    echo 'docs/exercises/README.md says more'
    exit 0
fi

# ---- The answer ----

folder=docs/exercises/$name
[[ $name =~ ^[a-z-]+$ && -d $folder ]] || refuse "there is no exercise '$name'; 'make exercise' lists them"
kind=frag start=''
[ -e "$folder/start.frag" ] || kind=c
if [ -z "$file" ]; then
    file=$folder/mine.$kind
    if [ ! -e "$file" ]; then
        sed 's/start\.c$/mine.c/' "$folder/start.$kind" >"$file"
        [[ $kind = c || ! -e $folder/start.c || -e $folder/mine.c ]] || cp "$folder/start.c" "$folder/mine.c"
        echo "$file is now a copy of the start; change it, then: make exercise NAME=$name"
    fi
fi
[[ $file != -* ]] || file=./$file # no option
[[ -f $file && -r $file ]] || refuse "there is no file '$file'; an answer begins as a copy of $folder/start.$kind"
[[ $file == *.$kind ]] || refuse "'$file' is no answer to '$name'; that is a file whose name ends in .$kind"
[ -z "${MAKE:-}" ] || "$MAKE" --no-print-directory ready
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
slurp start "$folder/start.frag"
slurp reference "$folder/reference.c" # its comments say what else is judged, and what is a picture

# ---- How it ends ----

wrong() {
    echo "$name: not yet; ${1:-look at the cell that is named, then at the hints of} $folder/README.md"
    exit 1
}

# The reward: a picture of the reader's own kernel, and the next exercise.
right() {
    local words finished next
    if [[ $reference =~ $'\n/* Picture by '([^$'\n']*)' */' ]] && make_kept; then
        read -r -a words <<<"${BASH_REMATCH[1]}"
        if run "$file" --picture "$kept/$name.png" "${words[@]}" &&
            ! [[ $said =~ ' from '([^ ]+)' to '([^ ]+)', ' && ${BASH_REMATCH[1]} = "${BASH_REMATCH[2]}" ]]; then
            echo "a picture by your kernel: $kept/$name.png"
        fi
    fi
    if ! [[ $file -ef $folder/answer.$kind ]] && make_kept; then
        slurp finished $kept/done
        [[ " ${finished//[[:space:]]/ } " == *" $name "* ]] || { echo "$name" >>$kept/done; } 2>/dev/null || true
    fi
    list "$name"
    echo "$name: right"
    echo "$next"
    exit 0
}

# Numbers of a check with mutants: all, and of reads alone.
count_mistakes() {
    noticed=0 made=0 reads_noticed=0 reads=0
    if [[ $said =~ 'the reference notices '([0-9]+)' of '([0-9]+)' mutants'([^$'\n']*' reads '([0-9]+)' of '([0-9]+))? ]]; then
        noticed=${BASH_REMATCH[1]} made=${BASH_REMATCH[2]} reads_noticed=${BASH_REMATCH[4]:-0} reads=${BASH_REMATCH[5]:-0}
    fi
}

tell_mistakes() {
    if [ "$made" -gt 0 ]; then
        [ "$noticed" -lt "$made" ] || noticed=each
        echo "$1 test would catch $noticed of $made mistakes planted in ${2:-your} kernel"
    fi
}

# ---- Kernel files ----

# Arrays of an answer that lie in the exercise's folder, wherever the answer is.
inputs=()
[ ! -e "$folder/cells.npy" ] || inputs=(--input "x=$folder/cells.npy")

# Runs a file, after the one that takes the first half of a step; `said` is what the command prints.
run() {
    [ ! -e "$folder/first.frag" ] || set -- "$folder/first.frag" "$@"
    said=$("$build/quadpass" run "$@" "${inputs[@]}" 2>&1)
}

# A file's check by the exercise's reference. Where there is none the answer is to bring its own.
judge() {
    [ ! -e "$folder/first.frag" ] || set -- "$folder/first.frag" "$@"
    [ -z "$reference" ] || set -- "$@" --check "$folder/reference.c"
    said=$("$build/quadpass" check ${FIXED:+--fixed} "$@" "${inputs[@]}" 2>&1)
}

# A sentence for a wrong answer that people give: its file has it in a line `Known:`.
recognise() {
    sed -nE 's,^(//|/\*) Known: ,Known: ,; s, \*/$,,; /^Known: /p' "$1"
}

# The judge's lines for a reader: where, and the sentence.
tell_check() {
    sed -E -e '/: compiling | skipped$|^the reference notices |^inputs that show |^random inputs by seed |^fresh sizes |^to see it again: |mutants survive, more than a tenth/d' \
        -e "s/; (it shows with .*|none of [0-9]+ other inputs shows it)$//" \
        -e 's#^[^ ]+/kernel +(fail|pass|cannot tell) .* at ([0-9]+)x([0-9]+)[^(]*, ([0-9]+ steps?)(, at most [0-9]+ by its head)?(  (.*))?$#\2 x \3 cells, after \4: \7#' \
        -e 's#^[^ ]+/kernel +(fail|cannot tell) +##' -e '/: $/d' <<<"$said"
}

# Compares what the reader's text computes in the case that failed with what each wrong answer computes, bit for bit. That is kept
# until the wrong answer or the command is newer.
recognise_kernel() {
    local steps sentence other made store=$kept
    make_kept || store=$scratch
    [[ $said =~ /kernel\ +fail[^$'\n']*' at '[0-9]+x[0-9]+[^\($'\n']*', '([0-9]+)' step' ]] || return 0
    steps=${BASH_REMATCH[1]}
    [[ $said =~ /kernel\ [^$'\n']*'  '(cell [^$'\n']*) ]] && sentence=${BASH_REMATCH[1]}
    run "$file" --steps "$steps" "$@" -o "$scratch/mine.npy" || return 0
    for other in "$folder"/wrong-*.frag; do
        made=${other##*/}
        made=$store/$name-${made%.frag}-$steps${2:+-$2}${QUADPASS_DEVICE:+-$QUADPASS_DEVICE}.npy
        [[ $made -nt $other && $made -nt $build/quadpass && ! $folder/first.frag -nt $made && ! $folder/cells.npy -nt $made ]] || run "$other" --steps "$steps" "$@" -o "$made" || continue
        cmp -s "$scratch/mine.npy" "$made" || continue
        if [[ $start =~ $'\n//@ state '[^$'\n']*' ' ]]; then # -o has the first state alone
            judge "$other" "$@" || true
            [[ $said == *"${sentence-}"* ]] || continue
        fi
        recognise "$other"
        return 0
    done
}

check() {
    local code=0
    judge "$file" "$@" || code=$?
    # The first size has told the answer from trivial ones, which a single cell need not.
    if [[ $1 = --size && $said =~ /kernel\ +'cannot tell ' ]]; then return; fi
    # Words of an answer that the exercise's own reference does not notice are no mistake of the answer.
    if [[ -n $reference && $said == *'mutants survive, more than a tenth'* ]]; then code=0; fi
    [ $code -eq 0 ] || tell_check
    [ $code -ne 1 ] || { [[ ${1:-} = --size ]] || set --; recognise_kernel "$@"; wrong; }
    [ $code -eq 0 ] || exit $code
}

# Sets `problem` to what a file's head asks. An answer has the start's problem. Only a test chooses its own.
read_problem() {
    local line words IFS=$' \t\r'
    problem=
    while read -r line || [ -n "$line" ]; do
        [[ $line =~ '//@'[[:blank:]]*((size|steps|input|set|state|seed|tolerance|schedule)[[:blank:]].*) ]] || continue
        read -r -a words <<<"${BASH_REMATCH[1]}"
        problem+=${words[*]}$'\n'
    done <"$1"
}

# True if both files ask the same.
same_problem() {
    local problem of_first
    read_problem "$1"
    of_first=$problem
    read_problem "$2"
    [ "$of_first" = "$problem" ]
}

judge_kernel() {
    local number size text
    if ! same_problem "$file" "$folder/start.frag"; then
        echo "the first lines of $folder/start.frag say what is judged; leave size, steps, input and numbers as they are there"
        wrong 'the question is in'
    fi
    slurp text "$file"
    if [[ $'\n'$text == *$'\n//@ outside wrap'* && $start != *$'\n//@ outside wrap'* ]]; then
        echo 'do without the line //@ outside wrap'
        wrong 'the question is in'
    fi
    if [[ $reference =~ $'\n/* Judge by '([a-z_]+), ]]; then # a number that the answer reads
        number=${BASH_REMATCH[1]}
        if ! sed 's/\/\/.*//' "$file" | grep -q "$number"; then
            echo "the judge finds $number through your text, which must read it"
            wrong 'the question is in'
        fi
    fi
    check --mutants --no-tries
    count_mistakes
    if [ $((10 * reads_noticed)) -lt $((9 * reads)) ]; then
        echo 'your text reads cells that have no effect on its result: a test is to notice nine of ten reads that are spoiled'
        wrong
    fi
    if [[ $reference =~ $'\n/* Judge at '([0-9x ]+)' as well' ]]; then
        for size in ${BASH_REMATCH[1]}; do check --size "$size"; done
    fi
    tell_mistakes the
    right
}

# ---- Tests that the reader writes ----

# A wrong answer with the reader's head, of which the reader's reference says the same.
recognise_test() {
    local other mine FIXED=1 # the same words for the same text
    judge "$file" || true
    mine=$(tell_check)
    for other in "$folder"/wrong-*.frag; do
        same_problem "$file" "$other" || continue
        judge "$other" || true
        [ "$(tell_check)" = "$mine" ] || continue
        recognise "$other"
        return 0
    done
}

judge_test() {
    local code=0
    judge "$file" --mutants --no-tries || code=$?
    [ $code -le 1 ] || { tell_check && exit $code; }
    count_mistakes
    tell_mistakes your the
    if [ $code -ne 0 ] || [ $((10 * reads_noticed)) -lt $((9 * reads)) ]; then
        tell_check
        recognise_test
        wrong 'a test is to catch nine of ten; hints are in'
    fi
    right
}

# The head of one kernel file, and the text of another.
graft() {
    sed '/^[^/]/,$d' "$1" >"$3"
    sed -n '/^[^/]/,$p' "$2" >>"$3"
}

# Fool the judge: a wrong kernel that the given test passes and an honest one does not, and a mended test that tells them apart.
judge_fool() {
    local code=0 sentence test=$folder/start.frag
    cp "$folder/start.c" "$(dirname "$file")"/*.c "$scratch" 2>/dev/null || true
    graft "$test" "$file" "$scratch/given.frag"
    graft "$folder/honest.frag" "$file" "$scratch/full.frag"
    graft "$file" "$folder/honest.frag" "$scratch/honest.frag"
    cp "$file" "$scratch/own.frag"
    judge "$scratch/full.frag" || code=$?
    [ $code -le 1 ] || { tell_check && exit $code; }
    if [ $code -eq 0 ]; then
        echo 'your kernel is right: a test with other numbers and sizes, honest.frag, passes it'
        wrong 'make it wrong where start.frag does not look; hints are in'
    fi
    sentence=$(tell_check)
    judge "$scratch/given.frag" || {
        echo 'the given test, that of start.frag, is not fooled:'
        tell_check
        recognise_kernel
        wrong
    }
    echo "fooled: the given test passes your kernel, and the full one says: ${sentence%%$'\n'*}"
    code=0
    judge "$scratch/own.frag" || code=$?
    [ $code -le 1 ] || { tell_check && exit $code; }
    if [ $code -eq 0 ]; then
        echo 'your own test, the first lines of your file and its reference, still passes it'
        recognise "$folder/wrong-2.frag"
        wrong 'mend the test; hints are in'
    fi
    code=0
    judge "$scratch/honest.frag" --mutants --no-tries || code=$?
    [ $code -le 1 ] || { tell_check && exit $code; }
    count_mistakes
    if [ $code -ne 0 ]; then
        echo 'your own test does not pass the right kernel, that of honest.frag:'
        tell_mistakes your 'the right'
        tell_check
        recognise "$folder/wrong-3.frag"
        wrong 'mend the test; hints are in'
    fi
    tell_mistakes your 'the right'
    right
}

# ---- Programs in C ----

# Judges a program's passes by judge.c in the exercise's folder, and writes what it says into a file.
judge_program() {
    local library=$build program=$scratch/${1##*/} code=0 flags=(-std=c11 -Wall -D_GNU_SOURCE -Iinclude "-I$folder")
    [[ $library = /* ]] || library=$PWD/$library
    [[ $build != *debug ]] || flags+=("-fsanitize=address,undefined")
    "${CC:-cc}" "${flags[@]}" "$1" "$folder/judge.c" -o "$program.program" "-L$library" -lquadpass -lm "-Wl,-rpath,$library" \
        2>"$program.errors" || return 2
    ASAN_OPTIONS=detect_leaks=0 "$program.program" >"$2" 2>&1 || code=$?
    return $code
}

# The judge's words for each wrong answer, to the last digit, are kept until that or the judge is newer.
recognise_program() {
    local other words
    make_kept || return 0
    for other in "$folder"/wrong-*.c; do
        words=${other##*/}
        words=$kept/$name-${words%.c}
        [[ $words -nt $other && $words -nt $folder/judge.c && $words -nt $build/libquadpass.so ]] || {
            judge_program "$other" "$scratch/${words##*/}" || true
            mv "$scratch/${words##*/}" "$words"
        } &
    done
    wait
    for other in "$folder"/wrong-*.c; do
        words=${other##*/}
        cmp -s "$scratch/said" "$kept/$name-${words%.c}" || continue
        recognise "$other"
        return 0
    done
}

if [ $kind = c ]; then
    code=0
    judge_program "$file" "$scratch/said" || code=$?
    cat "$scratch/${file##*/}.errors"
    [ ! -e "$scratch/said" ] || cat "$scratch/said"
    [ $code -ne 1 ] || { recognise_program && wrong 'hints are in'; }
    [ $code -eq 0 ] || exit $code
    right
fi
[ ! -e "$folder/honest.frag" ] || judge_fool
[ -e "$folder/reference.c" ] || judge_test
judge_kernel
