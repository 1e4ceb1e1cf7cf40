# SPDX-License-Identifier: MIT
# Tables of lists, of which most choose records; tables.sh names them.
include "tables";

# The list of opponents as it is.
def opponents:
    [list_with_head(1)] as [$head] | words_head($head), (list(1) | .[0] |= "`\(.)`" | row(.));

# A list of papers' places: paper, place, words, variants. Exit code 1, and the gaps by name, if a variant does not exist, a place has no
# variant, a variant names a paper and is not listed there, or names neither a paper nor what else it is. A place that no variant can have
# says `none: why`.
def places:
    def names: .[3] // "" | if test("^none: .") then [] else split(" ") end;
    ($ARGS.named.rows[0] | map({key: .variant, value: .place}) | from_entries) as $place_of | [list(1)] as $lines
    | [($lines[]
        | "\(.[0]), \(.[1]): " +
          if length != 4 then "it has \(length) fields, not 4" elif .[3] == "" then "it has no variant"
          else "there is no variant " + (names[] | select($place_of[.] == null)) end),
       ($place_of | to_entries[] | .key as $name | .value
        | (select(test("^(paper [0-9]|ours|the judge of all variants|the obvious C|what came after)") | not)
           | "variant \($name) names no paper and does not begin with ours: \(.)"),
          (scan("paper [0-9]+") | ltrimstr("paper ") as $paper
           | select(any($lines[]; .[0] == $paper and (names | index($name) != null)) | not)
           | "variant \($name) names paper \($paper) and is not listed there"))] as $gaps
    | "| paper | place | what | variants |", "|---|---|---|---|",
      ($lines[] | names as $names | .[3] |= (if $names == [] then . else $names | map("`\(.)`") | join(", ") end) | row(.)),
      if $gaps == [] then empty else $gaps | map(. + "\n") | add | halt_error(1) end;

