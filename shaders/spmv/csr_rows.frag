#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Sums of csr_sorted.frag, from their places in the order of lengths to the rows' own places. The parts of a long row
// lie side by side in lines of 2048 texels, and are added.
uniform sampler2DRect parts;
uniform sampler2DRect rows; // first part of each row, and its number of parts

void main()
{
    vec4 row = texture2DRect(rows, gl_FragCoord.xy);
    vec2 place = row.rg;
    float sum = 0.0;
    // An integer, since a guard beside the grid holds NaN, and on some drivers a comparison with NaN ends no loop.
    int count = int(row.b);
    for (int k = 0; k < count; k++) {
        sum += texture2DRect(parts, place).r;
        place += place.x > 2047.0 ? vec2(-2047.0, 1.0) : vec2(1.0, 0.0);
    }
    gl_FragColor = vec4(sum);
}
