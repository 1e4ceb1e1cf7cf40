#version 430 compatibility
// SPDX-License-Identifier: MIT
// A block's rows of U right of it, U = L^-1 A, by substitution: an invocation has a column of them in its registers
// and exchanges its rows before. Rows turn by one in each step, as in panel.comp.
#ifndef GROUP_X // who runs it says
#define GROUP_X 64
#define COLUMNS 32
#endif
layout(local_size_x = GROUP_X) in;
layout(r32f, binding = 0) uniform image2DRect a;
layout(r32f, binding = 1) readonly uniform image2DRect panel; // L, each column lying: x is the row
layout(r32f, binding = 3) readonly uniform image2DRect moves;
const int FROM = 2, TO = 3;
uniform vec2 origin; // of the matrix in a
uniform int k;       // the block's first column
uniform int columns; // in it
uniform int width;   // columns of the matrix with its right-hand sides

const int FOURS = COLUMNS / 4;

shared vec4 lower[COLUMNS][FOURS]; // column c from below its diagonal, zeros behind it
vec4 x[FOURS];

int moved(int c, int way)
{
    return int(imageLoad(moves, ivec2(k + c, way)).x);
}

float element(int i, int c)
{
    return i < columns ? imageLoad(panel, ivec2(k + i, c)).x : 0.0;
}

void load_lower()
{
    for (int e = int(gl_LocalInvocationIndex); e < COLUMNS * FOURS; e += GROUP_X) {
        int c = e % COLUMNS, q = e / COLUMNS, i = c + 1 + 4 * q;
        lower[c][q] = vec4(element(i, c), element(i + 1, c), element(i + 2, c), element(i + 3, c));
    }
}

void main()
{
    int end = k + columns, column = end + int(gl_GlobalInvocationID.x);
    ivec2 here = ivec2(origin) + ivec2(column, 0);
    load_lower();
    barrier();
    if (column >= width)
        return;
    for (int c = 0; c < COLUMNS; c++)
        x[c / 4][c % 4] = c < columns ? imageLoad(a, here + ivec2(0, moved(c, FROM))).x : 0.0;
    for (int c = 0; c < columns; c++) {
        int to = moved(c, TO);
        if (to >= end)
            imageStore(a, here + ivec2(0, to), imageLoad(a, here + ivec2(0, k + c)));
    }
    for (int c = 0; c < COLUMNS; c++) {
        float y = x[0].x;
        for (int q = 0; q < FOURS; q++)
            x[q] = vec4(x[q].yzw, q + 1 < FOURS ? x[min(q + 1, FOURS - 1)].x : y) - lower[c][q] * y;
    }
    for (int c = 0; c < COLUMNS; c++)
        if (c < columns)
            imageStore(a, here + ivec2(0, k + c), vec4(x[c / 4][c % 4]));
}
