#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The answer [I | x], in the layout of the original matrix.
#ifndef SHEETS // defined by the engine, in front of this file
#define SHEETS 8
#endif
layout(rgba32f) readonly uniform image2DArray x;
uniform int unknowns;
uniform int sides;

float unknown(int side, int row)
{
    return imageLoad(x, ivec3(side / 4 + 1, row / SHEETS + 1, row % SHEETS))[side % 4];
}

vec4 texel(ivec4 column, int row)
{
    vec4 identity = vec4(equal(column, ivec4(row)));
    ivec4 side = column - unknowns;
    if (side.w < 0 || row >= unknowns)
        return row < unknowns ? identity : vec4(0.0);
    vec4 right = vec4(unknown(side.x, row), unknown(side.y, row), unknown(side.z, row),
                      unknown(side.w, row));
    right = mix(right, vec4(0.0), greaterThanEqual(side, ivec4(sides)));
    return mix(right, identity, lessThan(side, ivec4(0)));
}

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy) - 1;
    for (int s = 0; s < SHEETS; s++)
        gl_FragData[s] = texel(4 * here.x + ivec4(0, 1, 2, 3), SHEETS * here.y + s);
}
