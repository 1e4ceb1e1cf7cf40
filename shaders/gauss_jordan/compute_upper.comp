#version 430 compatibility
// SPDX-License-Identifier: MIT
// A block's unknowns by substitution with U, from the last unknown up: an invocation has the unknowns of one right-hand
// side in its registers, the last first. They turn by one in each step, as in compute_panel.comp.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 64
#define COLUMNS 8
#define EACH_FOUR(F) F(0) F(1)
#endif
#pragma optionNV(unroll all)
layout(local_size_x = GROUP_X) in;
layout(r32f) uniform image2DRect a;
uniform vec2 origin; // corner of the matrix in a
uniform int k;       // the block's first column
uniform int columns; // columns of the block
uniform int n;
uniform int width;   // columns of the matrix with its right-hand sides

const int FOURS = COLUMNS / 4, LAST = FOURS - 1;

shared float diagonal[COLUMNS];    // diagonal of the block, its last element first
// column `last - c` from above its diagonal upwards, zeros after it
shared vec4 upper[COLUMNS][FOURS];
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

void store(int row, int column, float value)
{
    if (row >= k)
        imageStore(a, ivec2(origin) + ivec2(column, row), vec4(value));
}

#define LOAD(q) x[q] = vec4(element(last - 4 * q, column), element(last - 4 * q - 1, column), \
                            element(last - 4 * q - 2, column), element(last - 4 * q - 3, column));
#define SUBSTITUTE(q) \
    x[q] = vec4(x[q].yzw, q < LAST ? x[min(q + 1, LAST)].x : y) - upper[c][q] * y;
#define STORE(q) store(last - 4 * q, column, x[q].x); store(last - 4 * q - 1, column, x[q].y); \
    store(last - 4 * q - 2, column, x[q].z); store(last - 4 * q - 3, column, x[q].w);

void main()
{
    int last = k + columns - 1, column = n + int(gl_GlobalInvocationID.x);
    load_upper(last);
    barrier();
    if (column >= width)
        return;
    EACH_FOUR(LOAD)
    for (int c = 0; c < COLUMNS; c++) {
        float y = x[0].x / diagonal[c];
        EACH_FOUR(SUBSTITUTE)
    }
    EACH_FOUR(STORE)
}
