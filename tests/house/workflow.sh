#!/bin/bash
# SPDX-License-Identifier: MIT
# Takes the steps of docs/gpu-tests.yml in a repository as a user would have it: workflow.sh
# A right shader must end green and a wrong one red. What the steps install is there already.
set -euo pipefail

cd "$(dirname "$0")/../.."
workflow=$PWD/docs/gpu-tests.yml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/yours/tests"
cp demos/hello.c "$scratch/yours/tests/gpu.c"
ln -s "$PWD" "$scratch/yours/quadpass"
cd "$scratch/yours"

# Its settings, with a place that needs no rights; nothing of the make that called this.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
export SETUP=0
while IFS='=' read -r name value; do
    export "$name=${value//\/opt\/quadpass/$scratch/installed}"
done < <(sed -n 's/^ *\([A-Z_]*\): /\1=/p' "$workflow")

# take PATTERN: the steps that match it, in order, until one fails.
take() {
    local steps
    steps=$(sed -n 's/^ *- run: //p' "$workflow" | grep -v '^apt-get' | grep -e "$1")
    sh -ec "$steps" >log 2>&1 </dev/null
}

take . || { cat log >&2; echo 'workflow test: failed: a right shader is no green job' >&2; exit 1; }
sed -n '/^walk/,$s/^/  /p' log

sed -i 's/0\.25 \* (x_at/0.26 * (x_at/' tests/gpu.c
if take gpu-tests; then
    cat log >&2
    echo 'workflow test: failed: a wrong shader is no red job' >&2
    exit 1
fi
grep -q 'cell (.*) is .* and should be ' log || { cat log >&2; exit 1; }
echo 'workflow test: passed'
