#!/bin/sh
# SPDX-License-Identifier: MIT
# Breaks lines of shaders above 60 columns, for pages that phones show: narrow.sh <TEXT. A line goes on, further to the right, before an
# operator or after a comma, inside as few brackets as it can.
set -eu
awk -v most=60 '
function depth_at(text, end,    i, c, depth) {
    for (i = 1; i <= end; i++) {
        c = substr(text, i, 1)
        depth += (c == "(") - (c == ")")
    }
    return depth
}
# Rank of a break at a blank, of which the least is the best: by brackets, then by what is beside it; 0 if there can be none.
function rank(text, i,    before, after) {
    before = substr(text, i - 1, 1)
    after = substr(text, i + 1, 3)
    if (before == ";" || before == ",")
        return 10 * depth_at(text, i) + 1
    if (after ~ /^(\? |\|\||&&)/)
        return 10 * depth_at(text, i) + 2
    if (after ~ /^[-+] /)
        return 10 * depth_at(text, i) + 3
    return after ~ /^[*\/] / ? 10 * depth_at(text, i) + 6 : 0
}
function place_of(text, from,    i, best, least, own) {
    least = 999
    for (i = most + 1; i > from; i--)
        if (substr(text, i, 1) == " " && (own = rank(text, i)) > 0 && own < least) {
            least = own
            best = i
        }
    return best
}
{
    line = $0
    match(line, /^ */)
    if (length(line) > most && RLENGTH > 8) {
        line = sprintf("%8s", "") substr(line, RLENGTH + 1)
        RLENGTH = 8
    }
    indent = RLENGTH
    while (length(line) > most && (at = place_of(line, indent + 8)) > 0) {
        print substr(line, 1, at - 1)
        line = sprintf("%" (indent + 4) "s", "") substr(line, at + 1)
    }
    print line
}'
