#!/bin/bash
# SPDX-License-Identifier: MIT
# Takes the jobs of docs/ci.md in repositories as users would have them: workflow.sh [files FOLDER]
# A right shader must end green and a wrong one red. What the steps install is there already, and is
# skipped by name if not. With `files` it writes the page's files, and runs nothing.
set -euo pipefail

cd "$(dirname "$0")/../.."
root=$PWD

# Files of the page: <!-- file: NAME --> and the block after it.
write_files() {
    rm -rf "$1"
    awk -v folder="$1" '
        /^<!-- file: .* -->$/ { name = folder "/" $3; next }
        name != "" && /^```/ { if (open) { close(name); name = "" } open = !open
            if (open) { path = name; sub(/\/[^\/]*$/, "", path); system("mkdir -p " path) } next }
        open { print >name }' docs/ci.md
    cp "$1/kernel/sharpen.frag" "$1/judge"
    cp "$1/judge/gpu.yml" "$1/draw"
    sed -i '/^\/\/@ check/d' "$1/judge/sharpen.frag"
    mkdir -p "$1/library/tests"
    cp demos/hello.c "$1/library/tests/gpu.c"
}
[ "${1:-}" != files ] || { write_files "$2"; exit; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
write_files "$scratch"
# Nothing of the make that called this; places that need no rights.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
export SETUP=0 PYTHONDONTWRITEBYTECODE=1 HOME=$scratch XDG_CACHE_HOME=$scratch/cache GITHUB_ACTION_PATH=$root

# steps JOB: the lines `run` of its workflow, in order, with those of action.yml for its use, whose
# inputs have the values of the line `with` or else their defaults. All else is the service's.
steps() {
    local workflow=$scratch/$1/gpu.yml line
    while IFS= read -r line; do
        case $line in
        *'uses: OWNER/quadpass@'*) sed -n 's/^ *- run: //p' "$root/action.yml" | sed -f <(inputs "$workflow") ;;
        *'- run: '*) echo "${line#*- run: }" ;;
        esac
    done < <(cat "$workflow")
}
inputs() {
    local name value
    while read -r name; do
        value=$(sed -n "s/^ *with: {.* $name: \\([^,]*[^ ,]\\)[, ].*/\\1/p" "$1")
        [ -n "$value" ] || value=$(sed -n "/^  $name:/,/default:/s/^ *default: '*\\([^']*\\)'*\$/\\1/p" "$root/action.yml")
        echo "s|\${{ inputs.$name }}|$value|g"
    done < <(sed -n '/^inputs:/,/^runs:/s/^  \([a-z]*\):$/\1/p' "$root/action.yml")
}

# take JOB [SKIPPED]: its steps but those of a pattern, each in a shell of its own with what those
# before it have left for it.
take() {
    local step number=0
    export GITHUB_ENV=$scratch/env GITHUB_PATH=$scratch/path
    cd "$scratch/$1"
    : >"$GITHUB_ENV" && : >"$GITHUB_PATH" && ln -sfn "$root" quadpass
    while IFS= read -r step <&3; do
        number=$((number + 1))
        # shellcheck disable=SC2046 # settings are separate words
        env $(cat "$GITHUB_ENV") PATH="$(tr '\n' : <"$GITHUB_PATH")$PATH" bash -e -o pipefail -c "$step" || return 1
    done 3< <(steps "$1" | grep -vE "^apt-get${2:+|$2}") >log 2>&1 </dev/null
    [ $number -gt 0 ]
}

# job JOB [MISTAKE WORDS]: green as it is, and red with these words after the mistake.
job() {
    (take "$1") || { cat "$scratch/$1/log" >&2; echo "workflow test: failed: $1 is no green job" >&2; exit 1; }
    [ $# -eq 3 ] || { echo "  $1: green"; return; }
    (cd "$scratch/$1" && eval "$2")
    if (take "$1" 'setup.sh| install |--prove') || ! grep -q "$3" "$scratch/$1/log"; then
        cat "$scratch/$1/log" >&2
        echo "workflow test: failed: $1 with a mistake is no red job that says '$3'" >&2
        exit 1
    fi
    echo "  $1: green, and red with a mistake"
}

# Each file of a pattern is judged by itself, and a right one after a wrong one changes nothing.
job kernel "sed 's/sharpen.c/.\/&/' sharpen.frag >still.frag; sed -i 's/0.0, -1.0/0.0, 1.0/' sharpen.frag
    sed -i 's/check: sharpen.frag/check: s*.frag, options: --size 9x7/' gpu.yml" '^sharpen.*cell (.*) is .* and should be '
grep -q '^still/kernel .*pass ' "$scratch/kernel/log"
job library
job plain "sed -i 's/-0.01 /-0.0101 /' disc.frag" ' cells are wrong'
if /usr/bin/python3 -c 'import pytest, numpy' 2>/dev/null; then
    job judge "sed -i 's/0.0, -1.0/0.0, 1.0/' sharpen.frag" 'cell (.*) is .* and should be '
else
    echo '  judge: skipped, no python3-pytest or no python3-numpy'
fi
if /usr/bin/python3 -c 'import pytest, numpy, moderngl' 2>/dev/null; then
    job draw "sed -i 's/at(0, 1);/at(0, 2);/' sharpen.frag" 'Not equal to tolerance'
else
    echo '  draw: skipped, no python3-pytest, python3-numpy or python3-moderngl'
fi

# Lines for other services, of which the action's steps have taken those that install.
cd "$scratch/kernel"
sed -i 's/0.0, 1.0) + at(0.0, 1.0/0.0, -1.0) + at(0.0, 1.0/' sharpen.frag
grep '^QUADPASS' other.sh >lines
PATH=$scratch/.quadpass/bin:$PATH bash -e lines >log 2>&1 </dev/null || { cat log >&2; exit 1; }
echo 'workflow test: passed'
