#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// rowop.frag after row k and the pivot's row have changed places: where the pivot's row was, the old
// row k is read. `row` holds the pivot's row, divided by the pivot.
uniform sampler2DRect a;
uniform sampler2DRect row;
uniform sampler2DRect found; // distance from row k down to the pivot's row, in b
uniform vec2 k;              // centre of element (k, k), in texels

void main()
{
    float pivot = k.y + texture2DRect(found, vec2(0.5)).b;
    vec2 from = vec2(gl_FragCoord.x, gl_FragCoord.y == pivot ? k.y : gl_FragCoord.y);
    vec4 above = texture2DRect(row, vec2(gl_FragCoord.x, 0.5));
    vec4 factor = texture2DRect(a, vec2(k.x, from.y));
    gl_FragColor = gl_FragCoord.y == k.y ? above : texture2DRect(a, from) - factor * above;
}
