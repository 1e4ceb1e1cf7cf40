#!/bin/sh
# SPDX-License-Identifier: MIT
# The binary interface that programs are linked with, a line each, sorted: abi.sh BUILD_DIR [INCLUDE_DIR]
# Functions that libquadpass.so exports; of the public headers the size of each struct, offset and size of its
# members, and values of enumerators; of one that counts those before it ("count") the number may grow.
# The first line has the version. The list of a SONAME: tools/abi.sh build/release >tests/house/abi-NUMBER.txt
set -eu
if [ $# -lt 1 ] || [ ! -f "$1/libquadpass.so" ]; then
    echo 'usage: tools/abi.sh BUILD_DIR [INCLUDE_DIR], where the build folder holds libquadpass.so' >&2
    exit 2
fi
build=$1
include=${2:-$(dirname "$0")/../include}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A C program that prints what the compiler makes of the headers.
awk '
# The text up to the brace that closes the one before it; what follows is left in `text`.
function body(    depth, i, c, inside) {
    for (i = depth = 1; depth > 0 && i <= length(text); i++) {
        c = substr(text, i, 1)
        depth += (c == "{") - (c == "}")
    }
    inside = substr(text, 1, i - 2)
    text = substr(text, i)
    return inside
}
# Drops what is between a pair of these, innermost pairs first.
function drop(in_text, pair) {
    while (match(in_text, pair))
        in_text = substr(in_text, 1, RSTART - 1) substr(in_text, RSTART + RLENGTH)
    return in_text
}
function members(name, inside,    declared, names, n, m, i, k, one) {
    inside = drop(inside, "[{][^{}]*[}]")
    gsub(/\( *\*/, "*", inside) # a pointer to a function, whose arguments are dropped
    inside = drop(inside, "\\([^()]*\\)")
    gsub(/\[[^]]*\]/, "", inside)
    gsub(/\)/, "", inside)
    n = split(inside, declared, ";")
    for (i = 1; i < n; i++) {
        m = split(declared[i], names, ",")
        for (k = 1; k <= m; k++) {
            one = names[k]
            sub(/ +$/, "", one)
            sub(/.*[^A-Za-z0-9_]/, "", one)
            printf "    MEMBER(%s, %s);\n", name, one
        }
    }
}
# The last one counts the others if it ends with an S and does not begin as they do.
function enumerators(name, inside,    names, n, k, one, prefix, counts) {
    sub(/,? *$/, "", inside)
    n = split(inside, names, ",")
    for (k = 1; k <= n; k++) {
        one = names[k]
        sub(/=.*/, "", one)
        gsub(/ /, "", one)
        if (k == 1 && match(one, /^QP_[A-Z]+_/))
            prefix = substr(one, 1, RLENGTH)
        counts = k == n && name != "" && one ~ /S$/ && (prefix == "" || index(one, prefix) != 1)
        printf "    VALUE(\"%s\", %s);\n", counts ? "count" : "value", one
    }
}
/^#/ { next }
{ text = text " " $0 }
END {
    gsub(/\t/, " ", text)
    while (i = index(text, "/*"))
        text = substr(text, 1, i - 1) substr(text, i + 1 + index(substr(text, i + 2), "*/") + 2)
    print "#include <quadpass/quadpass.h>"
    print "#include <stddef.h>"
    print "#include <stdio.h>"
    print "#define MEMBER(s, m) printf(\"member %s.%s %zu %zu\\n\", #s, #m, offsetof(struct s, m), sizeof ((struct s *)0)->m)"
    print "#define VALUE(kind, v) printf(\"%s %s %lld\\n\", kind, #v, (long long)v)"
    print "int main(void)\n{"
    while (match(text, /(struct [a-z0-9_]+|enum( [a-z0-9_]+)?) [{]/)) {
        head = substr(text, RSTART, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        name = head
        sub(/^(struct|enum) ?/, "", name)
        if (head ~ /^struct/) {
            printf "    printf(\"size %s %%zu\\n\", sizeof(struct %s));\n", name, name
            members(name, body())
        } else
            enumerators(name, body())
    }
    print "    return 0;\n}"
}' "$include"/quadpass/*.h >"$scratch/abi.c"

${CC:-cc} -std=c11 -I"$include" "$scratch/abi.c" -o "$scratch/abi"
sed -n 's/^#define QP_VERSION "\(.*\)"/version \1/p' "$include/quadpass/quadpass.h"
{
    nm -D --defined-only "$build/libquadpass.so" |
        awk '$3 !~ /^(_edata|_end|__bss_start|__odr_asan.*)$/ { print "function " $3 }'
    "$scratch/abi"
} | LC_ALL=C sort
