#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Row k of each system divided by its element k.
// After paper 2's plan for small matrices, which prints no program.
uniform sampler2DRect a;
uniform vec2 origin; // corner of the first system in a
uniform vec2 size;   // columns and rows of a system
uniform float k;

void main()
{
    vec2 system = floor((gl_FragCoord.xy - origin) / size);
    vec2 pivot = origin + system * size + k + 0.5;
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) / texture2DRect(a, pivot).r;
}
