#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of errors from a record of `quadpass accuracy`: accuracy.sh RECORD
# In units of 2^-24 of the largest sum that one update forms: the largest error, and the root mean square.
set -eu
[ $# -eq 1 ] || {
    echo 'usage: tools/accuracy.sh RECORD' >&2
    exit 2
}
jq --raw-output '
    def digits: if . >= 100 then round elif . >= 10 then (. * 10 | round / 10) else (. * 100 | round / 100) end;
    def row(cells): "| " + (cells | join(" | ")) + " |";
    def unit: . * 16777216 | digits | tostring;
    .records as $all | ([$all[].variant] | reduce .[] as $v ([]; if index($v) then . else . + [$v] end)) as $variants
    | row(["\(.device | sub(" \\(.*|/PCIe.*"; "")): problem, steps"] + [$variants[] | "`\(.)`"]),
      row(["---"] + [$variants[] | "---:"]),
      ($all | map({problem, iterations}) | reduce .[] as $c ([]; if index([$c]) then . else . + [$c] end) | .[]
       | . as $case
       | row(["\(.problem), \(.iterations)"]
             + [$variants[] as $v | first($all[] | select(.variant == $v and .problem == $case.problem and .iterations == $case.iterations))
                | if .error then "\(.error | unit), rms \(.error_rms | unit)" else .verdict end]))
' "$1"
