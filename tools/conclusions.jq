# SPDX-License-Identifier: MIT
# A table of what paper 5 concludes, and whether records still show it, for the chapters that begin with word 0. A line of the list is:
# section, conclusion, figure there, judgement, why. The judgement, its first word below, looks for its figures in the records, from the
# last one back, and for llvmpipe, processors (variants of the CPU) and an NVIDIA GPU apart. Noisy figures judge nothing.
include "tables";

def conclusions:
    reverse as $files
    | [$files[] | select(.device | startswith("NVIDIA"))] as $gpu | [$files[] | select(.device | startswith("llvmpipe"))] as $soft
    | def says($so; $partly; text): (if $so then "still so: " elif $partly then "in part: " else "no longer: " end) + text;
    def says($so; text): says($so; false; text);
    # A speed over another, with both spreads, judged; no noisy speed is.
    def over($one; $other; so): compared($one; $other; .glups; .[0] as $ratio | says($ratio | so; "\($ratio | digits)" + within));
    # Three cells; a judgement of one device alone, and of two.
    def on_gpu(cell): ["-", "-", ($gpu | cell) // "-"];
    def on_devices(cell): [($soft | cell), "-", ($gpu | cell)];

    # ---- Steps one after the other ----
    def timed: .problem == "spike" and .glups and .alpha == null and .upload_seconds != null and (.block // 0) % 10000 != 1608;
    def newest(wanted): first(.[] | [.records[] | select(wanted)] | select(. != [])) // [];
    def rung($name): newest(timed and .variant == "poisson5/" + $name and .width == 4096 and .iterations == 16) | .[0];
    # Runs of the most steps for each size, and of two such runs the first, as bench --paper 5 --from takes them.
    def by_size($name): newest(timed and .variant == "poisson5/" + $name and .width == .height)
        | map(select(noisy | not)) | group_by(.width) | map(sort_by(-.iterations)[0]);
    def copy: [newest(.variant == "transpose/cuda_copy_memcpy" and .glups)[] | 8 * .glups] | max;
    def share($name; $bytes): copy as $copy | [by_size($name)[] | 100 * $bytes * .glups / $copy] | max;
    def percent: "\(digits) %";

    # Variants of figures 7 to 10: on CUDA, in OpenGL and on processors.
    def shrunk($runs): ([$runs[].glups] | max) as $best | ([$runs[] | select(.width < 1024) | .glups] | max) as $below
        | says($below < $best / 2; "below it at most \(100 * $below / $best | percent) of the best rate; half of it from \(
            first($runs[] | select(.glups >= $best / 2) | "n = \(.width) on (T = \(.iterations))"))");
    def each_row(cell): [[$soft, "targets_fused4"], [$soft, "threads_bound"], [$gpu, "cuda_tuned_sync"]]
        | map(first(cell) // "-");
    # From which T on rates stay within a tenth of the last one.
    def settled($name): [(256, 1024, 2048, 4096) as $n
        | newest(timed and .variant == "poisson5/" + $name and .width == $n)
        | map(select(noisy | not)) | unique_by(.iterations) | select(length > 2)
        | map(.glups) as $rates | $rates[-1] as $last
        | first(range(length) as $k | select(all($rates[$k:][]; . >= 0.9 * $last and . <= 1.1 * $last)) | $k) as $k
        | {so: ($k < length - 1), text: (if $k < length - 1 then "from T = \(.[$k].iterations) on at n = \($n)"
                                         else "\($rates | min | digits) to \($rates | max | digits) GLUP/s at n = \($n)" end)}]
        | if . == [] then "-" else says(false; any(.[]; .so); map(.text) | join(", ")) end;

    # ---- Processors ----
    def cpus($file): $file.cpu | capture("(?<n>[0-9]+) threads").n;
    # However many steps they took; of each variant the first, which 3.1 measured.
    def cpu_rows($file): [$file.records[] | select(.backend == "cpu" and timed and .width >= 512)]
        | (map(.width) | max) as $n | map(select(.width == $n));
    def each_cpu(text): [$files[] | . as $file | cpu_rows($file) | select(map(.variant) | index("poisson5/threads_numa"))
        | {n: (cpus($file) | tonumber), text: "\(cpus($file)) threads, n = \(.[0].width): \(text)"}]
        | unique_by(.n) | map(.text) | ["-", (join("; ") | if . == "" then "-" else . end), "-"];
    def cpu($name): first(.[] | select(.variant == "poisson5/" + $name)) // null;
    def part($a; $b): compared(cpu($a); cpu($b); .glups; "\(.[0] | digits)" + within);

    # ---- Transfers ----
    def pays($names; $backend): newest((.variant | startswith("transfer/")) and .backend == $backend) as $ways
        | ([$ways[] | select(.problem == "round" and .seconds and (noisy | not))]
            | min_by(.seconds / .iterations)) as $way
        | def step($name): newest(timed and .variant == "poisson5/" + $name and .width == $way.width)
              | map(select(noisy | not)) | max_by(.iterations) | values | .seconds / .iterations;
          ([$names[] as $name | step($name)] | min) as $step
        | select($way and $step) | paid($way.seconds / $way.iterations; $step; [step("threads")][0]);
    def payments(cell): [($soft | pays(["rgba", "targets_fused4", "targets_fused8"]; "gl") | cell) // "-",
                         "-", ($gpu | pays(["cuda_tuned_sync"]; "cuda") | cell) // "-"];
    def beside($least; $most): (if . < $least then "sooner" elif . > $most then "later" else "still so" end) + ": \(.)";

    # ---- In parts ----
    def factor: apart | if . >= 1 then . else 1 / . end;
    def gained: "\(.[0].variant | bare) " + if split_gain < 1 then "nothing" else
            "\(split_gain | digits) % at \(100 * min_by(.seconds_a_step).rows / .[0].height | digits) % of the rows" end
        + " (\(factor | digits) times apart)";
    # The newest sweep of each variant, of those that are wanted.
    def in_parts(wanted; so): on_devices([.[] | split_sweeps[] | select(wanted)] | distinct_by(.[0].variant)
        | if . == [] then "-" else says((map(split_gain) | max) | so; map(gained) | join("; ")) end);

    # ---- At the same accuracy: the first contest with such a variant, and T_eff of its variants at other cells ----
    def contest($rows): first(.[] | contests_held as $all | $all[]
        | .opponent as $o | [.points[] | select((.variant | test($rows)) and .seconds and (noisy | not))] | select(. != [])
        | def longer: .iterations * (.alpha + 1) / $o.iterations;
          [$all[] | select(.opponent | .variant == $o.variant and .width == $o.width and .problem == $o.problem and .cell != $o.cell)
             | .points[] | select((.variant | test($rows)) and .seconds) | longer] as $elsewhere
        | map({alpha, seconds, gain: ($o.seconds / .seconds), text: ratio($o; .; .seconds), longer: longer, elsewhere: $elsewhere}));
    def races($number; cell): [["compute", $soft], ["threads", $files], ["cuda", $gpu] | . as [$kind, $in]
        | $in | (contest("/\($kind)_async\($number)$") // null) | if . then cell else "-" end];
    def best: max_by(.gain) | "\(.text) at alpha \(.alpha)";
    def span: map(.longer) | [min, max] | map(digits) | distinct | map(tostring) | join(" to ");

    # ---- Judgements: a word, and of a speed over another, both of figure 11, the variants and a limit ----
    def judged: . as [$key, $one, $other, $limit]
        | if $key == "gains" then on_gpu(over(rung($one); rung($other); . >= ($limit | tonumber)))
        elif $key == "below" then on_gpu(over(rung($one); rung($other); . < ($limit | tonumber)))
        elif $key == "baseline" then each_cpu("\(cpu("threads_bound") // {} | figure(5 * .glups)) GFLOP/s")
        elif $key == "binding" then each_cpu("bound \(part("threads_bound"; "threads")) of unbound")
        elif $key == "numa" then each_cpu("\(part("threads_numa"; "threads_bound")) of bound")
        elif $key == "small_copy" then on_gpu([.[].records[] | select(.variant == "transpose/cuda_copy_memcpy" and .glups)] as $copies
            | (first($copies[] | select(.width * .height == 8388608)).glups) / (first($copies[] | select(.width == 8192 and .height == 8192)).glups)
            | says(. >= 0.95; "\(digits) of a copy of 256 MiB"))
        elif $key == "share" then on_gpu(share("cuda_tuned_sync"; 9.125) as $all | values
            | says($all >= 98.6; "\($all | percent) of a copy, by 8 bytes \(share("cuda_tuned_sync"; 8) | percent)"))
        elif $key == "double" then on_gpu(share("cuda_tuned_sync"; 8) as $single | share("cuda_double_hilo"; 16) as $double
            | says($double < $single; "\($double | percent) at best for \($single | percent) of float, by the least bytes"))
        elif $key == "sizes" then each_row(. as [$in, $name] | $in | by_size($name) | select(length > 3 and .[-1].width >= 1024) | shrunk(.))
        elif $key == "steps" then each_row(. as [$in, $name] | $in | settled($name))
        # With 16 threads; and with 64, where a record has that.
        elif $key == "blocks" then on_gpu(def narrow($block): newest(.variant == "poisson5/cuda_tuned_sync" and .block == $block and .glups) | .[0];
            narrow(641608) as $full
            | over(rung("cuda_tuned_sync"); narrow(1608); . >= 1.4)
              + if $full then ", with 64 threads " + compared(rung("cuda_tuned_sync"); $full; .glups; "\(.[0] | digits)" + within) else "" end)
        elif $key == "transfers" then payments(says(.part >= 30; "\(.part | percent) by the fastest way"))
        elif $key == "match" then payments(if .match == null then "-" elif .match < 0 then "never: `threads` is the faster" else .match | beside(5; 5) end)
        elif $key == "hide" then payments(.hide | beside(60; 100))
        elif $key == "hybrid" then in_parts((.[0].slow // 1) <= 1 and factor < 9; . >= 1)
        elif $key == "unlike" then in_parts(factor >= 9; . < 1)
        elif $key == "model" then on_devices([.[] | split_sweeps[] | (first(.[] | select(.best == 1)) | .seconds_a_step) / (map(.seconds_a_step) | min)]
            | if . == [] then "-" else says(max < 1.05; "its best split at most \(100 * (max - 1) | digits) % from the fastest, of \(length) sweeps") end)
        elif $key == "devices" then on_gpu([(4096, 8192, 16384) as $n
            | def rate($name): newest(timed and .variant == "poisson5/" + $name and .width == $n and .iterations == 72) | .[0];
              def by($name): compared(rate($name); rate("cuda_sweep"); .glups; {gain: .[0], text: "\(.[0] | digits)\(within)"});
              [by("parts_cuda"), by("parts_cuda_locked") | select(. != "-")] | select(. != [])
            | {gain: .[0].gain, text: "\(.[0].text)\(if .[1] then " (through the host \(.[1].text))" else "" end) at n = \($n)"}]
            | if . == [] then null else says(any(.[]; .gain >= 1.75); map(.text) | join(", ")) end)
        # Runs at the same accuracy have no spread; a tenth among them says nothing.
        elif $key == "never_faster" then races(1; (map(.gain) | max) as $most
            | if $most > 1 and $most <= 1.1 then "still so, within runs that differ by a tenth: " + best else says($most <= 1; best) end)
        elif $key == "takes_more" then races(1; says(all(.[]; .longer > 1); "\(span) of T"))
        elif $key == "fewer_accesses" then races(2; says(max_by(.gain).gain >= 1.2; best + ", \(max_by(.gain).longer | digits) of T"))
        # Seen only where an alpha of 15 or more was tried, or a smaller one does not gain.
        elif $key == "small_alpha" then races(2; [.[] | select(.gain > 1).alpha] as $gains
            | if ($gains | length) == length and all(.[]; .alpha < 15) then
                  "not seen: only alpha \(map(.alpha | tostring) | join(" and ")) were tried, and \(if length == 2 then "both" else "all" end) gain"
              else says($gains != [] and ($gains | max) < 15;
            if $gains == [] then "for none" else "faster for alpha \($gains | min) to \($gains | max) of \(map(.alpha) | min) to \(map(.alpha) | max)" end) end)
        elif $key == "wildest" then races(3; says(max_by(.gain).gain >= 2; best))
        # The first spike is in the first cell of its block; others of its size in the middle of one.
        elif $key == "accelerates" then races(3; all(.[]; .longer < 1) as $first | (map(.elsewhere[]) | distinct | map({longer: .})) as $others
            | all($others[]; .longer < 1) as $all
            | says($first and $all; $first or ($others != [] and $all);
                   "\(span) of T" + if $others != [] then " (\($others | span) with the spike in the middle of a block)" else "" end))
        # Launches of the best of all for each spike, against as many exact steps by the row that keeps them on the chip.
        elif $key == "worth" then on_gpu(first(.[] | [contests_held[] | select(.opponent.problem == "spike" and .opponent.width == 4096)
                    | {at: (.opponent.cell | sub(".* at "; "")), steps: .opponent.iterations,
                       seconds: ([.points[] | select((.variant | test("/cuda_async")) and .seconds and (noisy | not)).seconds] | min)}
                    | select(.seconds)] | select(. != [])) as $loose
            | ([.[].records[] | select(timed and .variant == "poisson5/cuda_temporal" and .width == 4096)] | max_by(.iterations)) as $exact
            | if $loose and $exact then ($loose[0].steps * 4096 * 4096 / 1e9 / $exact.glups) as $seconds
              | [$loose[].seconds < $seconds] as $wins
              | says($wins | all; $wins | any; "spike " + ([$loose[] | "at \(.at) \(1e3 * .seconds | digits)"] | .[0] += " ms" | join(", "))
                     + "; \($loose[0].steps) exact steps by `cuda_temporal` \(1e3 * $seconds | digits)")
              else empty end)
        else error("no judgement is called \($key)") end;

    words[0] as $chapter | [list(1) | select(.[0] | startswith($chapter))] as $lines
    | if $lines == [] then error("no lines of \($chapter)") else
      words_head(["", "the thesis", "there", "llvmpipe", "processors", ($gpu[0].device // "NVIDIA" | device), "why"]),
      ($lines[] | row(.[:3] + (.[3] | split(" ") | judged) + .[4:])) end;
