#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of group sizes from a record of `quadpass bench --group all`: groups.sh RECORD
# Speeds in GLUP/s.
set -eu
[ $# -eq 1 ] || {
    echo 'usage: tools/groups.sh RECORD' >&2
    exit 2
}
jq -L "$(dirname "$0")" --raw-output '
    include "tables";
    (.records | map(select(.group))) as $runs | ($runs | map(.variant) | distinct) as $variants
    | head(["\(.device | device), \($runs[0].width) x \($runs[0].height), GLUP/s"] + [$variants[] | "`\(.)`"]),
      ($runs | map(.group) | distinct | .[] as $group
       | row(["groups of " + ($group | sub("x"; " x "))]
             + [$variants[] as $v | first($runs[] | select(.variant == $v and .group == $group)) | speed]))
' "$1"
