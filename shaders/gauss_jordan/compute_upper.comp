#version 430 compatibility
// SPDX-License-Identifier: MIT
// A block's unknowns by substitution with U, from the last one up: an invocation has those of one right-hand side in
// its registers, the last first. They turn by one in each step, as in panel.comp.
#ifndef GROUP_X // who runs it says
#define GROUP_X 64
#define COLUMNS 32
#endif
layout(local_size_x = GROUP_X) in;
layout(r32f, binding = 0) uniform image2DRect a;
uniform vec2 origin; // of the matrix in a
uniform int k;       // the block's first column
uniform int columns; // in it
uniform int n;
uniform int width;   // columns of the matrix with its right-hand sides

const int FOURS = COLUMNS / 4;

shared float diagonal[COLUMNS];    // the last first
shared vec4 upper[COLUMNS][FOURS]; // column `last - c` from above its diagonal upwards, zeros behind it
vec4 x[FOURS];

float element(int row, int column)
{
    return row >= k ? imageLoad(a, ivec2(origin) + ivec2(column, row)).x : 0.0;
}

void load_upper(int last)
{
    for (int e = int(gl_LocalInvocationIndex); e < COLUMNS * FOURS; e += GROUP_X) {
        int c = e % COLUMNS, q = e / COLUMNS, column = last - c, i = column - 1 - 4 * q;
        upper[c][q] = vec4(element(i, column), element(i - 1, column), element(i - 2, column),
                           element(i - 3, column));
    }
    for (int c = int(gl_LocalInvocationIndex); c < COLUMNS; c += GROUP_X)
        diagonal[c] = c < columns ? element(last - c, last - c) : 1.0;
}

void main()
{
    int last = k + columns - 1, column = n + int(gl_GlobalInvocationID.x);
    load_upper(last);
    barrier();
    if (column >= width)
        return;
    for (int c = 0; c < COLUMNS; c++)
        x[c / 4][c % 4] = element(last - c, column);
    for (int c = 0; c < COLUMNS; c++) {
        float y = x[0].x / diagonal[c];
        for (int q = 0; q < FOURS; q++)
            x[q] = vec4(x[q].yzw, q + 1 < FOURS ? x[min(q + 1, FOURS - 1)].x : y) - upper[c][q] * y;
    }
    for (int c = 0; c < COLUMNS; c++)
        if (c < columns)
            imageStore(a, ivec2(origin) + ivec2(column, last - c), vec4(x[c / 4][c % 4]));
}
