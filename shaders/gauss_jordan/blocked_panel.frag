#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The panel: the columns of a block, copied to be eliminated four at a time. The panel's first texel column
// holds marks of four rows, below 0 while they are no pivots. The second holds the next four columns
// to search, transposed: layer s has column s of four rows. The block's own columns follow.
#ifndef SHEETS // defined by the engine, in front of this file
#define SHEETS 8
#endif
layout(rgba32f) readonly uniform image2DArray source;
uniform int k; // the block's first column

const int MARKS = 0, NEXT = 1, FIRST = 2;

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy);
    int x = k / 4 + max(here.x - FIRST, 0);
    mat4 four;
    for (int s = 0; s < 4; s++) {
        int y = 4 * here.y + s;
        four[s] = imageLoad(source, ivec3(x + 1, y / SHEETS + 1, y % SHEETS));
    }
    if (here.x == NEXT)
        four = transpose(four);
    if (here.x == MARKS)
        four[0] = vec4(-1.0);
    for (int s = 0; s < 4; s++)
        gl_FragData[s] = four[s];
}
