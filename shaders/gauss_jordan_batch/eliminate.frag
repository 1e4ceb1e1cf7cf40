#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// An element of a system after its column k is eliminated. The pivot's row changes places with
// row k as they are fetched. A factor is a quotient: where division rounds correctly, two equal rows
// of a system cancel exactly.
uniform sampler2DRect a;
uniform sampler2DRect found; // a texel for each system: the pivot's row, and the pivot
uniform vec2 origin;         // corner of the first system in a
uniform vec2 place;          // corner of the systems' texels in found
uniform vec2 size;           // columns and rows of a system
uniform float k;

void main()
{
    vec2 at = floor(gl_FragCoord.xy) - origin;
    vec2 system = floor((at + 0.5) / size);
    vec2 first = origin + system * size + 0.5;
    vec2 here = at - system * size;
    vec4 pivot = texture2DRect(found, place + system + 0.5);
    float from = here.y == pivot.r ? k : here.y;
    float above = texture2DRect(a, first + vec2(here.x, pivot.r)).r;
    float factor = texture2DRect(a, first + vec2(k, from)).r / pivot.g;
    float other = texture2DRect(a, first + vec2(here.x, from)).r - factor * above;
    gl_FragColor = vec4(here.y == k ? above / pivot.g : other);
}
