#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the documentation a folder of HTML: site.sh FOLDER
# It needs cmark-gfm and mandoc. The folder is made anew, and moved to its place when it is whole.
set -eu

[ $# -eq 1 ] || { echo 'usage: tools/site.sh FOLDER' >&2; exit 2; }
for program in cmark-gfm mandoc; do
    command -v $program >/dev/null || {
        echo "site: $program is not installed, which makes pages of texts: make setup-test, or your system's package of that name" >&2
        exit 2
    }
done
case $1 in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
cd "$(dirname "$0")/.."
[ ! -e "$out" ] || [ -e "$out/style.css" ] || { echo "site: $out is there, and is no site: name another folder" >&2; exit 2; }
new=$out.new
rm -rf "$new"
mkdir -p "$new"
trap 'rm -rf "$new"' EXIT
cp tools/site.css "$new/style.css"
find . -name .git -prune -o -path ./build -prune -o -type f -print | LC_ALL=C sort |
    LC_ALL=C awk -v out="$new" -f tools/site.awk
rm -rf "$out"
mv "$new" "$out"
