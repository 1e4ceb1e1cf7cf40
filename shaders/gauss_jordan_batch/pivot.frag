#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Column k of one system: in r the row of its largest element from row k down, in g that element, in b
// the first column without a pivot, counted from 1, or 0.
uniform sampler2DRect a;
uniform sampler2DRect found; // pivots of the column before
uniform vec2 origin;         // corner of the first system in a
uniform vec2 place;          // corner of the systems' texels in found
uniform vec2 size;           // columns and rows of a system
uniform float k;

void main()
{
    vec2 first = origin + (floor(gl_FragCoord.xy) - place) * size + 0.5;
    float row = k, pivot = texture2DRect(a, first + vec2(k, k)).r;
    for (float i = k + 1.0; i < size.y; i += 1.0) {
        float value = texture2DRect(a, first + vec2(k, i)).r;
        bool larger = abs(value) > abs(pivot);
        row = larger ? i : row;
        pivot = larger ? value : pivot;
    }
    float failed = k == 0.0 ? 0.0 : texture2DRect(found, gl_FragCoord.xy).b;
    bool good = abs(pivot) > 0.0 && abs(pivot) < 3.4e38;
    gl_FragColor = vec4(row, pivot, failed == 0.0 && !good ? k + 1.0 : failed, 0.0);
}
