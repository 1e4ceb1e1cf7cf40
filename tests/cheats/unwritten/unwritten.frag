// SPDX-License-Identifier: MIT
// The last cell is never written.
// Passes: where the memory still holds the answer of the run before.
// Found: because outputs begin as values that no kernel writes.
//@ outside clamp
//@ check ../heat.c
#version 120
#extension GL_ARB_texture_rectangle : require
uniform sampler2DRect x;
uniform vec2 origin, size, x_origin;

float cell(vec2 to)
{
    return texture2DRect(x, clamp(to, vec2(0.5), size - 0.5) + x_origin).x;
}

void main()
{
    vec2 here = gl_FragCoord.xy - origin;
    float old = cell(here);
    float around = cell(here - vec2(1.0, 0.0)) + cell(here + vec2(1.0, 0.0)) +
                   cell(here - vec2(0.0, 1.0)) + cell(here + vec2(0.0, 1.0));
    if (here == size - 0.5)
        discard;
    gl_FragColor = vec4(old + 0.2 * (around - 4.0 * old));
}
