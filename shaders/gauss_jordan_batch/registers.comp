#version 430 compatibility
// SPDX-License-Identifier: MIT
// registers.frag as a compute shader: a whole system in the registers of one invocation, which writes
// the solution to as many images as there were render targets. Groups may reach beyond the
// systems. Unrolled lists come with the size, in front of this file:
//     N                  unknowns of a system
//     COLUMNS(F)         F(0) F(1) ... F(N-1)
//     COLUMNS_BACK(F)    the same from the end
//     ROWS(F, k)         F(k, 0) F(k, 1) ... F(k, N-1); ROWS_AGAIN(F, k) the same
//     TEXELS(F)          F(0) F(1) ... for as many as hold N rows of N + 1 values
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 4
#define GROUP_Y 16
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

const int M = N + 1;             // values of a row
const int T = (N * M + 3) / 4;   // texels of a system: its rows, one after the other, four values a texel
const int TARGETS = (M + 3) / 4; // targets for N unknowns and the column without a pivot, or 0

layout(rgba32f) writeonly uniform image2DRect target[TARGETS];
uniform sampler2DRect a;
uniform vec2 origin; // corner of the first system in a
uniform vec2 corner; // corner of the systems' texels in each target
uniform vec2 count;  // systems across and up

float value[4 * T]; // row i, column j at i * M + j
float failed;       // the column without a pivot, or 0

// Texel t of a system is beside texel t of three more, as the driver fetches them together.
vec4 fetch(int t)
{
    vec2 at = vec2(gl_GlobalInvocationID.xy);
    float others = float(4 * T - 4) * floor(at.x / 4.0);
    return texture2DRect(a, origin + vec2(at.x + others + float(4 * t), at.y) + 0.5);
}

#define FETCH(t) { vec4 v = fetch(t); \
    value[4 * t] = v.x; value[4 * t + 1] = v.y; value[4 * t + 2] = v.z; value[4 * t + 3] = v.w; }

// Moves the larger of both elements in column k up. After all rows row k has the largest.
#define SORT(k, i) if (i > k) { \
    bool larger = abs(value[i * M + k]) > abs(value[k * M + k]); \
    for (int j = k; j < M; j++) { \
        float upper = value[k * M + j], lower = value[i * M + j]; \
        value[k * M + j] = larger ? lower : upper; \
        value[i * M + j] = larger ? upper : lower; \
    } }

// The factor is a quotient: where division rounds correctly, two equal rows of the system
// cancel exactly.
#define SUBTRACT(k, i) if (i > k) { \
    float factor = value[i * M + k] / value[k * M + k]; \
    for (int j = k + 1; j < M; j++) \
        value[i * M + j] -= factor * value[k * M + j]; }

#define ELIMINATE(k) { \
    ROWS(SORT, k) \
    float pivot = abs(value[k * M + k]); \
    failed = failed == 0.0 && !(pivot > 0.0 && pivot < 3.4e38) ? float(k + 1) : failed; \
    ROWS_AGAIN(SUBTRACT, k) }

#define SUBSTITUTE(k) { \
    float x = value[k * M + N]; \
    for (int j = k + 1; j < N; j++) \
        x -= value[k * M + j] * value[j * M + N]; \
    value[k * M + N] = x / value[k * M + k]; }

// Unknown i; after the last unknown the column without a pivot. If there is one, unknowns are zero.
float answer(int i)
{
    int at = i < N ? i * M + N : N; // no index beyond the array, for drivers that check untaken branches
    if (i >= N)
        return i == N ? failed : 0.0;
    return failed > 0.0 ? 0.0 : value[at];
}

void main()
{
    vec2 at = vec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, count)))
        return;
    failed = 0.0;
    TEXELS(FETCH)
    COLUMNS(ELIMINATE)
    COLUMNS_BACK(SUBSTITUTE)
    for (int t = 0; t < TARGETS; t++)
        imageStore(target[t], ivec2(corner + at), vec4(answer(4 * t), answer(4 * t + 1),
                                                       answer(4 * t + 2), answer(4 * t + 3)));
}