# Paper 4's reduction ladder, of a list of papers' places and of the slides' figures: GB/s of the slides' card and of the record's, and how
# much faster than the rung before each is.
def ladder:
    (words | map(tonumber)) as [$width, $height] | last
    | def times($before): compared(.; $before; .gbytes_per_s; " (x \(.[0] | rounded(2))" + within + ")") | if . == "-" then "" else . end;
      def show($before): if . then figure(.gbytes_per_s) + times($before) else "-" end;
      ([list(2) | {key: "slide \(.[1])", value: {gbytes_per_s: (.[2] | tonumber)}}] | from_entries) as $slides
    | ([.records[] | select(.width == $width and .height == $height and .gbytes_per_s) | {key: .variant, value: .}] | from_entries) as $ours
    | head(["GB/s, \($width) x \($height) values", "", "GeForce GTX 280", (.device | device)]),
      (foreach ((list(1) | select(.[0] == "4" and (.[3] | test("^reduce/cuda"))) | {row: .[3], place: .[1], paper: $slides[.[1]]}),
                {row: "reduce/cuda_tiles", place: "ours"}, {row: "reduce/cuda_cub", place: "opponent"}) as $rung ({};
           {row: $rung.row, place: $rung.place, paper: ($rung.paper // .paper), shown: $rung.paper, before: .paper,
            ours: $ours[$rung.row], ours_before: .ours};
           row(["`\(.row)`", .place, (.before as $b | .shown | show($b)), (.ours_before as $b | .ours | show($b))])));

# Rules of 2008 and what it costs now to break them, a section of a list. Each line is a speed over another on one device: 1 is forgiven.
# `theirs` is a fraction of a paper's figures or of a rule; `claim` is a sentence of the papers' claims, the second list, whose first variant
# keeps the rule and whose second one breaks it. A record must have both at this size.
def forgiven:
    [.[] | {device: (.device | model), date} as $head | .records[] | select(.glups) | . + $head] as $runs
    | def speeds($row; $size): ($row | split(" ")) as [$variant, $kind, $parameter]
          | [$runs[] | select(.variant == $variant and "\(.width)x\(.height)" == $size
                              and ($kind == null or (.problem == $kind and "\(.parameter)" == $parameter)))];
      def now($ours; $against; $size): speeds($against; $size) as $below
          | [speeds($ours; $size)[] | . as $r | [$below[] | select(.device == $r.device)] | select(. != []) | newest as $b
             | {now: compared($r; $b; .glups; "\(.[0] | rounded(2))" + within), device: $r.device, date: $r.date}]
          | if . == [] then error("no records of \($ours) and \($against), \($size), on one device") else . end
          | .[-1].device as $last | map(select(.device == $last)) | newest | "\(.now), \(.device)";
      ([list(2) | {key: .[2], value: .[4:6]}] | from_entries) as $claims
    | [list(1) | select(.[0] == words[0])] as $lines
    | if $lines == [] then error("no lines of \(words[0])") else
      row(["against the rule / with it", "then", "now", "since"]), row(["---", "---", "---:", "---"]),
      ($lines[] | . as [$_, $what, $card, $theirs, $claim, $size, $since]
       | ($claims[$claim] // error("no claim is \($claim)")) as [$keeps, $breaks]
       | row([$what, if $theirs == "" then "-" else ($theirs | split("/") | map(tonumber) | .[0] / .[1] | rounded(2) | "\(.), \($card)") end,
              now($breaks; $keeps; $size), $since])) end;

# Bars of a list whose lines name the file, line and column of a figure: of a paper's table MFLOP/s at 20 flops an update (paper 1), or
# seconds of 1000 steps of 1024 x 1024 cells (paper 3); of a record a variant of jacobi9 at that size. A figure that is not there is an error.
def years:
    . as $records
    | def sheet($file): first(range(1; 99) as $n | select($ARGS.named["file\($n)"] == $file) | $n);
      def of_paper($file; $line; $column): sheet($file) as $n | (first(list_with_head($n)) | index($column) // empty) as $at
          | first(list($n) | select(join(" ") | startswith($line + " ")) | .[$at] | tonumber)
          | if $column == "seconds" then 1.048576 / . else . / 20000 end;
      def record($file): first($records[] | select(.file == $file));
      def of_record($file; $line): first(record($file).records[] | select(.variant == "jacobi9/\($line)" and .width == 1024 and .height == 1024)
          | .glups | values);
      "# Twenty years of one step of nine bands, GLUP/s", "label,value,note,group",
      (list(1) as [$bar, $year, $group, $file, $line, $column]
       | ($file | test("json$")) as $ours
       | [if $ours then of_record($file; $line) else of_paper($file; $line; $column) end] as $value
       | if $value == [] then error("no \($column) of \($line) in \($file), 1024 x 1024") else
         "\"\($bar), \(if $ours then record($file).date[:4] else $year end)\",\($value[0]),\(
          if $ours then "ours" else ($file | capture("paper(?<n>[0-9])").n | "paper \(.)") end),\($group)" end);

# Variants beside their opponents. In the list one is named RECORD:VARIANT, and has one size in the newest record DATE-DEVICE-RECORD.json,
# or RECORD:VARIANT:SYSTEMS or RECORD:VARIANT:WIDTH. The ratio is of what is printed.
def reach:
    . as $files
    | def record($name): [$files[] | select(.file | test("-[a-z0-9]+-\($name)[.]json$"))] | newest;
      def run($name): ($name | split(":")) as [$record, $row, $systems]
          | [record($record) | .records[]?
             | select(.variant == $row and .seconds and ($systems == null or "\(.systems)" == $systems or "\(.width)" == $systems))]
          | if length != 1 then error("not one record of \($name)") else .[0] end;
      def place($name): record($name | split(":")[0]) | .device | model;
      def shown($name; $unit): run($name) | "`\(.variant)` \(figure(measure($unit)))";
      head(["", "on", "ours", "opponent", "ratio", "wanted"]),
      (list(1) as [$figure, $unit, $ours, $against, $wanted]
       | if place($ours) != place($against) then error("\($ours) and \($against) ran on two devices") else . end
       | row(["\($figure), \($unit)", place($ours), shown($ours; $unit), shown($against; $unit),
              ratio(run($ours); run($against); measure($unit)), $wanted]));

# ---- Operations: a list of operation, page, what it computes, kind, size, systems, steps, unit ----

def commands:
    list(1) as [$operation, $_, $_, $kind, $size, $systems, $steps]
    | ($kind | split(" ")) as [$problem, $parameter]
    | "quadpass bench \($operation) --problem \($problem)" + (if $parameter then " --parameter \($parameter)" else "" end)
      + " --size \(if $systems == "1" then $size else "\($size | split("x")[0])x\($systems)" end) --iterations \($steps)";

# A line for each operation. Papers and variants of each backend are counted in `quadpass list`. The fastest variant is that of the newest
# record that each has of the list's problem, of OpenGL on llvmpipe, and of OpenGL and CUDA on an NVIDIA GPU, an H200 where one was recorded.
# llvmpipe's processor is named where the records are of several. Asynchronous variants, whose steps are others, do not compete. An operation
# that is not in the list shows its equation and dashes.
def operations:
    def operation: .variant | split("/")[0];
    def kind: .problem + (if .parameter != null then " \(.parameter)" else "" end);
    def count($backend): "\(map(select(.backend == $backend)) | length)";
    def papers: [.[].place | capture("^paper (?<n>[0-9])") | .n] | unique | join(", ");
    # Runs of the newest record of each variant on each device.
    def newest_of_each: group_by([.device, .variant]) | map((map(.date) | max) as $last | .[] | select(.date == $last));
    def fastest($unit): newest_of_each | map(select(.verdict == "pass") | . + {value: measure($unit)})
        | if $unit == "ms" then min_by(.value) else max_by(.value) end;
    def cell($unit; remark): if . == null then "-" else remark as $words
        | "\(.variant | bare) \(figure(measure($unit)))" + if $words == "" then "" else " (\($words))" end end;
    def best_gpu: map(select(.device == "H200")) as $new | if $new == [] then . else $new end;

    [.[] | (.device // "" | select(test("^(NVIDIA|llvmpipe)")) | model) as $device | {date, cpu} as $head | .records[]
     | select((.verdict == "pass" or .verdict == "fail") and .backend != "cpu" and .alpha == null) | . + $head + {$device}] as $runs
    | $ARGS.named.rows[0] as $variants
    | [$variants | map(operation) | distinct | .[] as $name
       | (first(list(1) | select(.[0] == $name)) // [$name, "variants.md", null, null, null, null, null, "-"])
         as [$_, $page, $what, $kind, $size, $systems, $steps, $unit]
       | [$runs[] | select(operation == $name and kind == $kind and "\(.width)x\(.height)" == $size and "\(.systems)" == $systems
                           and "\(.iterations)" == $steps)] as $here
       | {$name, $page, $unit, own: [$variants[] | select(operation == $name)],
          what: ($what // ($ARGS.named.sentences | capture("(^|\n)\($name), [0-9]+ variants?: (?<text>[^\n]*)").text | gsub("[|]"; "\\|"))),
          llvmpipe: ([$here[] | select(.device == "llvmpipe")] | fastest($unit)),
          gpu: ([$here[] | select(.device != "llvmpipe")] | best_gpu | fastest($unit))}] as $lines
    | ([$lines[].llvmpipe | values | .cpu] | unique | length > 1) as $several
    | row(["operation", "what it computes", "papers", "variants: CPU", "OpenGL", "CUDA", "unit", "fastest on llvmpipe", "fastest on an H200"]),
      row(["---", "---", "---", "---:", "---:", "---:", "---", "---", "---"]),
      ($lines[]
       | row(["[`\(.name)`](docs/\(.page))", .what, (.own | papers), (.own | count("cpu", "gl", "cuda")), .unit,
              (.unit as $unit | (.llvmpipe | cell($unit; if $several then .cpu else "" end)),
                                (.gpu | cell($unit; if .device == "H200" then "" else .device end)))]));
