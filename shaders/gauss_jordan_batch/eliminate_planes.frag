#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// eliminate.frag for four systems at once, one a channel, each with a pivot of its own: the pivot's
// row is fetched from four places.
uniform sampler2DRect a;
uniform sampler2DRect found;  // the pivots' rows
uniform sampler2DRect pivots; // the pivots' values
uniform vec2 origin;          // corner of the first plane in a
uniform vec2 place;           // corner of both textures of pivots
uniform vec2 count;           // systems of a plane, in fours
uniform float k;

void main()
{
    vec2 at = floor(gl_FragCoord.xy) - origin;
    vec2 here = floor((at + 0.5) / count);
    vec2 system = at - here * count;
    vec2 first = origin + system + 0.5;
    vec4 row = texture2DRect(found, place + system + 0.5);
    vec4 pivot = texture2DRect(pivots, place + system + 0.5);
    vec4 above = vec4(texture2DRect(a, first + vec2(here.x, row.r) * count).r,
                      texture2DRect(a, first + vec2(here.x, row.g) * count).g,
                      texture2DRect(a, first + vec2(here.x, row.b) * count).b,
                      texture2DRect(a, first + vec2(here.x, row.a) * count).a);
    vec4 moved = vec4(equal(row, vec4(here.y)));
    vec4 left = mix(texture2DRect(a, first + vec2(k, here.y) * count),
                    texture2DRect(a, first + vec2(k, k) * count), moved);
    vec4 old = mix(texture2DRect(a, first + here * count),
                   texture2DRect(a, first + vec2(here.x, k) * count), moved);
    gl_FragColor = here.y == k ? above / pivot : old - left / pivot * above;
}
