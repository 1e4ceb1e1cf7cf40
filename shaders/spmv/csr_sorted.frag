#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Rows, or parts of long ones, sorted by length: a draw for each length, so that all fragments of a draw add as many
// entries. An entry is its value and the texel of x that it is multiplied by; zeros fill rounded lengths up.
uniform sampler2DRect x;
uniform sampler2DRect entries;
uniform sampler2DRect pointers; // of each fragment, its first entry
uniform float count;            // of entries in this draw

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
