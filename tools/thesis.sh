#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables of what `quadpass bench --paper 5` measured on a GPU, and of benchmarks of poisson5_batch:
#   thesis.sh sizes RECORD     rates of the tuned kernel against n, and their part of the copy on the device (figures 7 to 10)
#   thesis.sh steps RECORD     the same against T
#   thesis.sh ladder RECORD    what each technique brings (figure 11), and the blocks of 16 x 8
#   thesis.sh devices RECORD   two GPUs over one (figure 16, right)
#   thesis.sh async RECORD     asynchronous rows against alpha, at equal accuracy (figure 21)
#   thesis.sh contests RECORD  the fastest of each asynchronous row for each grid and right-hand side
#   thesis.sh batch RECORD     many small grids at once, over a graph of launches for each
#   thesis.sh picture RECORD   an SVG of rates against n on standard output, drawn by gnuplot
#   thesis.sh curves RECORD    the same of asynchronous rows against alpha
# Of several records the last counts; where there is none the table says so.
set -eu
usage() {
    echo 'usage: tools/thesis.sh sizes|steps|ladder|devices|async|contests|batch|picture|curves RECORD...' >&2
    exit 2
}
[ $# -ge 2 ] || usage
what=$1
shift
case $what in
sizes | steps | ladder | devices | async | contests | batch | picture | curves) ;;
*) usage ;;
esac
for record in "$@"; do :; done
if [ ! -e "$record" ]; then
    echo 'No record yet.'
    exit 0
fi

