#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The answer of a system: its last column as a row, and after it the column without a pivot, or 0.
// If a system has such a column, its unknowns are zeros.
uniform sampler2DRect a;
uniform sampler2DRect found; // a texel for each system: the column without a pivot
uniform vec2 origin;         // corner of the first system in a
uniform vec2 place;          // corner of the systems' texels in found
uniform vec2 corner;         // corner of the first answer in the target
uniform vec2 size;           // columns and rows of a system

void main()
{
    vec2 at = floor(gl_FragCoord.xy) - corner;
    vec2 system = vec2(floor((at.x + 0.5) / size.x), at.y);
    float i = at.x - system.x * size.x;
    float failed = texture2DRect(found, place + system + 0.5).b;
    float x = texture2DRect(a, origin + system * size + vec2(size.y, i) + 0.5).r;
    gl_FragColor = vec4(i == size.y ? failed : failed > 0.0 ? 0.0 : x);
}
