#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The answer of a system: its last column as a row, and after it 0, as nothing has looked at the
// pivots.
// After paper 2's plan for small matrices, which prints no program.
uniform sampler2DRect a;
uniform vec2 origin; // corner of the first system in a
uniform vec2 corner; // corner of the systems' rows in the target
uniform vec2 size;   // columns and rows of a system

void main()
{
    vec2 at = floor(gl_FragCoord.xy) - corner;
    vec2 system = vec2(floor((at.x + 0.5) / size.x), at.y);
    float i = at.x - system.x * size.x;
    vec4 x = texture2DRect(a, origin + system * size + vec2(size.y, i) + 0.5);
    gl_FragColor = i == size.y ? vec4(0.0) : x;
}
