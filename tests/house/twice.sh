#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds in two folders and compares the bytes: twice.sh [--whole]
# The folders differ in the length of their names, the order in which their files were made and their dates; the builds
# in time zone, locale, umask and the number of jobs. Without --whole: what is embedded, and an archive, a shared library
# and a program of a few sources, among them those that hold flags and the commit. CUDA's compiler names things by
# chance, so that this is said of builds without it.
set -euo pipefail

cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
locale=$(locale -a | grep -vxE 'C|POSIX' | head -n 1) || locale=''

# Nothing of the make that called this, and no git: the commit is unknown in both.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL SOURCE_DATE_EPOCH LC_ALL LANG
export GIT_DIR=/dev/null
settings=(SETUP=0 CUDA=0 BLAS=0 FFTW=0 MPI=0 DEBUG=)
out=build/release
if [ "${1:-}" = --whole ]; then
    goals=(all)
else
    # Fewer sources, and little optimisation: it is their names and order that may differ.
    export CFLAGS=-O1
    settings+=('LIB_SRC=src/toolkit/base/status.c src/toolkit/io/output.c src/toolkit/gl/shaders.c' 'BASELINE_SRC='
        'CMD_SRC=src/tools/cmd/main.c src/tools/cmd/opponents.c src/tools/cmd/output/records.c' 'LDFLAGS=-Wl,--unresolved-symbols=ignore-all')
    version=$(sed -n 's/^#define QP_VERSION "\(.*\)"/\1/p' include/quadpass/quadpass.h)
    goals=("$out/libquadpass.a" "$out/libquadpass.so.$version" "$out/quadpass" "$out/quadpass.pc")
fi

# copy FOLDER SORT-OPTION: all that a build reads, file by file in that order.
copy() {
    mkdir -p "$1/tests"
    find Makefile tests/rules.mk data demos docs/opponents.csv docs/papers docs/measurements include shaders src templates tools -type f | LC_ALL=C sort "$2" |
        xargs cp --parents -t "$1"
}

# build FOLDER SETTING...: the flags name the folder, as packagers' do, so that nothing else does.
build() {
    local folder=$1
    shift
    (cd "$folder" && env CFLAGS="${CFLAGS:--O3} -ffile-prefix-map=$folder=." "$@" "${MAKE:-make}" "${settings[@]}" "${goals[@]}") \
        >"$folder/log" 2>&1 || { cat "$folder/log" >&2; echo "twice: no build in $folder" >&2; exit 1; }
}

one=$scratch/a two=$scratch/a/longer/name
copy "$one" -s
copy "$two" -r
find "$two" -type f -exec touch -d '2001-02-03 04:05:06' {} +
(umask 022 && build "$one" TZ=UTC LC_ALL=C) &
(umask 077 && build "$two" TZ=Asia/Kathmandu "LC_ALL=${locale:-C}" MAKEFLAGS=-j2) || { wait; exit 1; }
wait $!

same=0
while read -r file; do
    [ -e "$two/$file" ] || { echo "twice: $file was made in one folder alone" >&2; exit 1; }
    cmp "$one/$file" "$two/$file" >&2 || { echo "twice: $file differs from folder to folder" >&2; exit 1; }
    same=$((same + 1))
done < <(cd "$one" && find "$out" -type f ! -name '*.d' ! -name '*.o' | LC_ALL=C sort)
[ $same -ge 8 ] || { echo "twice: only $same files were made" >&2; exit 1; }
echo "the same bytes in two folders: $same files"
