#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the linker's options for functions that a test answers in their place: wraps.sh TEST.c. A line /* wrap: NAME ... */ of
# the test names them, or files of tests/support with such a line or with answers of their own.
names() {
    sed -n 's|^/\* wrap: \(.*\) \*/$|\1|p; s/^ANSWER([^,]*, \([a-z0-9_]*\),.*/\1/p; s/^WRAP(\(cuda[A-Za-z0-9]*\),.*/\1/p' "$@"
}

for name in $(names "$1"); do
    # shellcheck disable=SC2086 # a pattern
    case $name in
    *.c) names tests/support/$name ;;
    *) echo "$name" ;;
    esac
done | tr ' ' '\n' | sed 's/^/-Wl,--wrap=/'
