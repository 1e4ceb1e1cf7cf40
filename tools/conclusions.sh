#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of what paper 5 concludes, and whether records still show it, for chapters of a list:
#   conclusions.sh LIST.csv CHAPTER RECORD...     files that are not there are passed over
# A line of the list is: section, conclusion, figure there, key, why. The key names a judgement below, which looks for its figures
# in the records, from the last one back, and for llvmpipe, processors (rows of the CPU) and an NVIDIA GPU apart. Noisy figures judge nothing.
set -eu
[ $# -ge 3 ] || { echo 'usage: tools/conclusions.sh LIST.csv CHAPTER RECORD...' >&2; exit 2; }
list=$1 chapter=$2
shift 2
for record in "$@"; do
    shift
    [ ! -e "$record" ] || set -- "$@" "$record"
done
jq -L "$(dirname "$0")" --slurp --raw-output --arg chapter "$chapter" --rawfile list "$list" '
    include "tables";
    reverse as $files
    | [$files[] | select(.device | startswith("NVIDIA"))] as $gpu | [$files[] | select(.device | startswith("llvmpipe"))] as $soft
    | def says($so; text): (if $so then "still so: " else "no longer: " end) + text;
    # A speed over another, with both spreads, judged; no noisy speed is.
    def over($one; $other; so): compared($one; $other; .glups; .[0] as $ratio | says($ratio | so; "\($ratio | digits)" + within));
    # Three cells; a judgement of one device alone.
    def on_gpu(cell): ["-", "-", ($gpu | cell) // "-"];

    # ---- Steps one after the other ----
    def timed: .problem == "spike" and .glups and .alpha == null and .upload_seconds != null and (.block // 0) % 10000 != 1608;
    def newest(wanted): first(.[] | [.records[] | select(wanted)] | select(. != [])) // [];
    def rung($name): newest(timed and .variant == "poisson5/" + $name and .width == 4096 and .iterations == 16) | .[0];
    def gains($name; $over; $least): over(rung($name); rung($over); . >= $least);
    # Runs of the most steps for each size, and of two such runs the first, as bench --paper 5 --from takes them.
    def by_size($name): newest(timed and .variant == "poisson5/" + $name and .width == .height)
        | map(select(noisy | not)) | group_by(.width) | map(sort_by(-.iterations)[0]);
    def copy: [newest(.variant == "transpose/cuda_copy_memcpy" and .glups)[] | 8 * .glups] | max;
    def small_copy: on_gpu([.[].records[] | select(.variant == "transpose/cuda_copy_memcpy" and .glups)] as $copies
        | (first($copies[] | select(.width * .height == 8388608)).glups) / (first($copies[] | select(.width == 8192 and .height == 8192)).glups)
        | says(. >= 0.95; "\(digits) of a copy of 256 MiB"));
    def share($name; $bytes): copy as $copy | [by_size($name)[] | 100 * $bytes * .glups / $copy] | max;
    def percent: "\(digits) %";

    def share_of_streaming: on_gpu(share("cuda_tuned_sync"; 9.125) as $all | values
        | says($all >= 98.6; "\($all | percent) of a copy, by 8 bytes \(share("cuda_tuned_sync"; 8) | percent)"));
    def double: on_gpu(share("cuda_tuned_sync"; 8) as $single | share("cuda_double_hilo"; 16) as $double
        | says($double < $single; "\($double | percent) at best for \($single | percent) of float, by the least bytes"));
    # Rows of figures 7 to 10: on CUDA, in OpenGL and on processors.
    def shrunk($runs): ([$runs[].glups] | max) as $best | ([$runs[] | select(.width < 1024) | .glups] | max) as $below
        | says($below < $best / 2; "below it at most \(100 * $below / $best | percent) of the best rate; half of it from \(
            first($runs[] | select(.glups >= $best / 2) | "n = \(.width) on (T = \(.iterations))"))");
    def each_row(cell): [[$soft, "targets_fused4"], [$soft, "threads_bound"], [$gpu, "cuda_tuned_sync"]]
        | map(first(cell) // "-");
    def small_grids: each_row(. as [$in, $name] | $in | by_size($name) | select(length > 3 and .[-1].width >= 1024) | shrunk(.));
    # From which T on rates stay within a tenth of the last one.
    def settled($name): [(256, 1024, 2048, 4096) as $n
        | newest(timed and .variant == "poisson5/" + $name and .width == $n)
        | map(select(noisy | not)) | unique_by(.iterations) | select(length > 2)
        | map(.glups) as $rates | $rates[-1] as $last
        | first(range(length) as $k | select(all($rates[$k:][]; . >= 0.9 * $last and . <= 1.1 * $last)) | $k) as $k
        | {so: ($k < length - 1), text: (if $k < length - 1 then "from T = \(.[$k].iterations) on at n = \($n)"
                                         else "\($rates | min | digits) to \($rates | max | digits) GLUP/s at n = \($n)" end)}]
        | if . == [] then "-" else (if any(.[]; .so) then "in part: " else "no longer: " end) + (map(.text) | join(", ")) end;
    def steps: each_row(. as [$in, $name] | $in | settled($name));
    # With 16 threads; and with 64, where a record has that.
    def blocks: on_gpu(def narrow($block): newest(.variant == "poisson5/cuda_tuned_sync" and .block == $block and .glups) | .[0];
        narrow(641608) as $full
        | over(rung("cuda_tuned_sync"); narrow(1608); . >= 1.4)
          + if $full then ", with 64 threads " + compared(rung("cuda_tuned_sync"); $full; .glups; "\(.[0] | digits)" + within) else "" end);

    # ---- Processors ----
    def cpus($file): $file.cpu | capture("(?<n>[0-9]+) threads").n;
    # However many steps they took; of each row the first, which 3.1 measured.
    def cpu_rows($file): [$file.records[] | select(.backend == "cpu" and timed and .width >= 512)]
        | (map(.width) | max) as $n | map(select(.width == $n));
    def each_cpu(text): [$files[] | . as $file | cpu_rows($file) | select(map(.variant) | index("poisson5/threads_numa"))
        | {n: (cpus($file) | tonumber), text: "\(cpus($file)) threads, n = \(.[0].width): \(text)"}]
        | unique_by(.n) | map(.text) | ["-", (join("; ") | if . == "" then "-" else . end), "-"];
    def cpu($name): first(.[] | select(.variant == "poisson5/" + $name)) // null;
    def part($a; $b): compared(cpu($a); cpu($b); .glups; "\(.[0] | digits)" + within);
    def baseline: each_cpu("\(cpu("threads_bound") // {} | figure(5 * .glups)) GFLOP/s");
    def binding: each_cpu("bound \(part("threads_bound"; "threads")) of unbound");
    def numa: each_cpu("\(part("threads_numa"; "threads_bound")) of bound");

    # ---- Transfers ----
    def pays($names; $movers): newest(.variant | IN($movers[])) as $ways
        | ([$ways[] | select(.problem == "round" and .seconds and (noisy | not))]
            | min_by(.seconds / .iterations)) as $way
        | if $way == null then null else
          def step($name): newest(timed and .variant == "poisson5/" + $name and .width == $way.width)
              | map(select(noisy | not)) | max_by(.iterations)
              | if . then .seconds / .iterations else null end;
          ([$names[] as $name | step($name) | select(.)] | min) as $step
          | if $step == null then null
            else step("threads") as $threads | ($way.seconds / $way.iterations) as $both
          | {part: (100 * $both / ($both + 32 * $step)), hide: (4 * $both / $step | ceil),
             match: (if $threads == null then null elif $threads > $step then ($both / ($threads - $step) | ceil) else -1 end)} end end;
    def payments(cell): [($soft | pays(["rgba", "targets_fused4", "targets_fused8"]; ["transfer/plain", "transfer/pixel_buffer", "transfer/persistent"])),
                         null, ($gpu | pays(["cuda_tuned_sync"]; ["transfer/cuda_pageable", "transfer/cuda_pinned"]))]
        | map(if . then cell else "-" end);
    def transfers: payments(says(.part >= 30; "\(.part | percent) by the fastest way"));
    def beside($least; $most): (if . < $least then "sooner" elif . > $most then "later" else "still so" end) + ": \(.)";
    def match: payments(if .match == null then "-" elif .match < 0 then "never: `threads` is the faster" else .match | beside(5; 5) end);
    def hide: payments(.hide | beside(60; 100));

    # ---- In parts ----
    def factor: apart | if . >= 1 then . else 1 / . end;
    def distinct_by(f): reduce .[] as $v ([]; if any(.[]; f == ($v | f)) then . else . + [$v] end);
    def gained: "`\(.[0].variant | sub(".*/"; ""))` " + if split_gain < 1 then "nothing" else
            "\(split_gain | digits) % at \(100 * min_by(.seconds_a_step).rows / .[0].height | digits) % of the rows" end
        + " (\(factor | digits) times apart)";
    # The newest sweep of each row, of those that are wanted.
    def in_parts(wanted; so): [$soft, $gpu | [.[] | sweeps[] | select(wanted)] | distinct_by(.[0].variant)
            | if . == [] then "-" else says((map(split_gain) | max) | so; map(gained) | join("; ")) end] | [.[0], "-", .[1]];
    def hybrid: in_parts((.[0].slow // 1) <= 1 and factor < 9; . >= 1);
    def unlike: in_parts(factor >= 9; . < 1);
    def model: [$soft, $gpu | [.[] | sweeps[] | select(any(.[]; .best == 1)) | (first(.[] | select(.best == 1)).seconds_a_step) / (map(.seconds_a_step) | min)]
            | if . == [] then "-" else says(max < 1.05; "its best split at most \(100 * (max - 1) | digits) % from the fastest, of \(length) sweeps") end]
        | [.[0], "-", .[1]];
    def devices: on_gpu([(4096, 8192, 16384) as $n
        | def rate($name): newest(timed and .variant == "poisson5/" + $name and .width == $n and .iterations == 72) | .[0];
          def by($name): compared(rate($name); rate("cuda_sweep"); .glups; {gain: .[0], text: "\(.[0] | digits)\(within)"});
          [by("parts_cuda"), by("parts_cuda_locked") | select(. != "-")] | select(. != [])
        | {gain: .[0].gain, text: "\(.[0].text)\(if .[1] then " (through the host \(.[1].text))" else "" end) at n = \($n)"}]
        | if . == [] then null else says(any(.[]; .gain >= 1.75); map(.text) | join(", ")) end);

    # ---- At the same accuracy: the first contest with such a row, and T_eff of its rows at other cells ----
    def contest($rows): first(.[] | contests as $all | $all[]
        | .opponent as $o | [.points[] | select((.variant | test($rows)) and .seconds and (noisy | not))] | select(. != [])
        | def longer: .iterations * (.alpha + 1) / $o.iterations;
          [$all[] | select(.opponent | .variant == $o.variant and .width == $o.width and .problem == $o.problem and .cell != $o.cell)
             | .points[] | select((.variant | test($rows)) and .seconds) | longer] as $elsewhere
        | map({alpha, seconds, gain: ($o.seconds / .seconds), text: ratio($o; .; .seconds), longer: longer, elsewhere: $elsewhere}));
    def races($number; cell): [["compute", $soft], ["threads", $files], ["cuda", $gpu] | . as [$kind, $in]
        | $in | (contest("/\($kind)_async\($number)$") // null) | if . then cell else "-" end];
    def best: max_by(.gain) | "\(.text) at alpha \(.alpha)";
    # Runs at the same accuracy have no spread; a tenth among them says nothing.
    def never_faster: races(1; (map(.gain) | max) as $most
        | if $most > 1 and $most <= 1.1 then "still so, within runs that differ by a tenth: " + best else says($most <= 1; best) end);
    def span: map(.longer) | [min, max] | map(digits) | distinct | map(tostring) | join(" to ");
    def takes_more: races(1; says(all(.[]; .longer > 1); "\(span) of T"));
    def fewer_accesses: races(2; says(max_by(.gain).gain >= 1.2; best + ", \(max_by(.gain).longer | digits) of T"));
    # Seen only where an alpha of 15 or more was tried, or a smaller one does not gain.
    def small_alpha: races(2; [.[] | select(.gain > 1).alpha] as $gains
        | if ($gains | length) == length and all(.[]; .alpha < 15) then
              "not seen: only alpha \(map(.alpha | tostring) | join(" and ")) were tried, and \(if length == 2 then "both" else "all" end) gain"
          else says($gains != [] and ($gains | max) < 15;
        if $gains == [] then "for none" else "faster for alpha \($gains | min) to \($gains | max) of \(map(.alpha) | min) to \(map(.alpha) | max)" end) end);
    def wildest: races(3; says(max_by(.gain).gain >= 2; best));
    # The first spike is in the first cell of its block; others of its size in the middle of one.
    def accelerates: races(3; all(.[]; .longer < 1) as $first | (map(.elsewhere[]) | distinct | map({longer: .})) as $others
        | all($others[]; .longer < 1) as $all
        | (if $first and $all then "still so: " elif $first or ($others != [] and $all) then "in part: " else "no longer: " end)
          + "\(span) of T" + if $others != [] then " (\($others | span) with the spike in the middle of a block)" else "" end);

    # Launches of the best of all for each spike, against as many exact steps by the row that keeps them on the chip.
    def worth: on_gpu(first(.[] | [contests[] | select(.opponent.problem == "spike" and .opponent.width == 4096)
                | {at: (.opponent.cell | sub(".* at "; "")), steps: .opponent.iterations,
                   seconds: ([.points[] | select((.variant | test("/cuda_async")) and .seconds and (noisy | not)).seconds] | min)}
                | select(.seconds)] | select(. != [])) as $loose
        | ([.[].records[] | select(timed and .variant == "poisson5/cuda_temporal" and .width == 4096)] | max_by(.iterations)) as $exact
        | if $loose and $exact then ($loose[0].steps * 4096 * 4096 / 1e9 / $exact.glups) as $seconds
          | [$loose[].seconds < $seconds] as $wins
          | (if $wins | all then "still so: " elif $wins | any then "in part: " else "no longer: " end) + "spike "
            + ([$loose[] | "at \(.at) \(1e3 * .seconds | digits)"] | .[0] += " ms" | join(", "))
            + "; \($loose[0].steps) exact steps by `cuda_temporal` \(1e3 * $seconds | digits)"
          else empty end);

    def judged($key):
        if $key == "baseline" then baseline elif $key == "binding" then binding elif $key == "numa" then numa
          elif $key == "padding" then on_gpu(gains("cuda_padded"; "cuda_naive"; 1.05))
          elif $key == "shared" then on_gpu(gains("cuda_shared"; "cuda_naive"; 1.05))
          elif $key == "shared_padded" then on_gpu(gains("cuda_shared_padded"; "cuda_naive"; 1.5))
          elif $key == "fringes" then on_gpu(over(rung("cuda_shared_fringe_threads"); rung("cuda_shared"); . < 1))
          elif $key == "texture" then on_gpu(gains("cuda_texture"; "cuda_padded"; 1.05))
          elif $key == "hilo" then on_gpu(gains("cuda_double_hilo"; "cuda_double_plain"; 1.02))
          elif $key == "whole" then on_gpu(gains("cuda_tuned_sync"; "cuda_naive"; 1.05))
          elif $key == "prefetch" then on_gpu(over(rung("cuda_prefetch"); rung("cuda_tuned_sync"); . < 1.02))
          elif $key == "small_copy" then small_copy elif $key == "share" then share_of_streaming elif $key == "double" then double elif $key == "sizes" then small_grids
          elif $key == "steps" then steps elif $key == "blocks" then blocks
          elif $key == "transfers" then transfers elif $key == "match" then match elif $key == "hide" then hide
          elif $key == "hybrid" then hybrid elif $key == "unlike" then unlike elif $key == "model" then model elif $key == "devices" then devices
          elif $key == "never_faster" then never_faster elif $key == "takes_more" then takes_more
          elif $key == "fewer_accesses" then fewer_accesses elif $key == "small_alpha" then small_alpha
          elif $key == "wildest" then wildest elif $key == "accelerates" then accelerates
          elif $key == "worth" then worth
          else error("no judgement is called \($key)") end;

    [$list | lines | select(.[0] | startswith($chapter))] as $lines
    | if $lines == [] then error("no lines of \($chapter)") else
      row(["", "the thesis", "there", "llvmpipe", "processors", ($gpu[0].device // "NVIDIA" | device), "why"]), row([range(7) | "---"]),
      ($lines[] | . as [$place, $what, $there, $key, $why] | row([$place, $what, $there] + judged($key) + [$why])) end
' "$@"
