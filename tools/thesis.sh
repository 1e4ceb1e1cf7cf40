#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables of what `quadpass bench --paper 5` measured on a GPU, and of benchmarks of poisson5_batch; others are printed by `quadpass bench --paper 5 --from RECORD --markdown`:
#   thesis.sh baselines RECORD rates of the CPU baselines against n (3.1)
#   thesis.sh steps RECORD     rates of the tuned kernel against T (figures 7 to 10)
#   thesis.sh shapes RECORD    blocks of other shapes (3.4)
#   thesis.sh transfers RECORD what transfers cost, and the steps that pay for them (figure 12)
#   thesis.sh async RECORD     asynchronous rows against alpha, at equal accuracy (figure 21)
#   thesis.sh contests RECORD  the fastest of each asynchronous row for each grid and right-hand side
#   thesis.sh batch RECORD     many small grids at once, over a graph of launches for each
#   thesis.sh picture RECORD   an SVG of rates against n on standard output
#   thesis.sh curves RECORD    the same of asynchronous rows against alpha
# Of several records the last counts; where there is none the table says so.
set -eu
usage() {
    echo 'usage: tools/thesis.sh baselines|steps|shapes|transfers|async|contests|batch|picture|curves RECORD...' >&2
    exit 2
}
[ $# -ge 2 ] || usage
what=$1
shift
case $what in
baselines | steps | shapes | transfers | async | contests | batch | picture | curves) ;;
*) usage ;;
esac
for record in "$@"; do :; done
if [ ! -e "$record" ]; then
    echo 'No record yet.'
    exit 0
fi

