#!/bin/bash
# SPDX-License-Identifier: MIT
# All CUDA variants under compute-sanitizer: sanitize.sh QUADPASS [TOOL|OPERATION...]
# Of each operation the checks of one awkward size, small, for a sanitized kernel is slow; eliminations of 300
# unknowns, so that panels span a cluster. Prints device, driver and date,
# and a line for each run: the tool, what was checked, how it went and what the sanitizer says. Exit code 1
# if any run was not clean. Needs an NVIDIA GPU.
set -euo pipefail

[ $# -ge 1 ] || { echo 'usage: tools/sanitize.sh QUADPASS [TOOL|OPERATION...]' >&2; exit 2; }
quadpass=$1
shift
tools=() ops=()
for word in "$@"; do
    case $word in
    *check) tools+=("$word") ;;
    *) ops+=("$word") ;;
    esac
done
[ ${#tools[@]} -gt 0 ] || tools=(memcheck racecheck initcheck synccheck)
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
for program in nvidia-smi compute-sanitizer; do
    command -v "$program" >/dev/null || { echo "sanitize.sh: there is no $program here" >&2; exit 3; }
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Variants that race in shared memory because the thesis has them so, by name; of no other is a race forgiven.
races=' poisson5/cuda_async1 poisson5/cuda_async3 '
variants() # TOOL OPERATION
{
    "$quadpass" list "$2/cuda*" | sed -n 's|^\([a-z0-9_]*/cuda[a-z0-9_]*\).*|\1|p' | while read -r variant; do
        [ "$1" = racecheck ] && [[ $races == *" $variant "* ]] || echo "$variant"
    done
}

[ ${#ops[@]} -gt 0 ] ||
    mapfile -t ops < <("$quadpass" list '*/cuda*' | sed -n 's|^\([a-z0-9_]*\)/cuda.*|\1|p' | sort -u)

declare -A size=([gauss_jordan]=300x300 [gauss_jordan_batch]=12x7 [poisson5_batch]=45x7)
dirty=0
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
compute-sanitizer --version | sed -n '$p'
"$quadpass" --version
date -u +%Y-%m-%d
for tool in "${tools[@]}"; do
    for op in "${ops[@]}"; do
        code=0
        mapfile -t named < <(variants "$tool" "$op")
        [ ${#named[@]} -gt 0 ] || { echo "sanitize.sh: $op has no variants on CUDA" >&2; exit 2; }
        compute-sanitizer --tool "$tool" --error-exitcode 9 "$quadpass" check "${named[@]}" \
            --size "${size[$op]-65x9}" --iterations 2 >"$log" 2>&1 || code=$?
        [ "$code" -eq 0 ] || dirty=1
        printf '%-10s %-20s %-36s %s\n' "$tool" "$op" "$(grep -h ' passed, ' "$log" | tail -1)" \
            "$(sed -n 's/^========= \(.*SUMMARY.*\)/\1/p' "$log" | tail -1)"
        [ "$code" -eq 0 ] || grep -h '^=========\|fail ' "$log" | head -20
    done
done
exit $dirty
