#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs into a scratch folder and builds a foreign program against it: install.sh BUILD_DIR
# Called by `make install-test`, with MAKE and CC in the environment.
set -euo pipefail

[ $# -eq 1 ] || { echo 'usage: tests/install.sh BUILD_DIR' >&2; exit 2; }
cd "$(dirname "$0")/.."
read -ra make <<<"${MAKE:-make}"
read -ra cc <<<"${CC:-cc}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

fail() {
    echo "install test: failed: $*" >&2
    exit 1
}

# The configuration that was built. A sanitized library can only be linked by a sanitized program.
settings=(SETUP=0 DEBUG=)
sanitize=()
if [ "${1##*/}" = debug ]; then
    settings=(SETUP=0 DEBUG=1)
    sanitize=("-fsanitize=address,undefined")
fi

# run TARGET SETTING...: make, shown only if it fails.
run() {
    "${make[@]}" --no-print-directory "${settings[@]}" "$@" >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        fail "make $*"
    }
}

run install "PREFIX=$prefix" DESTDIR=
for file in bin/quadpass lib/libquadpass.a lib/libquadpass.so lib/libquadpass.so.0 \
    lib/pkgconfig/quadpass.pc include/quadpass/quadpass.h; do
    [ -e "$prefix/$file" ] || fail "make install left out $file"
done
readelf -d "$prefix/lib/libquadpass.so" | grep -q 'SONAME.*\[libquadpass\.so\.0\]' ||
    fail 'the SONAME is not libquadpass.so.0'

# From here on only what was installed is known, and nothing of the source tree.
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
version=$(pkg-config --modversion quadpass)
cat >"$scratch/foreign.c" <<'END'
#include <quadpass/quadpass.h>
#include <stdio.h>

int main(void)
{
    struct qp_problem_desc desc = {.op = "jacobi9", .width = 16, .height = 16, .seed = 1};
    struct qp_walk_desc steps = {.iterations = 10};
    struct qp_problem problem;
    struct qp_result result;
    const struct qp_variant *variant = qp_variant_find("jacobi9/bands_cpu");
    if (variant == NULL || qp_problem_create(&desc, &problem) != QP_OK ||
        qp_walk(NULL, variant, &problem, &steps, &result) != QP_OK) {
        fprintf(stderr, "%s\n", qp_error());
        return 1;
    }
    printf("%s %zu variants, %d steps: %s\n", qp_version(), qp_variant_count(), result.iterations,
           qp_verdict_name(result.verdict));
    qp_problem_destroy(&problem);
    return result.verdict == QP_PASS && result.iterations == 10 ? 0 : 1;
}
END

# compile PROGRAM LIBRARY-FLAG...
compile() {
    local program=$1 cflags
    shift
    read -ra cflags <<<"$(pkg-config --cflags quadpass)"
    "${cc[@]}" -std=c11 -Wall -Wextra -Wpedantic -Werror "${sanitize[@]}" "${cflags[@]}" \
        "$scratch/foreign.c" -o "$scratch/$program" "$@" || fail "the $program program does not build"
}

# expect COMMAND...: it runs from / and names the version.
expect() {
    local said
    said=$(cd / && "$@") || fail "exit code $? from $*"
    [[ " $said " == *" $version "* ]] || fail "'$version' is not in what $* says: $said"
    echo "  $said"
}

read -ra libs <<<"$(pkg-config --libs quadpass)"
compile shared "${libs[@]}"
readelf -d "$scratch/shared" | grep -q 'NEEDED.*\[libquadpass\.so\.0\]' ||
    fail 'the shared program does not ask for libquadpass.so.0'
expect env LD_LIBRARY_PATH="$prefix/lib" "$scratch/shared"

# The linker prefers a shared library of the same name, so the static one is named in full.
read -ra libs <<<"$(pkg-config --static --libs quadpass | sed 's/-lquadpass\>/-l:libquadpass.a/')"
compile static "${libs[@]}"
if readelf -d "$scratch/static" | grep -q 'NEEDED.*libquadpass'; then
    fail 'the static program asks for the shared library'
fi
expect "$scratch/static"

expect "$prefix/bin/quadpass" --version

run uninstall "PREFIX=$prefix" DESTDIR=
left=$(find "$prefix" ! -type d)
[ -z "$left" ] || fail "make uninstall left behind: $left"

# As packagers do it: into a stage, for another place.
run install PREFIX=/usr "DESTDIR=$scratch/stage"
grep -qx 'prefix=/usr' "$scratch/stage/usr/lib/pkgconfig/quadpass.pc" ||
    fail 'the staged quadpass.pc names the stage'

echo 'install test: passed'
