#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// relax.frag with four nodes of a row a texel, whose left and right neighbours begin one node before or after it. A x
// is the row sum times x, and the bands times differences from x: float keeps their digits where x is smooth.
uniform sampler2DRect x;
#ifndef BEGIN
uniform sampler2DRect b;
#endif
#ifdef EQUAL
uniform float band[9]; // the first one is the row sum
#else
uniform sampler2DRect bands; // LL LD LU DL DU UL UD UU, the diagonal, the row sum, `apart` texels from each other
uniform float apart;
uniform vec2 repeated; // a row of the matrix, and how many equal ones follow it, which are not stored
#endif
#ifdef ADD
uniform sampler2DRect old;
#endif
uniform float keep, weight;
uniform vec2 from, corner; // the first texel of x, and of the target

void main()
{
    vec2 node = gl_FragCoord.xy - corner, here = node + from;
    vec4 at = texture2DRect(x, here), below = texture2DRect(x, here + vec2(0.0, -1.0));
    vec4 above = texture2DRect(x, here + vec2(0.0, 1.0));
    vec4 left = vec4(texture2DRect(x, here + vec2(-1.0, 0.0)).a, at.rgb);
    vec4 right = vec4(at.gba, texture2DRect(x, here + vec2(1.0, 0.0)).r);
#ifndef FIVE
    vec4 below_left = vec4(texture2DRect(x, here + vec2(-1.0, -1.0)).a, below.rgb);
    vec4 below_right = vec4(below.gba, texture2DRect(x, here + vec2(1.0, -1.0)).r);
    vec4 above_left = vec4(texture2DRect(x, here + vec2(-1.0, 1.0)).a, above.rgb);
    vec4 above_right = vec4(above.gba, texture2DRect(x, here + vec2(1.0, 1.0)).r);
#endif
#ifdef EQUAL
    vec4 sum = (band[2] * (below - at) + band[7] * (above - at)) + (band[4] * (left - at) + band[5] * (right - at));
#ifndef FIVE
    sum += (band[1] * (below_left - at) + band[3] * (below_right - at)) +
           (band[6] * (above_left - at) + band[8] * (above_right - at));
#endif
    sum += band[0] * at;
#else
    vec2 row = vec2(node.x, node.y - clamp(node.y - 0.5 - repeated.x, 0.0, repeated.y)), next = vec2(apart, 0.0);
    vec4 sum = (texture2DRect(bands, row) * (below_left - at) + texture2DRect(bands, row + next) * (below - at)) +
               (texture2DRect(bands, row + 2.0 * next) * (below_right - at) +
                texture2DRect(bands, row + 3.0 * next) * (left - at)) +
               (texture2DRect(bands, row + 4.0 * next) * (right - at) +
                texture2DRect(bands, row + 5.0 * next) * (above_left - at)) +
               (texture2DRect(bands, row + 6.0 * next) * (above - at) +
                texture2DRect(bands, row + 7.0 * next) * (above_right - at)) +
               texture2DRect(bands, row + 9.0 * next) * at;
#endif
    vec4 rest = -sum;
#ifndef BEGIN
    rest += texture2DRect(b, node);
#endif
#ifdef SCALED
    rest *= texture2DRect(bands, row + 8.0 * next);
#endif
    vec4 relaxed = keep * at + weight * rest;
#ifdef ADD
    relaxed += texture2DRect(old, gl_FragCoord.xy);
#endif
    gl_FragColor = relaxed;
}
