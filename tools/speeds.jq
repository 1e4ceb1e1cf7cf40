# SPDX-License-Identifier: MIT
# Tables of benchmarks' records, which tables.sh lists: the input is an array of such files.
include "tables";

# Runs of variants that word number $k names, or of all; with the date of their record, for tables of several.
def chosen($k): select(.variant | test("^[^/]+/(\(words[$k] // ".*"))$"));
def dated: [.[] | {date, device} as $head | .records[] + $head];
def cpu_of($files; $runs): if any($runs[]; .backend == "cpu") then row(["CPU of the cpu variants"] + $files) else empty end;

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

# Bars for `quadpass draw bars' in place of these two tables: runs with label and group, the newest of each; the note of a noisy one
# is its range.
def bars($title; $runs):
    "# \($title)", "label,value,note,group",
    ($runs | distinct_by([.label, .group])[] as $bar
     | [$runs[] | select(.label == $bar.label and .group == $bar.group)] | newest | select(.glups)
     | "\"\(.label)\",\(.glups | digits),\(if noisy then speed else "" end),\"\(.group)\"");

def grid_bars:
    def backend: {cpu: "processor", gl: "OpenGL", cuda: "CUDA"}[.backend];
    (words[:2] | map(tonumber)) as [$width, $height] | (length > 1) as $several
    | [dated[] | chosen(2) | select(.width * part == $width and .height * part == $height) | (.device | device) as $device
       | . + if $several then {label: "\(.variant | plain), \(.device | model)", group: $device}
             else {label: (.variant | plain), group: backend} end] as $runs
    | bars("\($width) x \($height), GLUP/s" + if $several then "" else " on \($runs[0].device | device)" end;
           [$runs | map(.variant) | distinct[] as $one | $runs[] | select(.variant == $one)]);

def sizes_bars:
    def side: .width * part;
    [dated[] | chosen(0) | select(.width == .height) | (.variant | plain) as $name
     | . + {label: "\(side) x \(side), \($name)", group: $name}] | sort_by(side)
    | bars("\(.[0].device | device), GLUP/s"; .);

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

