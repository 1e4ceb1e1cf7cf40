#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes what a command draws to a file, and prints the picture's line in Markdown, whose text is
# the drawing's own: drawing.sh docs/pictures/NAME.svg COMMAND... For tools/docs.sh: with CHECK=1,
# as it sets, the file is only compared: exit code 1 if it is stale. Variants run in software, which
# draws the same on every machine, where it is.
set -eu

file=$1
shift
new=$(mktemp)
said=$(mktemp)
trap 'rm -f "$new" "$said"' EXIT
code=0
QUADPASS_DEVICE=llvmpipe "$@" >"$new" 2>"$said" || code=$?
if [ $code = 3 ]; then
    code=0
    "$@" >"$new" 2>"$said" || code=$?
fi
if [ $code != 0 ]; then
    cat "$said" >&2
    exit $code
fi
if ! cmp -s "$new" "$file"; then
    if [ "${CHECK:-0}" = 1 ]; then
        echo "$file is stale: make docs" >&2
        exit 1
    fi
    cat "$new" >"$file"
    echo "drew $file" >&2
fi
sed -n 's/.*<title[^>]*>\(.*\)<\/title>.*/\1/p' "$new" | tr -d '\n' | sed 's/^/![/'
sed -n "s/.*<desc[^>]*>\(.*\)<\/desc>.*/. \1](pictures\/${file##*/})/p" "$new"
