#version 430 compatibility
// SPDX-License-Identifier: MIT
// relax_rgba.frag as a compute shader: an invocation for each texel, all of them in one dispatch. Groups may reach
// beyond the grid.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 16
#define GROUP_Y 16
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(rgba32f) writeonly uniform image2DRect target;
uniform sampler2DRect x;
#ifndef BEGIN
uniform sampler2DRect b;
#endif
uniform sampler2DRect bands; // LL LD LU DL DU UL UD UU, then the diagonal, `apart` texels from each other
uniform float apart;
uniform vec2 repeated; // a row of the matrix, and how many equal ones follow it, which are not stored
uniform vec4 inside;   // texels from (x, y) up to (z, w), where all rows are `band` and `diagonal`
uniform bool five;     // four of these are 0
uniform float band[9];
#ifdef SCALED
uniform float diagonal;
#endif
#ifdef ADD
uniform sampler2DRect old;
#endif
uniform float keep, weight;
uniform vec2 from, corner; // the first texel of x, and of the target
uniform vec2 size;         // texels of the grid

vec4 left_of(vec2 here, vec4 at)
{
    return vec4(texture2DRect(x, here + vec2(-1.0, 0.0)).a, at.rgb);
}

vec4 right_of(vec2 here, vec4 at)
{
    return vec4(at.gba, texture2DRect(x, here + vec2(1.0, 0.0)).r);
}

void main()
{
    vec2 node = vec2(gl_GlobalInvocationID.xy) + 0.5, here = node + from, up = vec2(0.0, 1.0);
    if (any(greaterThan(node, size)))
        return;
    bool equal = all(greaterThan(node, inside.xy)) && all(lessThan(node, inside.zw));
    vec2 row = vec2(node.x, node.y - clamp(node.y - 0.5 - repeated.x, 0.0, repeated.y)), next = vec2(apart, 0.0);
    vec4 at = texture2DRect(x, here), below = texture2DRect(x, here - up), above = texture2DRect(x, here + up);
    vec4 left = left_of(here, at), right = right_of(here, at), sum;
    if (equal && five) {
        sum = (band[2] * below + band[7] * above) + (band[4] * left + band[5] * right);
    } else {
        vec4 below_left = left_of(here - up, below), below_right = right_of(here - up, below);
        vec4 above_left = left_of(here + up, above), above_right = right_of(here + up, above);
        if (equal)
            sum = (band[2] * below + band[7] * above) + (band[4] * left + band[5] * right) +
                  ((band[1] * below_left + band[3] * below_right) + (band[6] * above_left + band[8] * above_right));
        else
            sum = texture2DRect(bands, row) * below_left + texture2DRect(bands, row + next) * below +
                  texture2DRect(bands, row + 2.0 * next) * below_right +
                  texture2DRect(bands, row + 3.0 * next) * left + texture2DRect(bands, row + 4.0 * next) * right +
                  texture2DRect(bands, row + 5.0 * next) * above_left +
                  texture2DRect(bands, row + 6.0 * next) * above + texture2DRect(bands, row + 7.0 * next) * above_right;
    }
    vec4 rest = -at - sum;
#ifndef BEGIN
    rest += texture2DRect(b, node);
#endif
#ifdef SCALED
    rest *= equal ? vec4(diagonal) : texture2DRect(bands, row + 8.0 * next);
#endif
    vec4 relaxed = keep * at + weight * rest;
#ifdef ADD
    relaxed += texture2DRect(old, node + corner);
#endif
    imageStore(target, ivec2(node + corner), relaxed);
}
