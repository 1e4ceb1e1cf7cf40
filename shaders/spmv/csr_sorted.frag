#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Rows, or parts of long rows, sorted by length: a draw for each length, so that all fragments of a draw add as many
// entries. An entry is its value and the texel of x by which it is multiplied; zeros fill up rounded lengths.
uniform sampler2DRect x;
uniform sampler2DRect entries;
uniform sampler2DRect pointers; // place of each fragment's first entry
uniform float count;            // number of each fragment's entries in this draw

void main()
{
    vec2 place = texture2DRect(pointers, gl_FragCoord.xy + 1.0).rg;
    float sum = 0.0;
    for (float k = 0.0; k < count; k += 1.0, place.x += 1.0) {
        vec4 entry = texture2DRect(entries, place);
        sum += entry.r * texture2DRect(x, entry.gb + 1.5).r;
    }
    gl_FragColor = vec4(sum);
}
