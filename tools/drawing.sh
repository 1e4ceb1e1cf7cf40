#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws a picture of a page, and prints its line in Markdown, whose text says what is seen:
# drawing.sh docs/pictures/NAME.svg KIND [VARIANT] [OPTION...]. For tools/docs.sh: with CHECK=1, as
# it sets, the file is only compared: exit code 1 if it is stale. Software draws the same on every
# machine that has it.
set -eu

file=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for device in llvmpipe auto; do
    code=0
    told=$(quadpass draw "$@" --device $device -o "$folder/new.svg") || code=$?
    [ $code = 3 ] || break
done
[ $code = 0 ] || exit $code
if ! cmp -s "$folder/new.svg" "$file"; then
    if [ "${CHECK:-0}" = 1 ]; then
        echo "$file is stale: make docs" >&2
        exit 1
    fi
    cp "$folder/new.svg" "$file"
    echo "drew $file" >&2
fi
printf '![%s](pictures/%s)\n' "$told" "${file##*/}"
