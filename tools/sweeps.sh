#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of problems of access, from records of `quadpass bench`:
#   sweeps.sh 'KIND|KIND...' gbytes_per_s|gflops|error|ns RECORD... [p=P,P...] ['VARIANT|VARIANT...']
# A line for each parameter (or those that are named) at the largest size there is, a column for each row. What has no
# speed there shows its verdict, what is not there a dash, what nobody recorded a line that says so; errors are in units of 2^-24.
# ns is the time of an update, a line for each size: where updates wait for each other, a latency.
set -eu
usage() {
    echo "usage: tools/sweeps.sh 'KIND|KIND...' gbytes_per_s|gflops|error|ns RECORD... [p=P,P...] ['VARIANT|VARIANT...']" >&2
    exit 2
}
[ $# -ge 3 ] || usage
kind=$1
case $2 in
gbytes_per_s) unit=GB/s ;;
gflops) unit='1e9 operations/s' ;;
error) unit='error' ;;
ns) unit='ns an update' ;;
*) usage ;;
esac
field=$2
shift 2
wanted='.*'
files='' only=''
for word in "$@"; do
    case $word in
    *.json) files="$files $word" ;;
    p=*) only=${word#p=} ;;
    *) wanted=$word ;;
    esac
done
[ -n "$files" ] || usage
# shellcheck disable=SC2086 # names are separate words
jq -L "$(dirname "$0")" --slurp --raw-output --arg kind "^($kind)\$" --arg field "$field" --arg unit "$unit" \
    --argjson only "[$only]" --arg wanted "^[^/]+/($wanted)\$" '
    include "tables";
    .[0].device as $device
    | [.[].records[] | select((.problem | test($kind)) and .parameter != null and (.variant | test($wanted))
                              and (.parameter as $p | $only == [] or any($only[]; . == $p)))] as $runs
    | ([$runs[].width] | max) as $width
    | [$runs[] | select($field == "ns" or .width == $width)] as $runs
    | ([$runs[].variant] | distinct) as $variants
    | ([$runs[].problem] | distinct) as $kinds
    | def size: "\(.width) x \(.height)";
      def cell: if $field == "ns" then figure(1 / .glups)
                elif $field == "error" and .error != null then .error * 16777216 | digits | "\(.) u"
                else figure(.[$field]) end;
      if $runs == [] then "(no record)" else
      head(["\($device | device), \(if $kinds[1] then "" else "\($kinds[0]), " end)\(
             if $field == "ns" then "" else "\($runs[0] | size), " end)\($unit)"]
           + [$variants[] | "`\(sub(".*/"; ""))`"]),
      ($kinds[] as $kind | [$runs[] | select(.problem == $kind) | {width, height, parameter}] | unique | .[] as $at
       | row([(if $field == "ns" then "\($at | size), " else "" end) + (if $kinds[1] then "\($kind), " else "" end)
              + "p = \($at.parameter)"] + [$variants[] | . as $variant
              | first($runs[] | select(.variant == $variant and .parameter == $at.parameter and .width == $at.width
                                       and .problem == $kind)) // {} | cell]))
      end
' $files
