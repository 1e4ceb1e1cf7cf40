#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Back substitution: the right-hand sides of the rows above a block, less the products of its unknowns with U.
#ifndef SHEETS // defined by the engine, in front of this file
#define SHEETS 8
#endif
layout(rgba32f) readonly uniform image2DArray source;
layout(rgba32f) readonly uniform image2DRect factors;
layout(rgba32f) readonly uniform image2DArray x;
uniform int k;       // the block's first column
uniform int columns; // texel columns of the block
uniform int n;

vec4 unknowns(int side, int row)
{
    return imageLoad(x, ivec3(side + 1, row / SHEETS + 1, row % SHEETS));
}

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy) - 1;
    int side = here.x - n / 4;
    vec4 b[SHEETS];
    for (int s = 0; s < SHEETS; s++)
        b[s] = imageLoad(source, ivec3(here + 1, s));
    for (int t = 0; t < columns; t++) {
        vec4 x0 = unknowns(side, k + 4 * t), x1 = unknowns(side, k + 4 * t + 1);
        vec4 x2 = unknowns(side, k + 4 * t + 2), x3 = unknowns(side, k + 4 * t + 3);
        for (int s = 0; s < SHEETS; s++) {
            vec4 u = imageLoad(factors, ivec2(k / 4 + t, SHEETS * here.y + s) + 1);
            b[s] -= u.x * x0;
            b[s] -= u.y * x1;
            b[s] -= u.z * x2;
            b[s] -= u.w * x3;
        }
    }
    for (int s = 0; s < SHEETS; s++)
        gl_FragData[s] = b[s];
}