# shellcheck disable=SC2016 # jq's names
program='
    include "tables";
    .device as $device | .records as $all
    # Runs of figure 21 are not timed with their transfers.
    | [$all[] | select(.problem == "spike" and (has("upload_seconds") and .upload_seconds == null | not))] as $runs
    | def named($list): first($list[] | . as $name | select(any($runs[]; .variant == "poisson5/" + $name))) // $list[0];
    named(["cuda_tuned_sync", "cuda_naive"]) as $float
    | named(["cuda_double_hilo", "cuda_naive_double"]) as $double
    | ([$all[] | select(.variant == "transpose/cuda_copy_memcpy" and .width == .height) | 8 * .glups] | max) as $copy
    # Blocks of 16 x 8 stand in a line of their own.
    | def of($name): [$runs[] | select(.variant == "poisson5/" + $name and .glups and .block != 1608)];
    def longest: group_by(.width) | map(max_by(.iterations));
    def at($n): first(.[] | select(.width == $n)) // {};
    def rate: if .glups then .glups | digits | tostring else "-" end;
    def part($bytes): if .glups and $copy then (100 * $bytes * .glups / $copy | digits | tostring) + " %" else "-" end;

    def sizes:
        (of($float) | longest) as $floats | (of($double) | longest) as $doubles
        | head(["\($device | device), n", "T", "`\($float)`, GLUP/s", "GFLOP/s", "8 bytes / copy", "9.125 / copy",
                "`\($double)`, GLUP/s", "16 bytes / copy", "18.25 / copy"]),
          ([$floats[], $doubles[] | .width] | unique | .[] as $n | ($floats | at($n)) as $f | ($doubles | at($n)) as $d
           | row(["\($n)", "\($f.iterations // $d.iterations)", ($f | rate), ($f | if .glups then 5 * .glups | digits | tostring else "-" end),
                  ($f | part(8)), ($f | part(9.125)), ($d | rate), ($d | part(16)), ($d | part(18.25))]));

    def steps:
        ([of($float)[], of($double)[] | .iterations] | unique) as $columns
        | head(["\($device | device), GLUP/s"] + [$columns[] | "T = \(.)"]),
          ($float, $double | . as $name | of($name) | group_by(.width)[] | select(length > 2) | . as $at
           | row(["`\($name)`, n = \($at[0].width)"] + [$columns[] as $t | first($at[] | select(.iterations == $t)) // {} | rate]));

    def ladder:
        ["cuda_naive", "cuda_padded", "cuda_texture", "cuda_shared", "cuda_shared_fringe_threads", "cuda_shared_one_grid",
         "cuda_shared_padded", "cuda_unrolled", "cuda_tuned_sync", "cuda_prefetch", "cuda_sweep", "cuda_temporal",
         "cuda_naive_double", "cuda_padded_double", "cuda_double_plain", "cuda_double_hilo",
         "cuda_sweep_double", "cuda_temporal_double"] as $rungs
        | [$rungs[] as $name | of($name) | map(select(.width == 4096 and .iterations == 16)) | first // empty | {name: $name, glups}] as $there
        | [$runs[] | select(.variant == "poisson5/cuda_tuned_sync" and .block == 1608 and .glups)] as $blocks
        | head(["\($device | device), n = 4096", "GLUP/s", "GFLOP/s", "/ the first"]),
          ($there[] | . as $rung
           | first($there[] | select((.name | test("double")) == ($rung.name | test("double")))) as $first
           | row(["`\(.name)`", (.glups | digits | tostring), (5 * .glups | digits | tostring), (.glups / $first.glups | digits | tostring)])),
          ($blocks[] | row(["`cuda_tuned_sync`, blocks of 16 x 8", (.glups | digits | tostring), (5 * .glups | digits | tostring),
                            (.glups / $there[0].glups | digits | tostring)]));

    # Rows in parts behind the one that they run.
    def devices:
        [["cuda_sweep", "cuda_sweep"], ["parts_cuda", "cuda_sweep"], ["parts_cuda_locked", "cuda_sweep"],
         ["cuda_temporal", "cuda_temporal"], ["parts_cuda_temporal", "cuda_temporal"]] as $rows
        | def ran($name; $n): [$runs[] | select(.variant == "poisson5/\($name)" and .width == $n and .glups)] | max_by(.iterations) // {};
        ([$runs[] | select((.variant | contains("/parts_cuda")) and .glups) | .width] | unique) as $columns
        | if $columns == [] then "Not recorded: it takes two GPUs." else
          head(["\($device | device), GLUP/s (over one)"] + [$columns[] | "n = \(.)"]),
          ($rows[] | . as [$name, $alone]
           | row(["`\($name)`"] + [$columns[] as $n | ran($alone; $n) as $one | ran($name; $n)
                                   | rate + (if .glups and $one.glups and $name != $alone then " (\(.glups / $one.glups | digits))" else "" end)])) end;

    # Runs of figure 21: contests, each an opponent of T steps and points behind it. A point has launches as its iterations.
    def contests: reduce ($all[] | select(has("upload_seconds") and .upload_seconds == null)) as $r ([];
        if $r.alpha == null then . + [{opponent: $r, points: []}] else .[-1].points += [$r] end)
        | map(select(.points != [])); # a row that waits is timed before the opponent, and has none
    def gain($opponent): $opponent.seconds / .seconds;
    def longer($opponent): .iterations * (.alpha + 1) / $opponent.iterations;
    def gained($opponent): if .seconds then "\(gain($opponent) | digits) (\(longer($opponent) | digits))" else "-" end;
    # Points of the block that a row takes by itself: its first.
    def plain($name): [.points[] | select(.variant == $name)] as $all | $all | map(select(.block == $all[0].block));
    def first_contest: contests[0] // {points: []};
    def names: [first_contest.points[].variant] | distinct;

    def async:
        first_contest as $c
        | ([$c.points[].alpha] | unique) as $columns
        | head(["\($device | device), n = \($c.opponent.width), over `cuda_tuned_sync` (T_eff / T)"] + [$columns[] | "alpha \(.)"]),
          (names[] as $name | ($c | plain($name)) as $points
           | row(["`\($name | sub(".*/"; ""))`"] + [$columns[] as $a | first($points[] | select(.alpha == $a)) // {} | gained($c.opponent)]));

    def where: if .problem == "spike" then "spike " + (.cell | sub(".* at "; "at ")) else .problem end;
    def all_contests:
        names as $rows
        | head(["n, right-hand side", "the opponent, ms"] + [$rows[] | "`\(sub(".*/"; ""))`"]),
          (contests[] | . as $c
           | row(["\(.opponent.width), \(.opponent | where)", (1e3 * .opponent.seconds | digits | tostring)]
                 + [$rows[] as $name | ([$c.points[] | select(.variant == $name and .seconds)] | min_by(.seconds))
                    | if . then "\(gained($c.opponent)), alpha \(.alpha), 64 x \(.block)" else "-" end]));

    def curves:
        first_contest as $c
        | (names | to_entries[] | "$row\(.key) << END", (.value as $name | $c | plain($name)[] | "\(.alpha) \(gain($c.opponent))"), "END"),
          "set terminal svg size 720,440 font \u0027sans,12\u0027",
          "set title \u0027\($device | device), n = \($c.opponent.width): as near as \($c.opponent.iterations) steps of cuda_tuned_sync\u0027 noenhanced",
          "set key outside right noenhanced\nset grid\nset yrange [0:]",
          "set xlabel \u0027alpha: a launch takes alpha + 1 steps\u0027\nset ylabel \u0027times as fast\u0027",
          "plot " + ([names | to_entries[] | "$row\(.key) with linespoints title \u0027\(.value | sub(".*/"; ""))\u0027"] | join(", "));

    def batch:
        [$all[] | select(.variant | startswith("poisson5_batch/")) | select(.glups)] as $ran
        | ([$ran[] | select(.variant | endswith("cuda_graphs"))] | min_by(.seconds) // {}) as $graphs
        | head(["\($device | device), \($ran[0].systems) grids of \($ran[0].width) x \($ran[0].height), \($ran[0].iterations) steps",
                "ms", "GLUP/s", "over `cuda_graphs`"]),
          ($ran[] | row(["`\(.variant)`" + (if .block then ", \(.block) in flight" else "" end), (1e3 * .seconds | digits | tostring), rate,
                         (if $graphs.seconds then $graphs.seconds / .seconds | digits | tostring else "-" end)]));

    def points: "$float << END", (of($float) | longest | .[] | "\(.width) \(.glups)"), "END",
                "$double << END", (of($double) | longest | .[] | "\(.width) \(.glups)"), "END",
                "set terminal svg size 720,440 font \u0027sans,12\u0027",
                "set title \u0027\($device | device): one step after the other, a spike\u0027 noenhanced",
                "set key top left noenhanced\nset grid\nset logscale x 2\nset yrange [0:]",
                "set xlabel \u0027n\u0027\nset ylabel \u0027GLUP/s\u0027",
                "plot $float with linespoints lc 1 pt 7 title \u0027\($float)\u0027, " +
                "$double with linespoints lc 2 pt 6 title \u0027\($double)\u0027" +
                (if $copy then ", \($copy / 8) with lines lc 1 dt 2 title \u0027the copy, 8 bytes\u0027, " +
                 "\($copy / 16) with lines lc 2 dt 2 title \u0027the copy, 16 bytes\u0027" else "" end);

    if $what == "sizes" then sizes elif $what == "steps" then steps elif $what == "ladder" then ladder
    elif $what == "devices" then devices elif $what == "async" then async elif $what == "contests" then all_contests
    elif $what == "batch" then batch elif $what == "curves" then curves else points end'
table() {
    jq -L "$(dirname "$0")" --raw-output --arg what "$what" "$program" "$record"
}
case $what in
picture | curves) table | gnuplot ;;
*) table ;;
esac
