#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#ifdef GL_ARB_gpu_shader5
#extension GL_ARB_gpu_shader5 : enable
#else // the compiler chooses the order of sums
#define precise
#endif
// A step of one cell. The grids of n x n texels are side by side, so that a neighbour
// beyond the rim is a cell of another grid; it counts as 0.
uniform sampler2DRect x;
uniform sampler2DRect rhs; // h^2 f
uniform vec2 origin;       // corner of the first grid
uniform float n;

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec2 at = floor(here) - origin;
    vec2 cell = at - floor((at + 0.5) / n) * n;
    float left = cell.x > 0.0 ? texture2DRect(x, here + vec2(-1.0, 0.0)).x : 0.0;
    float right = cell.x < n - 1.0 ? texture2DRect(x, here + vec2(1.0, 0.0)).x : 0.0;
    float below = cell.y > 0.0 ? texture2DRect(x, here + vec2(0.0, -1.0)).x : 0.0;
    float above = cell.y < n - 1.0 ? texture2DRect(x, here + vec2(0.0, 1.0)).x : 0.0;
    precise float sum = (left + right) + (below + above);
    sum += texture2DRect(rhs, here).x;
    precise float relaxed = sum * 0.25;
    gl_FragColor = vec4(relaxed);
}
