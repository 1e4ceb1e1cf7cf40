#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A smoothing step, or a residual: keep x + weight D^-1 (b - A x), where b and the matrix are divided by its diagonal D
// already. Inside a grid whose rows are all equal the matrix is uniforms (EQUAL); of Poisson's equation it has five
// bands there (FIVE). BEGIN: b is 0. SCALED: times D. ADD: the result corrects `old`.
uniform sampler2DRect x;
#ifndef BEGIN
uniform sampler2DRect b;
#endif
#ifdef EQUAL
uniform float band[9];
#else
uniform sampler2DRect bands; // DL DU LD UD, then LL LU UL UU, then the diagonal, `apart` texels from each other
uniform float apart;
uniform vec2 repeated; // a row of the matrix, and how many equal ones follow it, which are not stored
#endif
#ifdef ADD
uniform sampler2DRect old;
#endif
uniform float keep, weight;
uniform vec2 from, corner; // the first node's texel in x, and in the target

void main()
{
    vec2 node = gl_FragCoord.xy - corner, here = node + from;
    float at = texture2DRect(x, here).x;
    vec4 beside = vec4(texture2DRect(x, here + vec2(-1.0, 0.0)).x, texture2DRect(x, here + vec2(1.0, 0.0)).x,
                       texture2DRect(x, here + vec2(0.0, -1.0)).x, texture2DRect(x, here + vec2(0.0, 1.0)).x);
#ifndef FIVE
    vec4 across = vec4(texture2DRect(x, here + vec2(-1.0, -1.0)).x, texture2DRect(x, here + vec2(1.0, -1.0)).x,
                       texture2DRect(x, here + vec2(-1.0, 1.0)).x, texture2DRect(x, here + vec2(1.0, 1.0)).x);
#endif
#ifdef EQUAL
    float sum = dot(vec4(band[4], band[5], band[2], band[7]), beside);
#ifndef FIVE
    sum += dot(vec4(band[1], band[3], band[6], band[8]), across);
#endif
#else
    vec2 row = vec2(node.x, node.y - clamp(node.y - 0.5 - repeated.x, 0.0, repeated.y));
    float sum = dot(texture2DRect(bands, row), beside) + dot(texture2DRect(bands, row + vec2(apart, 0.0)), across);
#endif
    float rest = -at - sum;
#ifndef BEGIN
    rest += texture2DRect(b, node).x;
#endif
#ifdef SCALED
    rest *= texture2DRect(bands, row + vec2(2.0 * apart, 0.0)).x;
#endif
    float relaxed = keep * at + weight * rest;
#ifdef ADD
    relaxed += texture2DRect(old, gl_FragCoord.xy).x;
#endif
    gl_FragColor = vec4(relaxed);
}
