# SPDX-License-Identifier: MIT
# Tables and charts of what `quadpass bench --paper 5`, `model` and benchmarks of poisson5_batch recorded; tables.sh lists them.
include "tables"; include "chart";

# Runs of the last record, but for those of figure 21, which are not timed with their transfers.
def runs: [last.records[] | select(.problem == "spike" and (has("upload_seconds") and .upload_seconds == null | not))];
# Blocks of 16 x 8 are in a line of their own. A block is 100 times the unknowns across, which are its threads, and those up, with 10000
# times the threads where these are more.
def narrow: (.block // 0) % 10000 == 1608;
def of($name): [runs[] | select(.variant == "poisson5/" + $name and .glups) | select(narrow | not)];
# The first of these variants that ran, with its runs.
def named($list): [$list[] as $name | [$name, of($name)]] | (map(select(.[1] != [])) + .)[0];
# Variants in float and in double, each with its runs; without CUDA those of OpenGL.
def tuned: named(["cuda_tuned_sync", "cuda_naive", "targets_fused4"]), named(["cuda_double_hilo", "cuda_naive_double", "double_rgba"]);

def steps:
    [tuned] as $rows
    | pivot([$rows[][1] | group_by(.width)[] | select(length > 2)[]]; "\(last.device | device), GLUP/s"; [$rows[][1][].iterations] | unique;
            "T = \(.)"; .iterations; "\(.variant | bare), n = \(.width)"; speed);

# Baselines, however many steps they took; of each variant and n the first, which 3.1 measured.
def baselines:
    [runs[] | select(.backend == "cpu" and .width >= 512 and .glups and (.variant | test("/(sequential|threads|openmp)")))] as $runs
    | ([$runs[].width] | unique) as $sizes
    | pivot($runs + [$runs[] | select(.width == $sizes[-1]) | .width = 0]; "\(last.cpu), GLUP/s"; $sizes + [0];
            if . > 0 then "n = \(.)" else "GFLOP/s at the last" end; .width; .variant | bare;
            figure(.glups * if .width > 0 then 1 else 5 end));

def shapes:
    (last.device | device) as $device
    | [last.records[] | select(.variant == "poisson5/cuda_tuned_sync" and .block and .glups)] | group_by(.block)
    | map(max_by(.iterations)
          | . + if .block >= 100000 then {threads: (.block / 10000 | floor), shape: (.block % 10000)}
                else {threads: (.block / 100 | floor), shape: .block} end)
    | sort_by(.shape, .block)
    | first(.[] | select(.block == 6408)) as $usual
    | head(["\($device), n = \($usual.width), unknowns a block", "threads", "GLUP/s", "time / 64 x 8"]),
      (.[] | row(["\(.shape / 100 | floor) x \(.shape % 100)", "\(.threads)", speed, ratio($usual; .; .glups)]));

# Transfers of x to the device and back: of the variant, and of as many values by other ways; T that brings them below a fifth. What follows
# from a noisy step or way is a dash.
def payback:
    [last.records[] | select((.variant | startswith("transfer/")) and .problem == "round" and .seconds)] as $moves
    | ($moves[0].width // 0) as $n | . as $files
    | def step($name): [$files | of($name)[] | select(.width == $n)]
          | if any(.[]; noisy | not) then map(select(noisy | not)) else . end
          | if . == [] then null else max_by(.iterations) | . + {step: (.seconds / .iterations)} end;
    step("threads") as $threads
    | head(["\(last.device | device), n = \($n)", "transfers, ms", "of 32 steps", "T to hide them", "T to match `threads`"]),
      ("cuda_tuned_sync", "cuda_naive", "rgba", "targets_fused4", "targets_fused8" | . as $name | step($name) | select(.) as $run
       | ([["its own", $run.upload_seconds + $run.readback_seconds]]
          + [$moves[] | select(.backend == $run.backend) | [name, .seconds / .iterations, .]])[] as [$way, $both, $move]
       | (if any($run, $move // {}; noisy) then null
          else paid($both; $run.step; $threads | if . and (noisy | not) then .step else null end) end) as $paid
       | row(["`\($name)`, \($run | figure(1e6 * .seconds / .iterations)) us a step; \($way)",
              ($move // {seconds: $both, iterations: 1} | figure(1e3 * .seconds / .iterations)),
              ($paid | if . then "\(.part | digits) %", "\(.hide)" else "-", "-" end),
              ($paid.match | if . == null then "-" elif . < 0 then "never" else "\(.)" end)]));

def systems:
    [last.records[] | select((.variant | startswith("poisson5_batch/")) and .glups)] as $ran
    | ([$ran[] | select(.variant | endswith("cuda_graphs"))] | min_by(.seconds) // {}) as $graphs
    | head(["\(last.device | device), \($ran[0].systems) grids of \($ran[0] | size), \($ran[0].iterations) steps",
            "ms", "GLUP/s", "over `cuda_graphs`"]),
      ($ran[] | row([name + (if .block then ", \(.block) in flight" else "" end), figure(1e3 * .seconds), speed, ratio($graphs; .; .seconds)]));

# ---- Figure 21 ----

# A point's ratio to its opponent, and in brackets how many times as many steps it takes.
def gained($opponent): if .seconds then "\(ratio($opponent; .; .seconds)) (\(.iterations * (.alpha + 1) / $opponent.iterations | digits))" else "-" end;
# Points of the block that a variant takes by itself: its first.
def first_block($name): [.points[] | select(.variant == $name)] | .[0].block as $block | map(select(.block == $block));
def competitors: [.points[].variant] | distinct;

# The first contest with each opponent.
def async:
    (last.device | device) as $device | last | contests_held | distinct_by(.opponent.variant)
    | if . == [] then "Not recorded." else .[]
      | .opponent as $opponent | ([.points[].alpha] | unique) as $columns
      | head(["\($device), n = \($opponent.width), T = \($opponent.iterations), over \($opponent.variant | bare) (T_eff / T)"]
             + [$columns[] | "alpha \(.)"]),
        (competitors[] as $name | first_block($name) as $points
         | row([$name | bare] + [$columns[] as $a | first($points[] | select(.alpha == $a)) // {} | gained($opponent)])), "" end;

def contests:
    def where: if .problem == "spike" then "spike " + (.cell | sub(".* at "; "at ")) else .problem end;
    (last | contests_held) as $contests | ($contests[0] // {points: []} | competitors) as $names
    | head(["n, right-hand side", "the opponent, ms"] + ($names | map(bare))),
      ($contests[] | .opponent as $opponent
       | row(["\($opponent.width), \($opponent | where)", ($opponent | figure(1e3 * .seconds))]
             + [$names[] as $name | [.points[] | select(.variant == $name and .seconds)] | min_by(.seconds)
                | if . then "\(gained($opponent)), alpha \(.alpha), 64 x \(.block)" else "-" end]));

# ---- Splits ----

# Sweeps, with how far apart the parts are and what the model's best split misses.
def described_sweeps: .[] | .device as $device | split_sweeps[] | apart as $apart | min_by(.seconds_a_step) as $fastest
    | {runs: ., device: $device, first: .[0], fastest: $fastest,
       unlike: ((if $apart >= 1 then "the lower part \($apart | rounded(1))" else "the upper part \(1 / $apart | rounded(1))" end)
                + " times slower" + if (.[0].slow // 1) > 1 then " (each step \(.[0].slow) times)" else "" end),
       missed: (first(.[] | select(.best == 1) | .seconds_a_step / $fastest.seconds_a_step | rounded(3)) // "-")};
def part_of(rows): 100 * rows / .height | rounded(1);

def best_splits:
    row(["device, variant", "n", "parts apart, alone", "fastest split, of the rows below", "gain over the faster part alone",
         "best by the model / fastest"]), "|---|---:|---:|---:|---:|---:|",
    (described_sweeps
     | row(["\(.device | device), \(.first.variant | bare)", "\(.first.width)", .unlike, "\(.fastest | part_of(.rows)) %",
            "\(.runs | split_gain | rounded(1)) %", "\(.missed)"]));

def splits:
    described_sweeps | . as {$first, $fastest}
    | "\($first | name), \($first | size), \($first.iterations) steps, \(.device | short); alone \(.unlike):", "",
      "| rows of the lower part | measured, ms a step | predicted | predicted / measured | |", "|---:|---:|---:|---:|---|",
      (.runs[]
       | row(["\(.rows) (\(part_of(.rows)) %)", (1e3 * .seconds_a_step, 1e3 * .predicted, .ratio | rounded(3) | tostring),
              ([if .best == 1 then "best by the model" else empty end, if .rows == $fastest.rows then "fastest" else empty end] | join(", "))])),
      "", "Lower part: \($first.lower_curve), off by \(100 * $first.lower_residual | rounded(1)) % at samples that are left out; upper part: "
          + "\($first.upper_curve), \(100 * $first.upper_residual | rounded(1)) %. Exchange: \(1e3 * $first.exchange_seconds | rounded(3)) ms; "
          + "hindrance: \($first.hindrance | rounded(2)). Best by the model / fastest: \(.missed).", "";

# ---- Charts ----

def curve($number; $name; $points): {name: $name, points: $points, colour: colours[$number], dash: dashes[$number]};

def sizes_chart:
    [tuned] as [[$float, $floats], [$double, $doubles]]
    | def rates: group_by(.width) | map(max_by(.iterations) | [.width, .glups]);
      ($floats | rates) as $of_float | ($doubles | rates) as $of_double
    | def dashed($number; $name; $rate): curve($number; $name; [[$of_float[0][0], $rate], [$of_float[-1][0], $rate]]) + {dash: dashes[1]};
      def most: map(.[1]) | max | digits;
      ([last.records[] | select(.variant == "transpose/cuda_copy_memcpy" and .width == .height)] | max_by(.glups)) as $copy
    | chart("\(last.device | device): one step after the other, a spike"; "n"; "GLUP/s"; true;
            "Most: \($of_float | most) in float, \($of_double | most) in double.";
            [curve(0; $float; $of_float), (curve(1; $double; $of_double) | .dash = "")]
            + if $copy then [dashed(0; "the copy, 8 bytes"; $copy.glups), dashed(1; "the copy, 16 bytes"; $copy.glups / 2)] else [] end);

def async_chart:
    (last.device | device) as $device | (last | contests_held[0]) as $first | $first.opponent as $opponent
    | [$first | competitors | to_entries[] | .key as $number | .value as $name
       | curve($number; $name | plain; [$first | first_block($name)[] | [.alpha, $opponent.seconds / .seconds]])] as $curves
    | chart("\($device), n = \($opponent.width): asynchronous variants"; "alpha: a launch takes alpha + 1 steps";
            "times as fast as \($opponent.iterations) steps of \($opponent.variant | plain), as near"; false;
            "Best: " + ([$curves[] | "\(.name) \(.points | max_by(.[1]) | "\(.[1] | digits) at alpha \(.[0])")"] | join(", ")) + "."; $curves);

def splits_chart:
    last | (.device | sub(" .*"; "")) as $device | .records as $all | $all[0] as $first
    | def points($runs; at; y): [$all[] | select(.runs == $runs) | [100 * at / .height, 1e3 * y]] | sort;
      ([$all[] | select(.runs == "sweep")] | min_by(.seconds_a_step)) as $fastest
    | chart("\($first.variant), \($first | size), \($device)"; "rows of the lower part, % of all"; "ms a step"; false;
            "The fastest split that was measured has \(100 * $fastest.rows / $fastest.height | round) % of the rows below and takes \(
             1e3 * $fastest.seconds_a_step | digits) ms a step.";
            [curve(0; "the lower part alone"; points("lower"; .rows; .seconds_a_step)),
             curve(1; "the upper part alone"; points("upper"; .height - .rows; .seconds_a_step)),
             curve(2; "both, by the model"; points("sweep"; .rows; .predicted)),
             curve(4; "both, measured"; points("sweep"; .rows; .seconds_a_step))]);
