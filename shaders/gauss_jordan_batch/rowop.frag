#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A row of a system less its element in column k times the system's row k, which is divided already
// and left as it is: each system has factors of its own.
// After paper 2's plan for small matrices, which prints no program.
uniform sampler2DRect a;
uniform vec2 origin; // corner of the first system in a
uniform vec2 size;   // columns and rows of a system
uniform float k;

void main()
{
    vec2 system = floor((gl_FragCoord.xy - origin) / size);
    vec2 pivot = origin + system * size + k + 0.5;
    if (gl_FragCoord.y == pivot.y)
        discard;
    vec4 factor = texture2DRect(a, vec2(pivot.x, gl_FragCoord.y));
    vec4 above = texture2DRect(a, vec2(gl_FragCoord.x, pivot.y));
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) - factor * above;
}
