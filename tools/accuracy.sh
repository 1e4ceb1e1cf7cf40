#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of errors from a record of `quadpass accuracy`: accuracy.sh RECORD
# In units of 2^-24 of the largest sum that one update forms: the largest error, and the root mean square.
set -eu
[ $# -eq 1 ] || {
    echo 'usage: tools/accuracy.sh RECORD' >&2
    exit 2
}
jq -L "$(dirname "$0")" --raw-output '
    include "tables";
    def unit: . * 16777216 | digits | tostring;
    .records as $all | ([$all[].variant] | distinct) as $variants
    | head(["\(.device | device): problem, steps"] + [$variants[] | "`\(.)`"]),
      ($all | map({problem, iterations}) | distinct | .[] as $case
       | row(["\($case.problem), \($case.iterations)"]
             + [$variants[] as $v
                | first($all[] | select(.variant == $v and .problem == $case.problem and .iterations == $case.iterations))
                | if .error then "\(.error | unit), rms \(.error_rms | unit)" else .verdict end]))
' "$1"
