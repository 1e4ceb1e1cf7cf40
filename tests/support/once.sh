#!/bin/bash
# SPDX-License-Identifier: MIT
# A C compiler that compiles the same reference once: once.sh ARGUMENTS of $COMPILER. A call that makes a shared object, or
# sees to the syntax, of files that include none beside them, is kept in the folder $COMPILED, by its arguments and the texts.
key='' object='' made='' texts=() others=0
for ((i = 1; i <= $#; i++)); do
    word=${!i}
    case $word in
    -o) i=$((i + 1)) object=${!i} ;;
    -shared | -fsyntax-only) made=$word key+=" $word" ;;
    *) if [ -f "$word" ]; then texts+=("$word"); else key+=" $word"; fi ;;
    esac
done
for text in "${texts[@]}"; do
    content=$(<"$text")
    [[ $content != *'#include "'* && $content != *__FILE__* ]] || others=1
    key+=$'\n'$content
done
if [ -z "$made" ] || [ $others -ne 0 ]; then exec ${COMPILER:-cc} "$@"; fi
read -r sum _ < <(sha1sum <<<"$key")
kept=$COMPILED/$sum
if [ ! -e "$kept.code" ]; then
    said=$(${COMPILER:-cc} "$@" 2>&1)
    code=$?
    [ -z "$said" ] || printf '%s\n' "$said" >&2
    # A sentence names this file; nobody reads those of a look at syntax.
    if [ "$made" = -shared ] && [ $code$"$said" != 0 ]; then exit $code; fi
    if [ -n "$object" ]; then cp "$object" "$kept.$$" && mv "$kept.$$" "$kept"; fi
    echo $code >"$kept.$$" && mv "$kept.$$" "$kept.code"
    exit $code
fi
if [ -n "$object" ]; then cp "$kept" "$object" || exit 1; fi
exit "$(<"$kept.code")"
