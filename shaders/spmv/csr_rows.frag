#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Sums of csr_sorted.frag, from their places in the order of lengths to the rows' own; the parts of a long row, which
// lie side by side in lines of 2048 texels, are added.
uniform sampler2DRect parts;
uniform sampler2DRect rows; // of each row: its first part, and how many there are

void main()
{
    vec4 row = texture2DRect(rows, gl_FragCoord.xy);
    vec2 place = row.rg;
    float sum = 0.0;
    // An integer, for a guard beside the grid holds NaN, and a comparison with NaN ends no loop on some drivers.
    int count = int(row.b);
    for (int k = 0; k < count; k++) {
        sum += texture2DRect(parts, place).r;
        place += place.x > 2047.0 ? vec2(-2047.0, 1.0) : vec2(1.0, 0.0);
    }
    gl_FragColor = vec4(sum);
}
