#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows how far a build is in place of its lines: count.sh FILES, behind make's output on standard input. Fails where
# the last line is "failed". Warnings and errors are on make's other stream, in full.
exec awk -v all="$1" '
    /^  (compile|embed|archive|link) / {
        if (++done % 40 == 0) {
            printf "  %d of %d files\n", done, done > all ? done : all
            fflush()
        }
        next
    }
    $0 == "failed" { exit 1 }
    !/Nothing to be done/
    { fflush() }'
