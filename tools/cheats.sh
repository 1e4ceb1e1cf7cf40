#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints kernels of tests/cheats for docs/cheats.md: cheats.sh NAME... For each what it does, its lines, the commands that
# tests/cheats/test_cheats.c runs with what they print, and who passes and who finds it.
set -eu

[ $# -gt 0 ] || { echo 'usage: tools/cheats.sh NAME...' >&2; exit 2; }
cd "$(dirname "$0")/../tests/cheats"

for name in "$@"; do
    set -- "$name/$name".[cf]*
    for file in "$@"; do
        case $file in *.frag | *.comp | *.cu) break ;; esac
    done
    awk -v link="[$name](../tests/cheats/$file)" '
        NR == 1 { next }
        /^(\/\/|\/\*| \*) / && !code {
            line = $0
            sub(/^(\/\/|\/\*| \*) /, "", line)
            sub(/ \*\/$/, "", line)
            if (sub(/^Passes: /, "", line)) part = "passes"
            else if (sub(/^Found: /, "", line)) part = "found"
            text[part] = text[part] (text[part] == "" ? "" : " ") line
            next
        }
        /@ (check|include|outside clamp)/ { next }
        /^$/ && !code { next }
        { code = 1; body = body $0 "\n" }
        END {
            printf "**%s**: %s\n\n```%s\n%s```\n\n", link, text[""], FILENAME ~ /\.frag$|\.comp$/ ? "glsl" : "c", body
            printf "*Passes* %s *Found* %s\n\n", text["passes"], text["found"]
        }' "$file" | awk '/^```/ { inside = !inside } !inside && length > 120 { while (length > 120 && match(substr($0, 1, 120), /.* /)) {
            print substr($0, 1, RLENGTH - 1); $0 = substr($0, RLENGTH + 1) } } { print }'
    echo '```'
    sed -E 's/(steps?|by its head|stage 5, pass:)  ?([^ ])/\1\n    \2/; s/; (a tolerance)/;\n    \1/' "$name/verdict" |
        sed -E '/.{121}/s/, (at|changes|the first of them) /,\n    \1 /'
    printf '```\n\n'
done
