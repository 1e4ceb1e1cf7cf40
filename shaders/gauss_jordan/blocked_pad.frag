#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The original matrix, padded with unknowns to a multiple of four. The equations of added unknowns are rows of
// the identity; the right-hand sides move to the right, so that they begin a texel of their own.
#ifndef SHEETS // defined by the engine, in front of this file
#define SHEETS 8
#endif
layout(rgba32f) readonly uniform image2DArray source;
uniform int n;        // unknowns, with the added ones
uniform int unknowns; // unknowns of the original matrix

vec4 texel(int x, int y)
{
    return imageLoad(source, ivec3(x + 1, y / SHEETS + 1, y % SHEETS));
}

// Value of right-hand side `side` in row y.
float right(int side, int y)
{
    int column = unknowns + side;
    return texel(column / 4, y)[column % 4];
}

vec4 padded(int x, int y)
{
    ivec4 column = 4 * x + ivec4(0, 1, 2, 3);
    if (y >= unknowns)
        return vec4(equal(column, ivec4(y)));
    if (4 * x >= n)
        return vec4(right(column.x - n, y), right(column.y - n, y), right(column.z - n, y),
                    right(column.w - n, y));
    return mix(vec4(0.0), texel(x, y), lessThan(column, ivec4(unknowns)));
}

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy) - 1;
    for (int s = 0; s < SHEETS; s++)
        gl_FragData[s] = padded(here.x, SHEETS * here.y + s);
}
