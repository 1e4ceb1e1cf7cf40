#!/bin/bash
# SPDX-License-Identifier: MIT
# Mechanisms and where they are, by rules that need no judgement: mechanisms.sh SOURCES BUILD_DIR
# Lines 'MECHANISM COUNT', with 'MECHANISM NAME' for each below. tests/house/mechanisms.txt says what each is.
set -euo pipefail
[ $# -eq 2 ] || { echo 'usage: tests/house/mechanisms.sh SOURCES BUILD_DIR' >&2; exit 2; }
build=$(cd "$2" && pwd)
cd "$1"

# files PATTERN FOLDER...: sources of C and CUDA there that match it.
files() {
    local pattern=$1
    shift
    grep -rlE --include='*.[ch]' --include='*.cu' --include='*.cuh' -e "$pattern" "$@" || true
}

# objects PATTERN: sources, without .c, of objects that want such a function. An object without its source is old.
objects() {
    (cd "$build" && find src -name '*.o' -print0 | xargs -0 -r nm -A -g) 2>/dev/null |
        sed -nE "s/^(.*)\.o: +U ($1)\$/\1/p" | sort -u |
        while read -r name; do [ ! -e "$name" ] && [ ! -e "$name.c" ] || echo "$name"; done
}

drawing='qp_pass_draw|qp_pass_dispatch|qp_step_run|qp_passes_run|qp_prepared_draw'
executors() {
    objects "$drawing" | grep -vE '^src/toolkit/(gl|cuda)/' || true
}

# Structs that the drawing functions take, and others with a fragment shader's name in them.
draws() {
    {
        grep -rhozE --include='*.h' "\b($drawing|qp_pass_run)\([^;]*;" src include | tr '\0\n' '  ' |
            grep -oE 'struct [a-z_0-9]+' | grep -v 'qp_context$'
        find src include -name '*.h' -exec awk '/^struct [a-z_0-9]+ \{/ { name = $2 } /^\};/ { name = "" }
            name && /^ +const char \*fragment/ { print "struct", name }' {} +
    } | sort -u | sed 's/ /_/'
}

sums() {
    files '"[^"]*(/[a-z_0-9]*(sum|squares)\.frag|sum \+= )' src
}

sparse() {
    files '\b[a-z]+_(slots|slices|diagonals)\(' src | grep '\.c$' || true
}

readers() {
    { objects 'qp_tokens_read'; files '"[^"]*(sampler2D|gl_Frag|texelFetch|uniform (%|[a-z0-9]+ [a-z_]+[;[]))' src | sed 's/\.c$//'; } | sort -u
}

# Files that say what jacobi9/inverse is, which stands for each variant.
places() {
    grep -rlE '\((jacobi9, )?inverse,|\.name = "jacobi9/inverse"' src/lab/ops/jacobi9 || true
}

# Files with four variants of one operation within ten lines, but for those that come in double, too; beside their initialisers,
# each of which ends at a blank line.
ladders() {
    find src/lab/ops -name '*.c' -exec sed -nE 's|.*\.name = "([a-z_0-9]+)/([a-z_0-9]+)",.*|\1 \2|p' {} + |
        awk '{ name[NR] = $0; is[$0] } END { for (i = 1; i <= NR; i++) { sub(/_double$/, "", name[i]); if (!(name[i] "_double" in is)) print name[i] } }' >"$scratch"
    find src tools docs/papers -type f ! -name '*.md' -exec awk -v list="$scratch" '
        BEGIN { while ((getline line < list) > 0) { split(line, part, " "); is[part[1] "/" part[2]] = part[1] } }
        FNR == 1 { delete last; delete count; told = inside = 0 }
        /\.name = "[a-z_0-9]+\// { inside = 1 }
        /^$/ { inside = 0 }
        inside { next }
        { rest = $0
          while (!told && match(rest, /[a-z_0-9]+\/[a-z_0-9]+[.]?/)) {
              name = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH); op = is[name]
              if (op == "" || name == before[op]) continue
              count[op] = FNR - last[op] <= 10 ? count[op] + 1 : 1
              last[op] = FNR; before[op] = name
              if (count[op] == 4) { print FILENAME; told = 1 }
          } }' {} +
}

# Programs that read a table of docs/papers.
tables() {
    files '"[a-z0-9-]+\.csv"' src | grep '\.c$' || true
    grep -rlE --include='*.sh' --include='*.jq' '\.csv' tools || true
}

printers() {
    files '(\.|->)on_stage = [a-z]' src | grep -v '^src/lab/walk/' || true
}

axes() {
    grep -rlE --include='*.c' --include='*.sh' --include='*.jq' '<svg|\btick' src tools || true
}

# Headers that one other file includes, beside the source of their own name.
headers() {
    grep -roE --include='*.[ch]' --include='*.cu' --include='*.cuh' '^#include "[^"]+"' src | sed -E 's/:#include "/ src\//; s/"$//' |
        awk '{ own = $2; sub(/\.cuh?$|\.h$/, "", own); from = $1; sub(/\.[a-z]+$/, "", from)
               if (own != from) users[$2]++ }
             END { for (name in users) if (users[name] == 1) print name }' |
        while read -r name; do [ ! -e "$name" ] || echo "$name"; done
}

folders() {
    find src -type d | while read -r name; do
        [ "$(find "$name" -maxdepth 1 -type f | wc -l)" -le 40 ] || echo "$name"
    done
}

scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
for mechanism in executors draws sums sparse readers places ladders tables printers axes headers folders; do
    found=$($mechanism | LC_ALL=C sort)
    echo "$mechanism $(grep -c . <<<"$found" || true)"
    while read -r name; do [ -z "$name" ] || echo "$mechanism $name"; done <<<"$found"
done
echo "statements $(find src \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) -exec cat {} + | grep -c ';$')"
