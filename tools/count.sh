#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows how far a build is, in place of its lines: count.sh FILES, with make's output on standard input. Fails where its
# last line is "failed". Warnings and errors are on make's other stream, in full.
set -eu
done=0
code=0
while IFS= read -r line; do # not awk, which may read blocks of a pipe
    case $line in
    '  compile '* | '  embed '* | '  archive '* | '  link '*)
        done=$((done + 1))
        [ $((done % 40)) -ne 0 ] || echo "  $done of $((done > $1 ? done : $1)) files"
        ;;
    'make'*': Nothing to be done for '*) ;;
    failed) code=1 ;;
    *) printf '%s\n' "$line" ;;
    esac
done
exit $code
