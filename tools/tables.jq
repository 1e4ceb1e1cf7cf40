# SPDX-License-Identifier: MIT
# Functions of all tables of tables.sh, and of conclusions and charts: `include "tables"`.

# Three digits, as many places as they need.
def digits: if . >= 100 then round elif . >= 10 then (. * 10 | round / 10)
            elif . >= 1 then (. * 100 | round / 100)
            elif . >= 0.001 or . <= 0 then (. * 1000 | round / 1000) else (. * 100000 | round / 100000) end;

# Samples too far apart for one figure: their middle half lies over more than a fifth of the median. Old records have none.
def noisy: (.spread // 0) > 0.2 and (.samples | length) > 1;

# The record as it were had its run taken so long.
def lasting($seconds): .seconds as $was | .seconds = $seconds
    | reduce ("glups", "gbytes_per_s", "gflops") as $rate (.; if .[$rate] then .[$rate] *= $was / $seconds else . end);

def number(value): [value?] | .[0];

# Figure of a record on a page: the number that `value` takes from it, or of a noisy one the least and the largest; a record without
# it says why, and no record is a dash.
def figure(value): if number(value) == null then .verdict // "-"
    elif noisy then [lasting(.samples | min, max) | value] | sort | map(digits | tostring) | join(" to ")
    else value | digits | tostring end;

# A record over another: `show` writes [the ratio, both spreads], the latter null where they are not known, or both
# are one. A noisy one has no ratio.
def compared($one; $other; value; show): if any($one, $other; number(value) == null or noisy) then "-"
    else [($one | value) / ($other | value), if $one.spread and $other.spread and $one != $other then $one.spread + $other.spread else null end] | show end;
def percent: 100 * . | ceil;
def within: if .[1] then " ±\(.[1] | percent) %" else "" end;
def ratio($one; $other; value): compared($one; $other; value; "\(.[0] | digits)" + within);

# The same in percent of the other, whole or in digits: "57 %", or "57 ±2 %".
def share($one; $other; value; whole): compared($one; $other; value;
    "\(100 * .[0] | whole)" + if .[1] then " ±\(.[0] * .[1] | percent)" else "" end + " %");

# Runs of one thing: the first of the newest record that has one, or none.
def newest: (map(.date) | max) as $date | first(.[] | select(.date == $date)) // {};

# A record's speed.
def speed: figure(.glups);

# The device without the words after its name.
def device: sub(" \\(.*|/PCIe.*"; "");

# Its name in one word: of an NVIDIA GPU the model.
def model: device | split(" ") | .[1] // .[0];

# The device without its bus alone.
def short: sub("/PCIe.*"; "");

# A variant's name without its operation; the same as code, a record's as code with it, and its size.
def plain: sub(".*/"; "");
def bare: "`\(plain)`";
def name: "`\(.variant)`";
def size: "\(.width) x \(.height)";

def rounded($places): . * pow(10; $places) | round / pow(10; $places);

# Values in the order of their first occurrence.
def distinct_by(f): reduce .[] as $v ([]; if any(.[]; f == ($v | f)) then . else . + [$v] end);
def distinct: distinct_by(.);

# Words of the command; lines of list number $n, each cut at its commas, with and without its head.
def words: $ARGS.positional;
def list_with_head($n): $ARGS.named["list\($n)"] | split("\n")[] | select(. != "") | split(",");
def list($n): [list_with_head($n)][1:][];

def row(cells): "| " + (cells | join(" | ")) + " |";

# The first column names, the others are numbers.
def head(cells): row(cells), row(["---"] + [cells[1:][] | "---:"]);

# A head whose columns are all words.
def words_head(cells): row(cells), row([cells[] | "---"]);

# A line for each `line` that runs have, a column for each of these values of `place`, and in a cell the newest run of both.
def pivot($runs; $title; $columns; head_of; place; line; text):
    head([$title] + ($columns | map(head_of))),
    ([$runs[] | line] | distinct | .[] as $line
     | row([$line] + [$columns[] as $column | [$runs[] | select(line == $line and place == $column)] | newest | text]));

# A table for each of these, with a blank line between two.
def each(table): to_entries[] | .key as $key | .value | (if $key > 0 then "" else empty end), table;

# Four systems of the Jacobi variants share the cells of one: half the width and height each.
def part: if .systems > 1 and (.variant | startswith("jacobi9/")) then 2 else 1 end;

# A record's speed in a unit: GLUP/s, GB/s, ms of one iteration, or systems a second in a unit such
# as "1e6 systems/s".
def measure($unit): if $unit == "GLUP/s" then .glups elif $unit == "GB/s" then .gbytes_per_s elif $unit == "ms" then 1e3 * .seconds / .iterations
                    else .systems * .iterations / .seconds / ($unit | split(" ")[0] | tonumber) end;

# Transfers of so many seconds beside steps: percent that they are of 32 steps; steps that bring them below a fifth; and those that match an
# opponent's, below 0 where none do, null without one.
def paid($transfers; $step; $opponent): {part: (100 * $transfers / ($transfers + 32 * $step)), hide: (4 * $transfers / $step | ceil),
    match: (if $opponent == null then null elif $opponent > $step then ($transfers / ($opponent - $step) | ceil) else -1 end)};

# Sweeps of splits in a record, each by rising rows; a bench writes the rows as a split, and no prediction.
def split_sweeps:
    [.records[] | select(.runs == "sweep" or (.runs == null and .split != null and .width == .height and .seconds))
     | . + {rows: (.rows // .split), seconds_a_step: (.seconds_a_step // (.seconds / .iterations))}]
    | reduce .[] as $r ([]; if . == [] or .[-1][-1].rows >= $r.rows then . + [[$r]] else .[-1] += [$r] end)
    | map(select(length >= 10));

# How many times as long as the upper part's a step of the lower part takes, each alone; and percent that the fastest split gains.
def apart: .[-1].seconds_a_step / .[0].seconds_a_step;
def split_gain: 100 * (([.[0, -1].seconds_a_step] | min) / ([.[].seconds_a_step] | min) - 1);

# Runs of figure 21, which are not timed with their transfers: contests, each an opponent of T steps and points after it; a variant that
# waits after each step may come before. A point has launches as its iterations.
def contests_held: reduce (.records[] | select(has("upload_seconds") and .upload_seconds == null)) as $r ([];
    if $r.alpha == null then . + [{opponent: $r, points: []}] elif . == [] then . else .[-1].points += [$r] end) | map(select(.points != []));
