#!/bin/sh
# SPDX-License-Identifier: MIT
# A Markdown table of ping-pong styles and texture targets from a record of
# `quadpass bench --pingpong all --target all`: styles.sh RECORD...
# Speeds in GLUP/s of the default style, and those of the others in parts of it.
set -eu
[ $# -ge 1 ] || {
    echo 'usage: tools/styles.sh RECORD...' >&2
    exit 2
}
jq -L "$(dirname "$0")" --slurp --raw-output '
    include "tables";
    ["two_attachments", "two_fbos", "reattach", "copy"] as $styles | ["rect", "2d"] as $targets
    | [$targets[] as $t | $styles[] as $s | {$s, $t}] as $ways
    | head(["device, size, variant", "GLUP/s"] + [$ways[1:][] | "`\(.s)` \(.t)"]),
      (.[] as $file
       | ($file.records | map(select(.pingpong)) | group_by([.width, .height, .variant])[]) as $runs
       | ($runs | map({key: "\(.pingpong) \(.target)", value: .}) | from_entries) as $of
       | $of["two_attachments rect"] as $first
       | row(["\($file.device | device), \($first.width) x \($first.height), `\($first.variant)`", ($first | speed)]
             + [$ways[1:][] | $of["\(.s) \(.t)"]
                | if .glups then share(.; $first; .glups; round) else .verdict end]))
' "$@"
