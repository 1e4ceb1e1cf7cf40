#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// L^-1 times a block's right-hand sides. The factors hold L^-1 below their diagonal; its own diagonal is 1.
#ifndef SHEETS // defined by the engine, in front of this file
#define SHEETS 8
#endif
layout(rgba32f) readonly uniform image2DArray source;
layout(rgba32f) readonly uniform image2DRect factors;
uniform int k; // the block's first column
uniform int n;

vec4 right(int x, int row)
{
    return imageLoad(source, ivec3(n / 4 + x + 1, row / SHEETS + 1, row % SHEETS));
}

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy) - 1;
    vec4 sum = right(here.x, here.y);
    for (int row = k; row < here.y; row += 4) {
        vec4 l = imageLoad(factors, ivec2(row / 4, here.y) + 1);
        l = mix(vec4(0.0), l, lessThan(row + ivec4(0, 1, 2, 3), ivec4(here.y)));
        sum += l.x * right(here.x, row);
        sum += l.y * right(here.x, row + 1);
        sum += l.z * right(here.x, row + 2);
        sum += l.w * right(here.x, row + 3);
    }
    gl_FragColor = sum;
}
