#!/bin/bash
# SPDX-License-Identifier: MIT
# Checks shaders by Khronos's reference compiler, which shares no code with a driver: glslang.sh FILE...
# A file of shaders/ that is no whole shader is listed here, with its reason.
set -euo pipefail

[ $# -gt 0 ] || { echo 'usage: tools/glslang.sh FILE...' >&2; exit 2; }
command -v glslangValidator >/dev/null || { echo 'glslang: there is no glslangValidator here' >&2; exit 1; }

# Functions without main() and declarations, which src/toolkit/glsl/kernel_text.c puts around them when a kernel is made.
# Only then are they shaders, and the tests of the toolkit and of Krylov methods compile each.
bodies='krylov/* proof/* sparse/* toolkit/answer toolkit/compact toolkit/flag toolkit/floats toolkit/gather toolkit/join
    toolkit/map toolkit/map_sum toolkit/scan_down toolkit/scan_up toolkit/sums toolkit/total'

# lines_of NAME: what the library puts in front of a shader, of one of the types that it may have. The library has them
# in src/toolkit/reduce/reduce_kernels.c, src/toolkit/passes/mask.c, src/toolkit/kernel/computed.c and
# src/lab/ops/gauss_jordan_batch/program.c.
lines_of() {
    case $1 in
    toolkit/extreme | toolkit/place)
        echo '#define SAMPLER sampler2DRect'
        echo '#define CELL vec4'
        echo '#define VALUE float'
        echo '#define OUTPUT'
        echo '#define joined gl_FragColor'
        echo '#define BEYOND(b, a) ((b) > (a))'
        echo '#define VALUE_OF(cell) ((cell).r)'
        echo '#define CELL_OF(v, at) vec4(v, at, 0.0)'
        ;;
    toolkit/whole_sum)
        echo '#define SAMPLER usampler2DRect'
        echo '#define OUTPUT out uvec4 joined;'
        echo '#define texture2DRect texture'
        echo '#define WORDS_OF(cell) (cell).rg'
        ;;
    toolkit/double_sum)
        echo '#define TWO'
        echo '#define VALUE_OF(cell) wide(packDouble2x32((cell).rg))'
        echo '#define TERM_OF(a, b) times(a, b)'
        ;;
    toolkit/mask)
        echo '#define SAMPLER usampler2DRect'
        echo '#define FETCH texture'
        echo '#define ZERO 0u'
        ;;
    toolkit/computed)
        echo '#define GROUP_X 8'
        echo '#define GROUP_Y 8'
        echo 'layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;'
        echo 'layout(rgba32f) writeonly uniform image2DRect out0, out1;'
        echo 'uniform vec4 region;'
        echo 'uniform vec2 last_size;'
        echo 'vec2 qp_here;'
        echo 'vec4 qp_total;'
        echo 'vec4 last_cell(vec2 at) { return vec4(at, at); }'
        echo 'vec4 kernel(vec2 here) { return qp_total; }'
        echo 'vec4 map(vec2 at) { return vec4(at, at); }'
        echo '#define CALL vec4 made = kernel(qp_here);'
        echo '#define STORE imageStore(out0, ivec2(qp_here), made);'
        echo '#define SUMS out1'
        echo '#define TOTAL'
        ;;
    gauss_jordan_batch/registers)
        echo '#define N 2'
        echo '#define TEXELS(F) F(0) F(1)'
        echo '#define COLUMNS(F) F(0) F(1)'
        echo '#define COLUMNS_BACK(F) F(1) F(0)'
        echo '#define ROWS(F, k) F(k, 0) F(k, 1)'
        echo '#define ROWS_AGAIN(F, k) F(k, 0) F(k, 1)'
        ;;
    esac
}

# version_of NAME FILE: the first line where the file's own is not the one to check by, else nothing. glslang knows the
# words of GL_ARB_gpu_shader5 (precise, arrays of samplers with a variable index) only in GLSL 4.00, which took them in.
version_of() {
    case $1 in
    toolkit/whole_sum) echo '#version 140' ;;
    toolkit/mask) echo '#version 330 compatibility' ;;
    toolkit/computed) echo '#version 430 compatibility' ;;
    *) ! grep -q '^#extension GL_ARB_gpu_shader5' "$2" || echo '#version 400 compatibility' ;;
    esac
}

# whole_text NAME FILE: what is checked. Lines that end in a backslash are joined: GLSL 4.20 took them in, and drivers
# have long done so in all versions, which glslang does not.
whole_text() {
    local version
    version=$(version_of "$1" "$2")
    awk -v version="$version" -v lines="$(lines_of "$1")" '
        function begin(own) {
            print version ? version : own
            if (lines)
                print lines
        }
        NR == 1 { begin(/^#version/ ? $0 : ""); if (/^#version/) next }
        { text = text $0 }
        sub(/\\$/, "", text) { joined++; next }
        { print text; text = ""; for (; joined > 0; joined--) print "" }' "$2"
}

# check NAME FILE: errors come with the file and its line.
check() {
    local words code=0 own
    own=$(lines_of "$1" | wc -l)
    words=$(whole_text "$1" "$2" | glslangValidator --stdin -S "${2##*.}") || code=$?
    [ $code -eq 0 ] || echo "$words" | awk -F : -v file="$2" -v own="$own" -v first="$(head -c 8 "$2")" '
        /^ERROR: 0:/ { line = $3 - own - (first != "#version"); sub(/^ERROR: 0:[0-9]+/, ""); print file ":" line $0 }' >&2
    return $code
}

status=0 checked=0 left=0
for file in "$@"; do
    name=${file#shaders/}
    name=${name%.*}
    case " ${bodies//$'\n'/ } " in
    *" $name "* | *" ${name%%/*}/* "*)
        left=$((left + 1))
        if grep -q '^void main' "$file"; then
            echo "$file: is a whole shader, and tools/glslang.sh leaves it out" >&2
            status=1
        fi
        ;;
    *)
        check "$name" "$file" || status=1
        checked=$((checked + 1))
        ;;
    esac
done
echo "glslangValidator, $checked shaders; $left bodies of kernels, which are none"
exit $status
