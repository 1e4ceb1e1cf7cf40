// SPDX-License-Identifier: MIT
// A cell's place that is off where the output does not begin at (0, 0).
// Passes: where arrays are never parts of larger ones.
// Found: because arrays are parts of larger ones in a check.
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
    vec2 here = gl_FragCoord.xy - 0.0 * origin;
    float old = cell(here);
    float around = cell(here - vec2(1.0, 0.0)) + cell(here + vec2(1.0, 0.0)) +
                   cell(here - vec2(0.0, 1.0)) + cell(here + vec2(0.0, 1.0));
    gl_FragColor = vec4(old + 0.2 * (around - 4.0 * old));
}
