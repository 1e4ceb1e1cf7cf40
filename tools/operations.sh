#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of the operations, a line each: operations.sh LIST.csv RECORD...
# Papers and rows of each backend are counted in `quadpass list`. The list says in words what an operation computes, and names its page and
# a problem: the table shows the fastest row that any record has of it, of OpenGL on llvmpipe, and of OpenGL and CUDA on an NVIDIA GPU, an
# H200 where one was recorded. Asynchronous rows, whose steps are others, do not compete. An operation that is not in the list shows its equation and dashes.
set -eu
[ $# -ge 2 ] || { echo 'usage: tools/operations.sh LIST.csv RECORD...' >&2; exit 2; }
list=$1
shift
short=$(quadpass list)
quadpass list --json - | jq -L "$(dirname "$0")" --raw-output --rawfile list "$list" --slurpfile rows /dev/stdin --arg short "$short" --null-input '
    include "tables";
    def kind: .problem + (if .parameter != null then " \(.parameter)" else "" end);
    def operation: .variant | split("/")[0];
    def count($backend): map(select(.backend == $backend)) | length;
    def papers: [.[].place | capture("^paper (?<n>[0-9])") | .n] | unique | join(", ");
    def fastest($unit): if $unit == "ms" then min_by(.value) else max_by(.value) end
        | if . == null then "-" else "`\(.variant | split("/")[1])` \(.value | digits)" + (if .device | test("H200|llvmpipe") then "" else " (\(.device | model))" end) end;
    def newest: map(select(.device | test("H200"))) as $new | if $new == [] then . else $new end;
    [inputs | .device as $device | .records[] | select(.verdict == "pass" and .backend != "cpu" and .alpha == null) | . + {$device}] as $runs
    | [$list | split("\n")[1:][] | select(. != "") | split(",") | {operation: .[0], page: .[1], what: .[2], kind: .[3], size: .[4], systems: .[5], unit: .[6]}] as $problems
    | row(["operation", "what it computes", "papers", "rows: CPU", "OpenGL", "CUDA", "unit", "fastest on llvmpipe", "fastest on an H200"]),
      row(["---", "---", "---", "---:", "---:", "---:", "---", "---", "---"]),
      ([$rows[0][] | operation] | distinct | .[]) as $name
    | [$rows[0][] | select(operation == $name)] as $own
    | (first($problems[] | select(.operation == $name)) // {page: "variants.md", unit: "-"}) as $of
    | [$runs[] | select(operation == $name and kind == $of.kind and "\(.width)x\(.height)" == $of.size and "\(.systems)" == $of.systems)
       | . + {value: measure($of.unit)}] as $speeds
    | ($of.what // ($short | capture("(^|\n)\($name), [0-9]+ variants?: (?<text>[^\n]*)").text | gsub("[|]"; "\\|"))) as $what
    | row(["[`\($name)`](docs/\($of.page))", $what, ($own | papers), ($own | count("cpu", "gl", "cuda")), $of.unit,
           ($speeds | map(select(.device | startswith("llvmpipe"))) | fastest($of.unit)),
           ($speeds | map(select(.device | startswith("NVIDIA"))) | newest | fastest($of.unit))])
' "$@"
