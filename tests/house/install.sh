#!/bin/bash
# SPDX-License-Identifier: MIT
# Looks at what make would run, installs into a scratch folder and builds a foreign program against it: install.sh BUILD_DIR
# Called by `make install-test`, with MAKE and CC in the environment.
set -euo pipefail

[ $# -eq 1 ] || { echo 'usage: tests/house/install.sh BUILD_DIR' >&2; exit 2; }
cd "$(dirname "$0")/../.."
read -ra make <<<"${MAKE:-make}"
read -ra cc <<<"${CC:-cc}"
soname=libquadpass.so.$(sed -n 's/^SOVERSION := //p' Makefile)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "install test: failed: $*" >&2
    exit 1
}

# The configuration that was built. A sanitized library can only be linked by a sanitized program, which
# is not to find leaks of the driver.
settings=(SETUP=0 DEBUG=)
sanitize=()
environment=()
if [ "${1##*/}" = debug ]; then
    settings=(SETUP=0 DEBUG=1)
    sanitize=("-fsanitize=address,undefined")
    environment=(ASAN_OPTIONS=detect_leaks=0)
fi

# run TARGET SETTING...: make, shown only if it fails.
run() {
    "${make[@]}" --no-print-directory "${settings[@]}" "$@" >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        fail "make $*"
    }
}

# Runs a variant; its exit code is 3 without a device.
cat >"$scratch/foreign.c" <<'END'
#include <quadpass/quadpass.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct qp_problem_desc desc = {.op = "jacobi9", .width = 16, .height = 16, .seed = 1};
    struct qp_walk_desc steps = {.iterations = 10};
    struct qp_context *context = NULL;
    struct qp_problem problem = {0};
    struct qp_result result = {0};
    const struct qp_variant *variant = qp_variant_find(argv[argc - 1]);
    enum qp_status status = variant != NULL ? QP_OK : QP_BAD_USE;
    if (status == QP_OK && variant->backend == QP_GL)
        status = qp_context_create(NULL, &context);
    if (status == QP_OK)
        status = qp_problem_create(&desc, &problem);
    if (status == QP_OK)
        status = qp_walk(context, variant, &problem, &steps, &result);
    if (status == QP_OK)
        printf("%s with %s, %d steps: %s\n", qp_version(), variant->name, result.iterations,
               qp_verdict_name(result.verdict));
    else
        printf("%s\n", qp_error());
    qp_problem_destroy(&problem);
    qp_context_destroy(&context);
    if (status == QP_NO_DEVICE)
        return 3;
    return status == QP_OK && result.verdict == QP_PASS && result.iterations == 10 ? 0 : 1;
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

# expect COMMAND...: it runs from / with nothing in its environment and names the version.
expect() {
    local said code=0
    said=$(cd / && env -i "${environment[@]}" "$@") || code=$?
    if [ $code -eq 3 ] && [[ ,${REQUIRE:-}, != *,gl,* ]]; then
        echo "  skipped: $said"
        return
    fi
    [ $code -eq 0 ] || fail "exit code $code from $*: $said"
    [[ " $said " == *" $version "* ]] || fail "'$version' is not in what $* says: $said"
    echo "  $said"
}

# Both kinds of programs, with a variant that needs no OpenGL and one whose shaders are in the library.
link_and_run() {
    local lib=$1 libs program
    read -ra libs <<<"$(pkg-config --libs quadpass)"
    compile shared "${libs[@]}" "-Wl,-rpath,$lib"
    readelf -d "$scratch/shared" | grep -qF "[$soname]" ||
        fail "the shared program does not ask for $soname"
    # The linker prefers a shared library of the same name, so the static one is named in full.
    read -ra libs <<<"$(pkg-config --static --libs quadpass | sed 's/-lquadpass\>/-l:libquadpass.a/')"
    # CUDA's runtime is on this machine and not in the stage, which pkg-config puts in front of its place.
    LIBRARY_PATH=$(sed -n 's/.* -L\([^ ]*\) -lcudart_static.*/\1/p' "$lib/pkgconfig/quadpass.pc") \
        compile static "${libs[@]}"
    if readelf -d "$scratch/static" | grep -q 'NEEDED.*libquadpass'; then
        fail 'the static program asks for the shared library'
    fi
    for program in shared static; do
        expect "$scratch/$program" jacobi9/bands_cpu
        expect "$scratch/$program" jacobi9/luminance
    done
}