def floors:
    def sci: if . == 0 then "0" else (log10 | floor) as $e | "\(. / pow(10; $e) | rounded(1))e\($e)" end;
    last.records as $all
    | def error($n; $what; $variant): first($all[] | select(.width == $n and .what == $what and .variant == "poisson5/\($variant)") | .error | sci) // "-";
      def time: if . < 0.1 then "\(1e3 * . | digits) ms" else "\(digits) s" end;
      if any($all[]; .what == "stuck") then
          row(["n", "float, Jacobi where it is stuck", "float, chebyshev", "float refined in double", "double, chebyshev"]),
          row([range(5) | "---:"]),
          ([$all[].width] | unique[] as $n
           | row(["\($n)", error($n; "stuck"; "openmp"), error($n; "steps"; "openmp"), error($n; "refined"; "openmp"),
                  error($n; "steps"; "openmp_double")])),
          ""
      else empty end,
      row(["n", "method", "variant", "error", "steps", "time"]), row(["---:", "---", "---", "---:", "---:", "---:"]),
      ($all[] | select(.what == "jacobi" or .what == "sor" or .what == "chebyshev")
       | row(["\(.width)", .what + (if .computed then "*" else "" end), name, (.wanted // 1e-6 | sci), "\(.iterations)", (.seconds | time)]));

# Runs of `accuracy` that go as far as their precision can, with its name, that of the place, and digits; of several variants in one
# place the quickest that has an answer, or that says why there is none. A processor's are those beside software.
def precisions:
    def decimal: if .error == null then null else ((if .error > 0 then -(.error | log10) else 16 end) | [., 16] | min | [., 0] | max) end;
    [dated[] | select(.what == "plain" or .what == "refined" or .what == "steps")
     | (.variant | plain) as $name | (.device | model) as $model
     | (if ($name | test("half")) then "half" elif ($name | test("single")) then "two floats"
        elif ($name | test("double|reference")) then "double" else "float" end) as $kind
     | (if ($name | test("^(sequential|openmp|bands_cpu|reference|sgesv)")) then "processor"
        elif ($name | test("^cuda")) then "\($model), CUDA" else "\($model), OpenGL" end) as $place
     | select(($place != "processor" or ($model | startswith("llvmpipe"))) and (.what != "refined" or $kind == "half" or $kind == "float"))
     | . + {$place, digits: decimal, precision: ($kind + if .what == "refined" then ", refined" else "" end),
            case: (if (.variant | startswith("gauss_jordan")) then "Hilbert, N = \(.width)"
                   elif (.variant | startswith("poisson5")) then "Poisson, \(size)" else "bidomain, \(size)" end)}]
    | group_by([.case, .precision, .place]) | map(min_by([.digits == null, .seconds]))
    | sort_by([(.case | startswith("P") | not), (.case | startswith("H")), .width, (.place | startswith("p") | not)]);
def precision_names: ["half", "half, refined", "float", "float, refined", "two floats", "double"];
def seconds: if . < 0.1 then "\(1e3 * . | digits) ms" else "\(digits) s" end;
def precision_digits: if .error == null then (if .reason then "refused" else "-" end) else .digits | rounded(1) | tostring end;

def precision:
    words[0] as $of | precisions | map(select(.case | test($of))) as $runs | ([$runs[].place] | distinct) as $places
    | head(["problem", "precision"] + $places),
      ([$runs[].case] | distinct[] as $case | precision_names[] as $name
       | row([$case, $name] + [$places[] as $place | (first($runs[] | select(.case == $case and .precision == $name and .place == $place)) // {})
              | precision_digits + if .error then " in \(.seconds | seconds)" else "" end]));

# Digits of each precision by the condition of the matrix: the most of any place.
def precision_conditions:
    precisions | map(select(.condition and (.case | test("Hilbert")))) as $runs | ([$runs[].width] | unique) as $sizes
    | head(["digits"] + [$sizes[] | "N = \(.)"]),
      row(["log10 of the condition"] + [$sizes[] as $n | first($runs[] | select(.width == $n)).condition | log10 | rounded(1) | tostring]),
      (precision_names[] as $name | select(any($runs[]; .precision == $name))
       | row([$name] + [$sizes[] as $n | [$runs[] | select(.width == $n and .precision == $name)] | max_by(.digits // -1) // {} | precision_digits]));

def precision_bars:
    words[0] as $of | precisions | map(select(.digits != null and (.case | test($of)))) as $runs
    | "# Digits of \($runs[0].case) (right: time)", "label,value,note,group",
      (precision_names[] as $name | $runs[] | select(.precision == $name)
       | "\"\($name), \(.place)\",\(.digits | rounded(1)),\(.seconds | seconds),\"\(.place)\"");

def batches:
    each(.records as $runs
         | by_variant($runs; "\(.device | device), 1e6 systems/s of \($runs[0].width) unknowns"; [$runs[].systems] | unique;
                      "\(.) systems"; .systems; figure(1e-6 * .systems * .iterations / .seconds)));

def curve:
    def rate: 1e-6 * .systems * .iterations / .seconds;
    each(.records as $runs | ([$runs[].variant] | distinct) as $names | [$names[] | select(test("/cuda_cu"))] as $libraries
         | def of($name; $n): first($runs[] | select(.variant == $name and .width == $n)) // {};
           head(["\(.device | device), 1e6 systems/s"] + [$names[] | bare] + if $libraries == [] then [] else ["ours / the better library"] end),
           ([$runs[].width] | unique[] as $n
            | row(["n = \($n)"] + [$names[] | of(.; $n) | figure(rate)]
                  + if $libraries == [] then [] else
                        [[$libraries[] | of(.; $n) | select(number(rate))] as $rivals
                         | ratio(of("gauss_jordan_batch/cuda_registers"; $n); $rivals | max_by(rate) // {}; rate)] end)));

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

def moves(bytes):
    def told: if . >= 1048576 then "\(. / 1048576) MiB" else "\(. / 1024) KiB" end;
    dated | group_by([.device, .problem])
    | each(by_variant(.; "\(.[0].device | device), `\(.[0].problem)`, GB/s"; map(bytes) | unique; told; bytes; figure(.gbytes_per_s)));
def transfers: moves(4 * .width * .height);
def pieces: moves(4 * .width * .block);

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
