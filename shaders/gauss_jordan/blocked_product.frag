#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The rest of the matrix after a block, rows exchanged as they are fetched: a := a + L U. A fragment takes four
// columns of SHEETS rows, so that each texel of U that it reads serves all these rows.
#ifndef SHEETS // defined by the engine, in front of this file
#define SHEETS 8
#endif
layout(rgba32f) readonly uniform image2DArray source;
layout(rgba32f) readonly uniform image2DArray panel;  // -L, its rows close together
layout(rgba32f) readonly uniform image2DRect factors; // U
layout(rgba32f) readonly uniform image2DRect map;
uniform int k;       // the block's first column
uniform int columns; // texel columns of the block

const int FIRST = 2;

vec4 element(int x, int row)
{
    return imageLoad(source, ivec3(x + 1, row / SHEETS + 1, row % SHEETS));
}

vec4 factor(int x, int row)
{
    return imageLoad(factors, ivec2(x, row) + 1);
}

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy) - 1;
    vec4 a[SHEETS];
    ivec2 row[SHEETS]; // place of each row in the panel, and its layer
    for (int q = 0; q < SHEETS / 4; q++) {
        vec4 from = imageLoad(map, ivec2(here.y * (SHEETS / 4) + q, 0));
        for (int c = 0; c < 4; c++) {
            a[4 * q + c] = element(here.x, int(from[c]));
            row[4 * q + c] = ivec2(int(from[c]) / 4, int(from[c]) % 4);
        }
    }
    for (int t = 0; t < columns; t++) {
        vec4 u0 = factor(here.x, k + 4 * t), u1 = factor(here.x, k + 4 * t + 1);
        vec4 u2 = factor(here.x, k + 4 * t + 2), u3 = factor(here.x, k + 4 * t + 3);
        for (int s = 0; s < SHEETS; s++) {
            vec4 l = imageLoad(panel, ivec3(FIRST + t, row[s]));
            a[s] += l.x * u0;
            a[s] += l.y * u1;
            a[s] += l.z * u2;
            a[s] += l.w * u3;
        }
    }
    for (int s = 0; s < SHEETS; s++)
        gl_FragData[s] = a[s];
}
