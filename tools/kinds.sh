#!/bin/sh
# SPDX-License-Identifier: MIT
# The kinds of problem as parts of a manual page, with `quadpass` in the PATH.
set -eu
quadpass list --kinds | sed -e '/^$/d' -e 's/-/\\-/g' -e 's/^ \{15\}/.br\n/' \
    -e 's/^  \([a-z0-9_]*\)  */.TP\n.B \1\n/' -e 's/^[a-z]/.SS &/' | fold -s -w 79 | sed 's/ $//'
