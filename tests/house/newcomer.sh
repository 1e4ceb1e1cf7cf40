#!/bin/bash
# SPDX-License-Identifier: MIT
# Adds the operation of CONTRIBUTING.md to a copy of the tree and builds the command there: newcomer.sh BUILD_DIR COPY
# What BUILD_DIR holds is copied, too, and built the same way, so that only what the operation changes is compiled.
set -euo pipefail

[ $# -eq 2 ] || { echo 'usage: tests/house/newcomer.sh BUILD_DIR COPY' >&2; exit 2; }
cd "$(dirname "$0")/../.."
root=$PWD config=${1##*/} copy=$2

mkdir -p "$copy/build/$config"
cp -a Makefile data docs include shaders src tests tools "$copy"
find "$1" -mindepth 1 -maxdepth 1 ! -name tests ! -name demos ! -name 'lib*' ! -name quadpass \
    -exec cp -a -t "$copy/build/$config" {} +
cd "$copy"

# A file of the example is a fenced block right below a line that begins with its name in bold.
list_files() {
    awk '/^```/ && name { print name }
        { name = match($0, /^\*\*[^*]+\*\*/) ? substr($0, 3, RLENGTH - 4) : "" }' "$root/CONTRIBUTING.md"
}

# cut_out FILE: its lines.
cut_out() {
    awk -v name="**$1**" 'index($0, name) == 1 { named = 1 }
        named && /^```/ { if (inside++) exit; next }
        inside' "$root/CONTRIBUTING.md"
}

# A file of others gets its lines at its end.
others=()
while read -r file; do
    [ ! -e "$root/$file" ] || others+=("$file")
    mkdir -p "$(dirname "$file")"
    lines=$(cut_out "$file")
    echo "$lines" >>"$file"
done < <(list_files)

# The settings of that build; nothing of the make that called this, and no git.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
export GIT_DIR=/dev/null
read -ra cuda <"build/$config/with_cuda" # 1 and the architecture, or that alone
settings=(CUDA=0 BLAS=auto "CONFIG=$config" "CUDA_ARCH=${cuda[-1]}")
[ ${#cuda[@]} -eq 1 ] || settings[0]=CUDA=1
grep -qE '_(BLAS|LAPACK|KLU) 1' "build/$config/have.h" || settings[1]=BLAS=0
if ! "${MAKE:-make}" -j"$(nproc)" "${settings[@]}" "build/$config/quadpass" >log 2>&1 || grep -q 'warning:' log; then
    cat log >&2
    exit 1
fi
echo "compiled: $(grep -c ' compile ' log), files of others touched: ${#others[@]} (${others[*]})"
