#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// pivot.frag for four systems at once, one a channel. Rows, pivots and columns without a pivot go to
// a texture each.
uniform sampler2DRect a;
uniform sampler2DRect failures; // columns without a pivot, up to the one before
uniform vec2 origin;            // corner of the first plane in a
uniform vec2 place;             // corner of the first plane in the targets
uniform vec2 size;              // columns and rows of a system
uniform vec2 count;             // systems of a plane, in fours
uniform float k;

void main()
{
    vec2 first = origin + floor(gl_FragCoord.xy) - place + 0.5;
    vec4 row = vec4(k), pivot = texture2DRect(a, first + vec2(k, k) * count);
    for (float i = k + 1.0; i < size.y; i += 1.0) {
        vec4 value = texture2DRect(a, first + vec2(k, i) * count);
        vec4 larger = vec4(greaterThan(abs(value), abs(pivot)));
        row = mix(row, vec4(i), larger);
        pivot = mix(pivot, value, larger);
    }
    vec4 failed = k == 0.0 ? vec4(0.0) : texture2DRect(failures, gl_FragCoord.xy);
    vec4 good = vec4(greaterThan(abs(pivot), vec4(0.0))) * vec4(lessThan(abs(pivot), vec4(3.4e38)));
    vec4 now = (1.0 - good) * vec4(equal(failed, vec4(0.0)));
    gl_FragData[0] = row;
    gl_FragData[1] = pivot;
    gl_FragData[2] = failed + (k + 1.0) * now;
}
