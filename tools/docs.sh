#!/bin/sh
# SPDX-License-Identifier: MIT
# Regenerates the parts of pages that commands print: docs.sh [--check] BUILD_FOLDER FILE...
# Such a part is between the lines <!-- run: COMMAND --> and <!-- end -->, of a manual page between
# .\" run: COMMAND and .\" end; `quadpass` in a command is the one in the build folder. With --check
# nothing is written: exit code 1 if a file is stale, or a picture that a command draws (drawing.sh).
set -eu

check=0
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
[ $# -ge 2 ] || { echo 'usage: tools/docs.sh [--check] BUILD_FOLDER FILE...' >&2; exit 2; }
PATH=$(cd "$1" && pwd):$PATH
CHECK=$check # for tools/drawing.sh
export PATH CHECK
shift

new=$(mktemp)
trap 'rm -f "$new"' EXIT
stale=0
for file in "$@"; do
    awk '
        /^(<!-- end -->|\.\\" end)$/ { inside = 0 }
        !inside { print }
        /^(<!-- run: .* -->|\.\\" run: .*)$/ {
            command = $0
            sub(/^[^ ]* run: /, "", command)
            sub(/ -->$/, "", command)
            while ((command | getline line) > 0)
                print line
            if (close(command) != 0) {
                print FILENAME ": failed: " command >"/dev/stderr"
                exit 1
            }
            inside = 1
        }
        END { if (inside) { print FILENAME ": a part has no <!-- end -->" >"/dev/stderr"; exit 1 } }
    ' "$file" >"$new"
    if cmp -s "$new" "$file"; then
        continue
    elif [ $check = 1 ]; then
        echo "$file is stale: make docs" >&2
        stale=1
    else
        cat "$new" >"$file"
        echo "regenerated $file"
    fi
done
exit $stale
