#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables from records of quadpass: tables.sh WHAT [WORD...] RECORD... [WORD...]
#   grid WIDTH HEIGHT [VARIANTS]   speeds on one grid: a column for each record
#   sizes [VARIANTS]               of one device on square grids: a column for each size
#   cubes [VARIANTS]               of eliminations: nanoseconds for each of N^3 updates, a table for each device, a column for each N
#   sweeps KINDS gbytes_per_s|gflops|error|ns [p=P,P...] [VARIANTS]   problems of access: a line for each parameter, or those that are
#                      named, at the largest size there is, a column for each variant. Errors are in units of 2^-24. ns is the time of an
#                      update, a line for each size: where updates wait for each other, a latency
#   accuracy           of `quadpass accuracy`: the largest error and the root mean square, in units of 2^-24 of the largest sum that one
#                      update forms
#   batches            of gauss_jordan_batch, a table for each record: 1e6 systems solved a second, a column for each number of systems
#   blocks             of `gauss_jordan/blocks*' --block all`: seconds of an elimination, and vertices a second of those that do nothing else
#   draws              of `spmv/diagonals --block all`: the least, first quartile and median of milliseconds a product
#   groups             of `--group all`
#   sparse             of `spmv --problem all`: 1e9 entries a second, each kind at its largest size, and the geometric mean of rows that
#                      take all kinds
#   styles             of `--pingpong all --target all`: GLUP/s of the default style, and those of the others in parts of it
#   transfers, pieces  GB/s over the bus, a table for each device and kind of problem: a column for each size of the array, or of its pieces
#   transpose          GB/s; in brackets the share of the fastest copy of that size on the same backend
#   turns              of one device on square grids: what a step takes where OpenGL and CUDA share textures; the last lines are
#                      differences, what changing hands and registering cost
# VARIANTS and KINDS are 'NAME|NAME...'. What has no speed shows its verdict, what is not there a dash.
set -eu
usage() {
    sed -n 's/^# Markdown tables from records of quadpass: /usage: tools\//p; s/^#   //p' "$0" >&2
    exit 2
}
[ $# -ge 2 ] || usage
what=$1
shift
files=''
for word in "$@"; do
    shift
    case $word in
    *.json) files="$files $word" ;;
    *) set -- "$@" "$word" ;;
    esac
done
[ -n "$files" ] || usage
case $what-$# in
grid-[23] | sizes-[01] | cubes-[01] | sweeps-[234] | accuracy-0 | batches-0 | blocks-0 | draws-0 | groups-0 | sparse-0 | styles-0 | \
    transfers-0 | pieces-0 | transpose-0 | turns-0) ;;