# would SETTING...: the commands that make would run in an empty build folder, though it makes nothing.
would() {
    "${make[@]}" -n --no-print-directory SETUP=0 DEBUG= V=1 "B=$scratch/nothing" "$@" 2>/dev/null
}

# Flags of the command line are added to the project's own, and to those of a file.
flags_add_up() {
    local said wanted
    said=$(would CFLAGS=-Ours CPPFLAGS=-Dours LDFLAGS=-Lours "$scratch/nothing/"{src/tools/cmd/paper/peaks.o,tests/plan/test_faults})
    for wanted in '-Dours .*-Iinclude .*-Ours .*-fPIC -fopenmp -ffp-contract=off .*-ffp-contract=fast .*peaks.o' \
        '-Dours .*-DQP_SOURCE_DIR=.*-Itests -Ours .*-fPIC .*-O1 -c tests/plan/test_faults.c' \
        '-fopenmp -Lours .*--wrap=malloc .*-o .*/test_faults '; do
        grep -q -- "$wanted" <<<"$said" || fail "make CFLAGS=-Ours does not run '$wanted'"
    done
}

# demo_builds SETTING WHAT: make demo would build with this setting, with an nvidia-smi that runs
# the commands WHAT.
demo_builds() {
    printf '#!/bin/sh\n%s\n' "$2" >"$scratch/nvidia-smi"
    chmod +x "$scratch/nvidia-smi"
    grep -q -- "$1 counted" <<<"$(PATH=$scratch:$PATH would demo CUDA=auto MAKE=echo)" ||
        fail "make demo does not build with $1 where nvidia-smi does '$2'"
}

# Kernels are compiled for the demo where a driver answers, or where they are compiled already.
demo_needs_a_driver() {
    demo_builds CUDA=auto 'exit 0'
    if [ -e /proc/driver/nvidia/version ]; then
        return
    fi
    demo_builds CUDA=0 'exit 1'
    mkdir -p "$scratch/nothing"
    echo '1 90' >"$scratch/nothing/with_cuda"
    demo_builds CUDA=auto 'exit 1'
}

# trial STAGE PREFIX LIBDIR: from installing to uninstalling. Programs know what was installed and
# nothing of the source tree; pages that messages of the library name are there.
trial() {
    local stage=$1 prefix=$2 libdir=$3 file left
    local places=("DESTDIR=$stage" "PREFIX=$prefix" "LIBDIR=$libdir")
    run install "${places[@]}"
    for file in "$prefix"/{bin/quadpass,include/quadpass/{quadpass,gl_headless}.h} \
        "$prefix"/share/man/{man1/quadpass.1,man3/libquadpass.3} \
        "$libdir"/{libquadpass.a,libquadpass.so,"$soname",pkgconfig/quadpass.pc} \
        "$prefix"/share/doc/quadpass/{LICENSE,docs/toolkit.md,docs/pictures,demos/saxpy.c,demos/shaders/life.frag}; do
        [ -e "$stage$file" ] || fail "make install left out $file"
    done
    if grep -q ' /[^ ]*\.a' "$stage$libdir/pkgconfig/quadpass.pc"; then
        fail 'quadpass.pc names a library by its place here'
    fi
    if [ -n "$stage" ] && grep -rqF "$stage" "$stage"; then
        fail 'an installed file names the stage'
    fi
    export PKG_CONFIG_SYSROOT_DIR=$stage PKG_CONFIG_PATH=$stage$libdir/pkgconfig
    version=$(pkg-config --modversion quadpass)
    expect "$stage$prefix/bin/quadpass" --version
    link_and_run "$stage$libdir"
    run uninstall "${places[@]}"
    left=$(find "$stage$prefix" ! -type d -o -name '*quadpass*')
    [ -z "$left" ] || fail "make uninstall left behind: $left"
}

flags_add_up
demo_needs_a_driver
echo 'In place:'
trial '' "$scratch/prefix" "$scratch/prefix/lib"
# Packagers' way: into a stage, for another place.
echo 'Staged:'
trial "$scratch/stage" /opt/qp /opt/qp/lib/some-machine

echo 'install test: passed'
