#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of what one did wrong in 2008 and what it costs now, a section of a list:
#   forgiven.sh LIST.csv SECTION RECORD...
# Each line is a speed over another on one device: 1 is forgiven. `theirs` is a fraction of a paper's figures or of a rule; `ours` and
# `against` name a row, and of access its kind and parameter, at a size that a record must have.
set -eu
[ $# -ge 3 ] || { echo 'usage: tools/forgiven.sh LIST.csv SECTION RECORD...' >&2; exit 2; }
list=$1 section=$2
shift 2
jq -L "$(dirname "$0")" --slurp --raw-output --arg section "$section" --rawfile list "$list" '
    include "tables";
    def places: . * 100 | round / 100;
    [.[] | {device: (.device | model), date} as $head | .records[] | select(.glups) | . + $head] as $runs
    | def speeds($row; $size): ($row | split(" ")) as [$variant, $kind, $parameter]
          | [$runs[] | select(.variant == $variant and "\(.width)x\(.height)" == $size
                              and ($kind == null or (.problem == $kind and "\(.parameter)" == $parameter)))];
      def ratio($ours; $against; $size): speeds($against; $size) as $below
          | [speeds($ours; $size)[] | . as $r | [$below[] | select(.device == $r.device)] | select(. != []) | newest as $b
             | {now: compared($r; $b; .glups; "\(.[0] | places)" + within), device: $r.device, date: $r.date}]
          | if . == [] then error("no records of \($ours) and \($against), \($size), on one device") else . end
          | .[-1].device as $last | map(select(.device == $last)) | newest | "\(.now), \(.device)";
      [$list | lines | select(.[0] == $section)] as $lines
    | if $lines == [] then error("no lines of \($section)") else
      row(["against the rule / with it", "then", "now", "since"]), row(["---", "---", "---:", "---"]),
      ($lines[] | . as [$_, $what, $card, $theirs, $ours, $against, $size, $since]
       | row([$what, if $theirs == "" then "-" else ($theirs | split("/") | map(tonumber) | .[0] / .[1] | places | "\(.), \($card)") end,
              ratio($ours; $against; $size), $since])) end
' "$@"
