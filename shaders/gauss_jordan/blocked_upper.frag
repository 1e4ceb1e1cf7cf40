#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The unknowns of a block, by back substitution with U, which the factors hold from their diagonal on:
// from the block's last row down to the rows of this fragment.
#ifndef SHEETS // defined by the engine, in front of this file
#define SHEETS 8
#define COLUMNS 56
#endif
layout(rgba32f) readonly uniform image2DRect factors;
layout(rgba32f) readonly uniform image2DRect half_way; // result of lower.frag
uniform int k;       // the block's first column
uniform int columns; // texel columns of the block

vec4 x[COLUMNS];

vec4 factor(int column, int row)
{
    return imageLoad(factors, ivec2(column / 4, row) + 1);
}

// The unknown of row k + i. A texel of U begins at the diagonal or before it.
vec4 unknown(int i, int side)
{
    vec4 sum = imageLoad(half_way, ivec2(side, k + i) + 1), first = factor(k + i, k + i);
    for (int c = i + 1; c % 4 != 0; c++)
        sum -= first[c % 4] * x[c];
    for (int c = i / 4 * 4 + 4; c < 4 * columns; c += 4) {
        vec4 u = factor(k + c, k + i);
        sum -= u.x * x[c];
        sum -= u.y * x[c + 1];
        sum -= u.z * x[c + 2];
        sum -= u.w * x[c + 3];
    }
    return sum / first[i % 4];
}

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy) - 1;
    int first = SHEETS * here.y - k;
    for (int i = 4 * columns - 1; i >= first; i--)
        x[i] = unknown(i, here.x);
    for (int s = 0; s < SHEETS; s++)
        gl_FragData[s] = x[min(first + s, COLUMNS - 1)];
}
