#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of the operations, a line each: operations.sh LIST.csv RECORD...
# Or the commands that repeat its last columns: operations.sh --commands LIST.csv
# Papers and rows of each backend are counted in `quadpass list`. The list says in words what an operation computes, and names its page,
# a problem, its size and a number of steps: the table shows the fastest row by the newest record that each row has of it, of OpenGL on
# llvmpipe, and of OpenGL and CUDA on an NVIDIA GPU, an H200 where one was recorded. llvmpipe's processor is named where the records
# are of several. Asynchronous rows, whose steps are others, do not compete. An operation that is not in the list shows its equation and
# dashes.
set -eu
usage() {
    echo 'usage: tools/operations.sh LIST.csv RECORD..., or --commands LIST.csv' >&2
    exit 2
}
[ $# -ge 2 ] || usage
commands=false
if [ "$1" = --commands ]; then
    [ $# -eq 2 ] || usage
    commands=true list=$2
    shift 2
    short='' rows='[]'
else
    list=$1
    shift
    short=$(quadpass list)
    rows=$(quadpass list --json -)
fi
printf '%s' "$rows" | jq -L "$(dirname "$0")" --raw-output --rawfile list "$list" --slurpfile rows /dev/stdin --arg short "$short" --argjson commands $commands --null-input '
    include "tables";
    def kind: .problem + (if .parameter != null then " \(.parameter)" else "" end);
    def operation: .variant | split("/")[0];
    def count($backend): map(select(.backend == $backend)) | length;
    def papers: [.[].place | capture("^paper (?<n>[0-9])") | .n] | unique | join(", ");

    # Runs of the newest record of each row on each device.
    def newest_of_each: group_by([.device, .variant]) | map((map(.date) | max) as $last | .[] | select(.date == $last));
    def fastest($unit): map(select(.verdict == "pass") | . + {value: measure($unit)})
        | if $unit == "ms" then min_by(.value) else max_by(.value) end;
    def cell($unit; remark): if . == null then "-" else "`\(.variant | split("/")[1])` \(figure(measure($unit)))\(remark)" end;
    def in_brackets($words): if $words == "" then "" else " (\($words))" end;
    def best_gpu: map(select(.device == "H200")) as $new | if $new == [] then . else $new end;

    [$list | lines
     | {operation: .[0], page: .[1], what: .[2], kind: .[3], size: .[4], systems: .[5], steps: .[6], unit: .[7]}] as $problems

    | def command: (.size | split("x")) as [$width, $height] | (.kind | split(" ")) as [$kind, $parameter]
          | "quadpass bench \(.operation) --problem \($kind)" + (if $parameter then " --parameter \($parameter)" else "" end)
            + " --size \(if .systems == "1" then .size else "\($width)x\(.systems)" end) --iterations \(.steps)";

    def table:
        [inputs | (.device // "" | select(test("^(NVIDIA|llvmpipe)")) | model) as $device | {date, cpu} as $head | .records[]
         | select((.verdict == "pass" or .verdict == "fail") and .backend != "cpu" and .alpha == null) | . + $head + {$device}] as $runs
        | [$rows[0][] | operation] as $operations
        | [$operations | distinct | .[] as $name
           | (first($problems[] | select(.operation == $name)) // {page: "variants.md", unit: "-"}) as $of
           | [$runs[] | select(operation == $name and kind == $of.kind and "\(.width)x\(.height)" == $of.size
                               and "\(.systems)" == $of.systems and "\(.iterations)" == $of.steps)] as $here
           | {name: $name, of: $of, own: [$rows[0][] | select(operation == $name)],
              what: ($of.what // ($short | capture("(^|\n)\($name), [0-9]+ variants?: (?<text>[^\n]*)").text | gsub("[|]"; "\\|"))),
              llvmpipe: ([$here[] | select(.device == "llvmpipe")] | newest_of_each | fastest($of.unit)),
              gpu: ([$here[] | select(.device != "llvmpipe")] | best_gpu | newest_of_each | fastest($of.unit))}] as $lines
        | ([$lines[].llvmpipe | values | .cpu] | unique | length > 1) as $several
        | row(["operation", "what it computes", "papers", "variants: CPU", "OpenGL", "CUDA", "unit", "fastest on llvmpipe", "fastest on an H200"]),
          row(["---", "---", "---", "---:", "---:", "---:", "---", "---", "---"]),
          ($lines[] | .of.unit as $unit
           | row(["[`\(.name)`](docs/\(.of.page))", .what, (.own | papers), (.own | count("cpu", "gl", "cuda")), $unit,
                  (.llvmpipe | cell($unit; in_brackets(if $several then .cpu else "" end))),
                  (.gpu | cell($unit; in_brackets(if .device == "H200" then "" else .device end)))]));

    if $commands then $problems[] | command else table end
' "$@"