# shellcheck disable=SC2016 # jq's names
program='
    include "tables"; include "chart";
    .device as $device | .records as $all
    # Runs of figure 21 are not timed with their transfers.
    | [$all[] | select(.problem == "spike" and (has("upload_seconds") and .upload_seconds == null | not))] as $runs
    | def named($list): first($list[] | . as $name | select(any($runs[]; .variant == "poisson5/" + $name and .glups))) // $list[0];
    # Without CUDA those of OpenGL.
    named(["cuda_tuned_sync", "cuda_naive", "targets_fused4"]) as $float
    | named(["cuda_double_hilo", "cuda_naive_double", "double_rgba"]) as $double
    | ([$all[] | select(.variant == "transpose/cuda_copy_memcpy" and .width == .height)] | max_by(.glups)) as $copy
    # Blocks of 16 x 8 are in a line of their own. A block is 100 times the unknowns across, which
    # are its threads, and those up, with 10000 times the threads where these are more.
    | def narrow: (.block // 0) % 10000 == 1608;
    def of($name): [$runs[] | select(.variant == "poisson5/" + $name and .glups) | select(narrow | not)];
    def longest: group_by(.width) | map(max_by(.iterations));
    def rate: if .glups then figure(.glups) else "-" end;
    def flops: if .glups then figure(5 * .glups) else "-" end;

    def steps:
        ([of($float)[], of($double)[] | .iterations] | unique) as $columns
        | head(["\($device | device), GLUP/s"] + [$columns[] | "T = \(.)"]),
          ($float, $double | . as $name | of($name) | group_by(.width)[] | select(length > 2) | . as $at
           | row(["`\($name)`, n = \($at[0].width)"] + [$columns[] as $t | first($at[] | select(.iterations == $t)) // {} | rate]));

    # However many steps they took; of each row and n the first, which 3.1 measured.
    def baselines:
        [$runs[] | select(.backend == "cpu" and .width >= 512 and .glups
                          and (.variant | test("/(sequential|threads|openmp)")))] as $there
        | ([$there[].width] | unique) as $columns
        | head(["\(.cpu), GLUP/s"] + [$columns[] | "n = \(.)"] + ["GFLOP/s at the last"]),
          ([$there[].variant] | distinct | .[] as $name
           | [$columns[] as $n | first($there[] | select(.variant == $name and .width == $n)) // {}] as $line
           | row(["`\($name | sub(".*/"; ""))`"] + [$line[] | rate] + [$line[-1] | flops]));

    def shapes:
        [$all[] | select(.variant == "poisson5/cuda_tuned_sync" and .block and .glups)]
        | group_by(.block) | map(max_by(.iterations)
           | . + if .block >= 100000 then {threads: (.block / 10000 | floor), shape: (.block % 10000)}
                 else {threads: (.block / 100 | floor), shape: .block} end)
        | sort_by(.shape, .block) as $there
        | first($there[] | select(.block == 6408)) as $usual
        | head(["\($device | device), n = \($usual.width), unknowns a block", "threads", "GLUP/s", "time / 64 x 8"]),
          ($there[]
           | row(["\(.shape / 100 | floor) x \(.shape % 100)", "\(.threads)", rate, ratio($usual; .; .glups)]));

    # Transfers of x to the device and back: of the row, and of as many values by other ways; T that brings them below a fifth. What
    # follows from a noisy step or way is a dash.
    def transfers:
        [$all[] | select(.variant | startswith("transfer/")) | select(.problem == "round" and .seconds)] as $moves
        | ($moves[0].width // 0) as $n
        | def step($name): [$runs[] | select(.variant == "poisson5/" + $name and .width == $n and .seconds) | select(narrow | not)]
              | if any(.[]; noisy | not) then map(select(noisy | not)) else . end
              | if . == [] then null else max_by(.iterations) | . + {step: (.seconds / .iterations)} end;
        step("threads") as $threads
        | head(["\($device | device), n = \($n)", "transfers, ms", "of 32 steps", "T to hide them", "T to match `threads`"]),
          ("cuda_tuned_sync", "cuda_naive", "rgba", "targets_fused4", "targets_fused8" | . as $name | step($name) | select(.) as $run
           | ([["its own", $run.upload_seconds + $run.readback_seconds]]
              + [$moves[] | select(.backend == $run.backend) | ["`\(.variant)`", .seconds / .iterations, .]])[] as [$way, $both, $move]
           | any($run, $move // {}; noisy) as $no
           | row(["`\($name)`, \($run | figure(1e6 * .seconds / .iterations)) us a step; \($way)",
                  ($move // {seconds: $both, iterations: 1} | figure(1e3 * .seconds / .iterations)),
                  (if $no then "-" else "\(100 * $both / ($both + 32 * $run.step) | digits) %" end),
                  (if $no then "-" else "\(4 * $both / $run.step | ceil)" end),
                  (if $no or $threads == null or ($threads | noisy) then "-"
                   elif $threads.step > $run.step then "\($both / ($threads.step - $run.step) | ceil)" else "never" end)]));

    contests as $contests
    | def gain($opponent): ratio($opponent; .; .seconds);
    def longer($opponent): .iterations * (.alpha + 1) / $opponent.iterations;
    def gained($opponent): if .seconds then "\(gain($opponent)) (\(longer($opponent) | digits))" else "-" end;
    # Points of the block that a row takes by itself: its first.
    def plain($name): [.points[] | select(.variant == $name)] as $all | $all | map(select(.block == $all[0].block));
    def first_contest: $contests[0] // {points: []};
    def names: [first_contest.points[].variant] | distinct;
    # The first one of each opponent.
    def figures: reduce $contests[] as $c ([]; if any(.[]; .opponent.variant == $c.opponent.variant) then . else . + [$c] end);

    def async:
        figures | if . == [] then "Not recorded." else .[] as $c
        | ([$c.points[].variant] | distinct) as $names
        | ([$c.points[].alpha] | unique) as $columns
        | head(["\($device | device), n = \($c.opponent.width), T = \($c.opponent.iterations), over `\($c.opponent.variant | sub(".*/"; ""))` (T_eff / T)"] + [$columns[] | "alpha \(.)"]),
          ($names[] as $name | ($c | plain($name)) as $points
           | row(["`\($name | sub(".*/"; ""))`"] + [$columns[] as $a | first($points[] | select(.alpha == $a)) // {} | gained($c.opponent)])), "" end;

    def where: if .problem == "spike" then "spike " + (.cell | sub(".* at "; "at ")) else .problem end;
    def all_contests:
        names as $rows
        | head(["n, right-hand side", "the opponent, ms"] + [$rows[] | "`\(sub(".*/"; ""))`"]),
          ($contests[] | . as $c
           | row(["\(.opponent.width), \(.opponent | where)", (.opponent | figure(1e3 * .seconds))]
                 + [$rows[] as $name | ([$c.points[] | select(.variant == $name and .seconds)] | min_by(.seconds))
                    | if . then "\(gained($c.opponent)), alpha \(.alpha), 64 x \(.block)" else "-" end]));

    def curves:
        first_contest as $c
        | [names | to_entries[] | .value as $name
           | {name: ($name | sub(".*/"; "")), points: [$c | plain($name)[] | [.alpha, $c.opponent.seconds / .seconds]], colour: colours[.key], dash: dashes[.key]}] as $curves
        | chart("\($device | device), n = \($c.opponent.width): asynchronous rows"; "alpha: a launch takes alpha + 1 steps";
                "times as fast as \($c.opponent.iterations) steps of \($c.opponent.variant | sub(".*/"; "")), as near"; false;
                "Best: " + ([$curves[] | "\(.name) \(.points | max_by(.[1]) | "\(.[1] | digits) at alpha \(.[0])")"] | join(", ")) + "."; $curves);

    def batch:
        [$all[] | select(.variant | startswith("poisson5_batch/")) | select(.glups)] as $ran
        | ([$ran[] | select(.variant | endswith("cuda_graphs"))] | min_by(.seconds) // {}) as $graphs
        | head(["\($device | device), \($ran[0].systems) grids of \($ran[0].width) x \($ran[0].height), \($ran[0].iterations) steps",
                "ms", "GLUP/s", "over `cuda_graphs`"]),
          ($ran[] | row(["`\(.variant)`" + (if .block then ", \(.block) in flight" else "" end), figure(1e3 * .seconds), rate, ratio($graphs; .; .seconds)]));

    def points:
        def rates: [longest | .[] | [.width, .glups]];
        (of($float) | rates) as $of_float | (of($double) | rates) as $of_double
        | def flat: [[$of_float[0][0], .], [$of_float[-1][0], .]];
          chart("\($device | device): one step after the other, a spike"; "n"; "GLUP/s"; true;
                "Most: \([$of_float[][1]] | max | digits) in float, \([$of_double[][1]] | max | digits) in double.";
                [{name: $float, points: $of_float, colour: colours[0], dash: ""}, {name: $double, points: $of_double, colour: colours[1], dash: ""}]
                + if $copy then [{name: "the copy, 8 bytes", points: ($copy.glups | flat), colour: colours[0], dash: "6 3"},
                                 {name: "the copy, 16 bytes", points: ($copy.glups / 2 | flat), colour: colours[1], dash: "6 3"}] else [] end);

    if $what == "baselines" then baselines elif $what == "transfers" then transfers elif $what == "shapes" then shapes elif $what == "steps" then steps
    elif $what == "async" then async elif $what == "contests" then all_contests
    elif $what == "batch" then batch elif $what == "curves" then curves else points end'
jq -L "$(dirname "$0")" --raw-output --arg what "$what" "$program" "$record"
