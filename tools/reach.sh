#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of rows beside their opponents: reach.sh LIST.csv RECORD...
# In the list a row is named RECORD:ROW, and has one size in the newest record DATE-DEVICE-RECORD.json, or RECORD:ROW:SYSTEMS or RECORD:ROW:WIDTH. The ratio
# is of what is printed.
set -eu
[ $# -ge 2 ] || { echo 'usage: tools/reach.sh LIST.csv RECORD...' >&2; exit 2; }
list=$1
shift
jq -L "$(dirname "$0")" -n --raw-output --rawfile list "$list" '
    include "tables";
    [inputs | {file: input_filename, device, date, records}] as $files
    | def record($name): [$files[] | select(.file | test("-[a-z0-9]+-\($name)[.]json$"))] | newest;
      def run($name): ($name | split(":")) as [$record, $row, $systems]
          | [record($record) | .records[]? | select(.variant == $row and .seconds and ($systems == null or "\(.systems)" == $systems or "\(.width)" == $systems))]
          | if length != 1 then error("not one record of \($name)") else .[0] end;
      def place($name): record($name | split(":")[0]) | .device | model;
      def shown($name; $unit): "`\($name | split(":")[1])` \(run($name) | figure(measure($unit)))";
      head(["", "on", "ours", "opponent", "ratio", "wanted"]),
      ($list | lines as [$figure, $unit, $ours, $against, $wanted]
       | if place($ours) != place($against) then error("\($ours) and \($against) ran on two devices") else . end
       | row(["\($figure), \($unit)", place($ours), shown($ours; $unit), shown($against; $unit),
              ratio(run($ours); run($against); measure($unit)), $wanted]))
' "$@"
