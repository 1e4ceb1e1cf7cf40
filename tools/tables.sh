#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown tables of records and lists: tables.sh TABLE [WORD...] FILE.json|FILE.csv... [WORD...]
# Of benchmarks' records (speeds.jq):
#   grid WIDTH HEIGHT [VARIANTS]   speeds on one grid: a column for each record
#   sizes [VARIANTS]               of one device on square grids: a column for each size
#   grid_bars WIDTH HEIGHT [VARIANTS], sizes_bars [VARIANTS]   bars of both for `quadpass draw bars'; a group is a device (of one device, a backend), or a variant
#   cubes [VARIANTS]               of eliminations: nanoseconds for each of N^3 updates, a table for each device, a column for each N
#   sweeps KINDS gbytes_per_s|gflops|error|ns [p=P,P...] [VARIANTS]   problems of access: a line for each parameter, or those that are
#                      named, at the largest size there is, a column for each variant. Errors are in units of 2^-24. ns is the time of an
#                      update, a line for each size: where updates wait for each other, a latency
#   accuracy           of `quadpass accuracy`: the largest error and the root mean square, in units of 2^-24 of the largest sum that one
#                      update forms
#   floors             of `quadpass accuracy poisson5/...`, the last record: how near each way comes to the exact discrete solution of `sine`
#                      by n, where it says so; then steps and time to an error of `field`, 1e-6 where it says none
#   precision CASES    of `quadpass accuracy`, records of several problems: digits that each precision reaches, and seconds; what has no
#                      variant is a dash, what gave no answer "refused"
#   precision_conditions, precision_bars CASES   the digits by the condition; bars for `quadpass draw bars'
#   batches            of gauss_jordan_batch, a table for each record: 1e6 systems solved a second, a column for each number of systems
#   curve              the same, a line for each number of unknowns, and the CUDA variant over the better of the maker's libraries
#   blocks             of `gauss_jordan/blocks*' --block all`: seconds of an elimination, and vertices a second of those that do nothing else
#   draws              of `spmv/diagonals --block all`: the least, first quartile and median of milliseconds a product
#   groups             of `--group all`
#   sparse             of `spmv --problem all`: 1e9 entries a second, each kind at its largest size, and the geometric mean of variants that
#                      take all kinds
#   styles             of `--pingpong all --target all`: GLUP/s of the default style, and those of the others in parts of it
#   transfers, pieces  GB/s over the bus, a table for each device and kind of problem: a column for each size of the array, or of its pieces
#   transpose          GB/s; in brackets the share of the fastest copy of that size on the same backend
#   turns              of one device on square grids: what a step takes where OpenGL and CUDA share textures; the last lines are
#                      differences, what changing hands and registering cost
# Of `quadpass bench --paper 5`, the last record (thesis.jq); others are printed by its --from RECORD --markdown:
#   baselines          rates of the CPU baselines against n (3.1)
#   steps              rates of the tuned kernel against T (figures 7 to 10)
#   shapes             blocks of other shapes (3.4)
#   payback            what transfers cost, and the steps that pay for them (figure 12)
#   async              asynchronous variants against alpha, at equal accuracy (figure 21)
#   contests           the fastest of each asynchronous variant for each grid and right-hand side
#   systems            of poisson5_batch: many small grids at once, over a graph of launches for each
#   splits             of `quadpass model`, too: a table for each sweep of splits
#   best_splits        the same, a line for each sweep: how far apart the parts are, and what the best split gains
#   sizes_chart, async_chart, splits_chart   SVGs: rates against n, asynchronous variants against alpha, a model and what was measured
# Of a list, most with records (lists.jq, where each says what its list holds; conclusions.jq):
#   ladder WIDTH HEIGHT, forgiven SECTION, reach, opponents, places, operations, commands, conclusions CHAPTER
#   years              bars for `quadpass draw bars', of a list that names the file of each figure
# VARIANTS and KINDS are 'NAME|NAME...'. What has no speed shows its verdict, what is not there a dash.
set -eu
usage() {
    sed -n 's/^# Markdown tables of records and lists: /usage: tools\//p; s/^#   //p' "$0" >&2
    exit 2
}
[ $# -ge 2 ] || usage
table=$1
shift
files='' lists=0
# shellcheck disable=SC2046 # names are separate words
if [ "$table-$#" = years-1 ]; then set -- "$1" $(sed 1d "$1" | cut -d, -f4 | sort -u); fi
for word in "$@"; do
    shift
    case $word in
    *.json) files="$files $word" ;;
    *.csv) lists=$((lists + 1)) files="$files --rawfile list$lists $word --arg file$lists $word" ;;
    *) set -- "$@" "$word" ;;
    esac
done
case $table-$# in
grid-[23] | grid_bars-[23] | sizes-[01] | sizes_bars-[01] | cubes-[01] | sweeps-[234] | accuracy-0 | floors-0 | precision-1 | precision_bars-1 | precision_conditions-0 | batches-0 | curve-0 | blocks-0 | draws-0 | groups-0 | \
    sparse-0 | styles-0 | transfers-0 | pieces-0 | transpose-0 | turns-0 | baselines-0 | steps-0 | shapes-0 | payback-0 | async-0 | contests-0 | \
    systems-0 | splits-0 | best_splits-0 | sizes_chart-0 | async_chart-0 | splits_chart-0) [ -n "$files" ] || usage ;;
ladder-2 | forgiven-1 | reach-0 | opponents-0 | places-0 | operations-0 | commands-0 | conclusions-1 | years-0) [ $lists -gt 0 ] || usage ;;
*) usage ;;
esac
rows='' sentences=''
case $table in places | operations) rows=$(quadpass list --json -) sentences=$(quadpass list) ;; esac
# shellcheck disable=SC2086 # names are separate words
printf %s "$rows" | jq -L "$(dirname "$0")" --null-input --raw-output --slurpfile rows /dev/stdin --arg sentences "$sentences" "
    include \"speeds\"; include \"thesis\"; include \"lists\"; include \"conclusions\";
    [inputs | .file = input_filename] | $table" $files --args "$@"