*) usage ;;
esac
# shellcheck disable=SC2086 # names are separate words
jq -L "$(dirname "$0")" --slurp --raw-output --arg what "$what" '
    include "tables";
    def short: sub("/PCIe.*"; "");
    def bare: "`\(sub(".*/"; ""))`";
    def name: "`\(.variant)`";
    def size: "\(.width) x \(.height)";
    def words: $ARGS.positional;
    # Runs of variants that word number $k names, or of all; with the date of their record, for tables of several.
    def chosen($k): select(.variant | test("^[^/]+/(\(words[$k] // ".*"))$"));
    def dated: [.[] | {date, device} as $head | .records[] + $head];
    def cpu_of($files; $runs): if any($runs[]; .backend == "cpu") then row(["CPU of the cpu rows"] + $files) else empty end;
    # A table for each of these, with a blank line between two.
    def each(table): to_entries[] | .key as $key | .value | (if $key > 0 then "" else empty end), table;

    # A line for each `line` that runs have, a column for each of these values of `place`, and in a cell the newest run of both.
    def pivot($runs; $title; $columns; head_of; place; line; text):
        head([$title] + ($columns | map(head_of))),
        ([$runs[] | line] | distinct | .[] as $line
         | row([$line] + [$columns[] as $column | [$runs[] | select(line == $line and place == $column)] | newest | text]));
    def by_variant($runs; $title; $columns; head_of; place; text): pivot($runs; $title; $columns; head_of; place; name; text);
    def variants: [.[].variant] | distinct;

    def grid:
        . as $files | (words[:2] | map(tonumber)) as [$width, $height]
        | [to_entries[] | .key as $file | .value.records[] | chosen(2)
           | select(.width * part == $width and .height * part == $height) | . + {file: $file}] as $runs
        | by_variant($runs; "\($width) x \($height), GLUP/s"; [range(length)]; $files[.].device | short; .file; speed),
          cpu_of([$files[].cpu]; $runs);

    def sizes:
        def side: .width * part;
        [dated[] | chosen(0) | select(.width == .height)] as $runs
        | by_variant($runs; "\(.[0].device | short), GLUP/s"; [$runs[] | side] | unique; "\(.) x \(.)"; side; speed);

    def cubes:
        def cube: figure(1e9 * .seconds / .iterations / .systems / pow(.height; 3));
        [dated[] | chosen(0) | select(.variant | startswith("gauss_jordan/"))] | group_by(.device // "no device")
        | each(by_variant(.; "\(.[0].device // "no device" | device), ns / N^3"; map(.height) | unique; "N = \(.)"; .height; cube));

    def sweeps:
        def unit: {gbytes_per_s: "GB/s", gflops: "1e9 operations/s", error: "error", ns: "ns an update"};
        words[1] as $field | (unit[$field] // error("no unit is \($field)")) as $unit
        | ([words[2:][] | select(startswith("p=")) | ltrimstr("p=") | split(",")[] | tonumber]) as $only
        | (first(words[2:][] | select(startswith("p=") | not)) // ".*") as $wanted
        | .[0].device as $device
        | [dated[] | select((.problem | test("^(\(words[0]))$")) and .parameter != null and (.variant | test("^[^/]+/(\($wanted))$"))
                            and (.parameter as $p | $only == [] or any($only[]; . == $p)))] as $all
        | ($all | map(.width) | max) as $width
        | [$all[] | select($field == "ns" or .width == $width)] as $runs
        | ([$runs[].problem] | distinct) as $kinds
        | def text: if $field == "ns" then figure(1 / .glups)
                    elif $field == "error" and .error != null then .error * 16777216 | digits | "\(.) u"
                    else figure(.[$field]) end;
          if $runs == [] then "(no record)" else
          pivot([$kinds[] as $kind | $runs | map(select(.problem == $kind)) | sort_by(.height, .parameter, .width)[]];
                "\($device | device), \(if $kinds[1] then "" else "\($kinds[0]), " end)\(
                 if $field == "ns" then "" else "\($runs[0] | size), " end)\($unit)"; $runs | variants; bare; .variant;
                (if $field == "ns" then "\(size), " else "" end) + (if $kinds[1] then "\(.problem), " else "" end) + "p = \(.parameter)"; text)
          end;

    def accuracy:
        def unit: . * 16777216 | digits | tostring;
        .[] | pivot(.records; "\(.device | device): problem, steps"; .records | variants; "`\(.)`"; .variant; "\(.problem), \(.iterations)";
                    if .error then "\(.error | unit), rms \(.error_rms | unit)" else .verdict end);

    def batches:
        each(.records as $runs
             | by_variant($runs; "\(.device | device), 1e6 systems/s of \($runs[0].width) unknowns"; [$runs[].systems] | unique;
                          "\(.) systems"; .systems; figure(1e-6 * .systems * .iterations / .seconds)));

    def blocks:
        each([.records[] | select(.block != null)] as $runs | ($runs | variants) as $all | [$all[] | select(test("noop"))] as $noop
             | def run($variant; $block): first($runs[] | select(.variant == $variant and .block == $block)) // {};
               head(["\(.device | device), N = \($runs[0].height)"] + [$all[] | "\(bare), s"] + [$noop[] | "\(bare), 1e6 vertices/s"]),
               ([$runs[].block] | unique | .[] as $block
                | row(["b = \($block)"] + [$all[] | run(.; $block) | figure(.seconds / .iterations)]
                      + [$noop[] | run(.; $block) | figure(1e-6 * .vertices * .iterations / .seconds)])));

    def draws:
        def at($part): (.samples | sort)[((.samples | length) - 1) * $part | floor] / .iterations * 1e3 | digits;
        head(["diagonals a draw; ms, \(.[0].device | device), one thread"]
             + [.[].records[0] | "\(.problem), \(size): least", "first quartile", "median"]),
        (. as $files | .[0].records | sort_by(.block)[] | .block as $block
         | row(["\($block)"] + [$files[].records[] | select(.block == $block) | at(0), at(0.25), at(0.5)]));

    def groups:
        .[] | [.records[] | select(.group)] as $runs
        | pivot($runs; "\(.device | device), \($runs[0] | size), GLUP/s"; $runs | variants; "`\(.)`"; .variant;
                "groups of " + (.group | sub("x"; " x ")); speed);

    def sparse:
        each([.records[] | select(.variant | startswith("spmv/"))] as $all | ([$all[].problem] | distinct) as $kinds
             | [$kinds[] as $kind | [$all[] | select(.problem == $kind)] | (map(.width * .height) | max) as $most
                | .[] | select(.width * .height == $most)] as $runs
             | def of($name; $kind): first($runs[] | select(.variant == $name and .problem == $kind)) // {};
               def mean($name): [$kinds[] as $kind | of($name; $kind) | select(noisy | not) | .glups // empty]
                   | if length < ($kinds | length) then "-" else map(log) | add / length | exp | digits end;
               head(["\(.device | device), 1e9 entries/s"] + $kinds + ["mean"]),
               ($runs | variants | .[] as $name
                | row(["`\($name | ltrimstr("spmv/"))`"] + [$kinds[] as $kind | of($name; $kind) | speed] + ["\(mean($name))"])),
               cpu_of([.cpu] + [$kinds[] | ""]; $runs));

    def styles:
        [("rect", "2d") as $t | ("two_attachments", "two_fbos", "reattach", "copy") as $s | {$s, $t}][1:] as $ways
        | head(["device, size, variant", "GLUP/s"] + [$ways[] | "`\(.s)` \(.t)"]),
          (.[] as $file
           | ($file.records | map(select(.pingpong)) | group_by([.width, .height, .variant])[]) as $runs
           | ($runs | map({key: "\(.pingpong) \(.target)", value: .}) | from_entries) as $of
           | $of["two_attachments rect"] as $first
           | row(["\($file.device | device), \($first | size), `\($first.variant)`", ($first | speed)]
                 + [$ways[] | $of["\(.s) \(.t)"] | if .glups then share(.; $first; .glups; round) else .verdict end]));

    def transfers:
        def bytes: 4 * .width * if $what == "pieces" then .block else .height end;
        def told: if . >= 1048576 then "\(. / 1048576) MiB" else "\(. / 1024) KiB" end;
        dated | group_by([.device, .problem])
        | each(by_variant(.; "\(.[0].device | device), `\(.[0].problem)`, GB/s"; map(bytes) | unique; told; bytes; figure(.gbytes_per_s)));

    def transpose:
        each([.records[] | select(.variant | startswith("transpose/"))] as $runs | ([$runs[] | size] | distinct) as $sizes
             | def roof: . as $run | [$runs[] | select((.variant | test("/(cuda_)?copy_?")) and .backend == $run.backend
                                                       and size == ($run | size) and .gbytes_per_s)] | max_by(.gbytes_per_s);
               def share: . as $run | ratio($run; roof; .gbytes_per_s) | if . == "-" then "" else " (\(.))" end;
               pivot($runs; "\(.device | device), GB/s"; $sizes; .; size;
                     name + if .block != null then ", \(.block) rows of threads" else "" end; figure(.gbytes_per_s) + share),
               cpu_of([.cpu as $cpu | $sizes[] | $cpu]; $runs));

    def turns:
        [dated[] | select(.width == .height)] as $runs | ([$runs[].width] | unique) as $sizes
        | def step: 1e6 * .seconds / .iterations;
          def run($variant; $size): [$runs[] | select(.variant == "jacobi9/" + $variant and .width == $size)] | newest;
          def difference($words; $one; $other):
              row([$words] + [$sizes[] | [run($one; .), run($other; .)]
                  | if any(.[]; .seconds == null or noisy) then "-" else (.[0] | step) - (.[1] | step) | digits | tostring end]);
          pivot($runs; "\(.[0].device | device), microseconds a step"; $sizes; "\(.) x \(.)"; .width; .variant | bare;
                if .seconds then figure(step) else "-" end),
          difference("map and unmap 12 textures"; "cuda_arrays_mapped"; "cuda_arrays"),
          difference("register and unregister 2 textures"; "cuda_arrays_registered"; "cuda_arrays_mapped");

    if $what == "grid" then grid elif $what == "sizes" then sizes elif $what == "cubes" then cubes elif $what == "sweeps" then sweeps
      elif $what == "accuracy" then accuracy elif $what == "batches" then batches elif $what == "blocks" then blocks
      elif $what == "draws" then draws elif $what == "groups" then groups elif $what == "sparse" then sparse
      elif $what == "styles" then styles elif $what == "transpose" then transpose elif $what == "turns" then turns else transfers end
' $files --args "$@"
