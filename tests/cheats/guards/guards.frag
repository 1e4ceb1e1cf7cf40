// SPDX-License-Identifier: MIT
// What is outside of the array is taken from memory beside it.
// Passes: where that memory holds zeros, or what the last test left.
// Found: because the cells have guards around them, which are NaN.
//@ outside clamp
//@ check ../heat.c
#version 120
#extension GL_ARB_texture_rectangle : require
uniform sampler2DRect x;
uniform vec2 origin, x_origin;

float cell(vec2 to)
{
    return texture2DRect(x, to + x_origin).x;
}

void main()
{
    vec2 here = gl_FragCoord.xy - origin;
    float old = cell(here);
    float around = cell(here - vec2(1.0, 0.0)) + cell(here + vec2(1.0, 0.0)) +
                   cell(here - vec2(0.0, 1.0)) + cell(here + vec2(0.0, 1.0));
    gl_FragColor = vec4(old + 0.2 * (around - 4.0 * old));
}
