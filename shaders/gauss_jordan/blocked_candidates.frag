#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Candidates for the next pivot of four columns: each fragment takes GROUP rows, eliminates the known pivots from
// them, and finds the row with the largest element. A row that is already a pivot is no candidate. Among equal
// elements the first wins. Layer 0 gets its size and its row, layer 1 the known pivots. The last group ends with
// the matrix and looks at its last rows a second time, which changes nothing.
#ifndef GROUP // defined by the engine, in front of this file
#define GROUP 32
#endif
layout(rgba32f) readonly uniform image2DArray panel;
uniform int k;     // the block's first column
uniform int known; // known pivots of the four columns, and so the column to search
uniform int n;

flat in ivec4 pivot;
flat in vec4 upper[4];
flat in vec4 reciprocal;

const int NEXT = 1;

// Four rows of the column searched. Where no pivot is known, rows of U are zero, and 1 / pivot is 1.
vec4 eliminated(mat4 a)
{
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < t; i++)
            a[t] -= a[i] * upper[i][t];
        a[t] *= reciprocal[t];
    }
    return known == 0 ? a[0] : known == 1 ? a[1] : known == 2 ? a[2] : a[3];
}

void main()
{
    int last = n / 4 - 1, first = k / 4 + int(gl_FragCoord.x) * (GROUP / 4);
    float best = 0.0;
    int at = k;
    mat4 four[GROUP / 4];
    for (int q = 0; q < GROUP / 4; q++)
        for (int t = 0; t < 4; t++)
            four[q][t] = imageLoad(panel, ivec3(NEXT, min(first + q, last), t));
    for (int q = 0; q < GROUP / 4; q++) {
        ivec4 row = 4 * min(first + q, last) + ivec4(0, 1, 2, 3);
        vec4 size = abs(eliminated(four[q]));
        for (int t = 0; t < 4; t++)
            size = mix(size, vec4(-1.0), equal(row, ivec4(pivot[t])));
        for (int c = 0; c < 4; c++) {
            bool larger = size[c] > best;
            at = larger ? row[c] : at;
            best = larger ? size[c] : best;
        }
    }
    gl_FragData[0] = vec4(best, float(at), 0.0, 0.0);
    gl_FragData[1] = vec4(pivot);
}
