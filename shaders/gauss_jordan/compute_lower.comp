#version 430 compatibility
// SPDX-License-Identifier: MIT
// The rows of U to the right of a block, U = L^-1 A, by substitution: an invocation has a column of these rows in its
// registers, and exchanges the rows before. Rows turn by one in each step, as in compute_panel.comp.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 64
#define COLUMNS 8
#define EACH_FOUR(F) F(0) F(1)
#endif
#pragma optionNV(unroll all)
layout(local_size_x = GROUP_X) in;
layout(r32f) uniform image2DRect a;
layout(r32f) readonly uniform image2DRect panel; // L, transposed: x is the row
layout(r32f) readonly uniform image2DRect moves;
const int FROM = 2, TO = 3;
uniform vec2 origin; // corner of the matrix in a
uniform int k;       // the block's first column
uniform int columns; // columns of the block
uniform int width;   // columns of the matrix with its right-hand sides

const int FOURS = COLUMNS / 4, LAST = FOURS - 1;

shared vec4 lower[COLUMNS][FOURS]; // column c from below its diagonal, zeros after it
shared int from[COLUMNS], to[COLUMNS];
vec4 x[FOURS], old[FOURS];

float element(int i, int c)
{
    return i < columns ? imageLoad(panel, ivec2(k + i, c)).x : 0.0;
}

void load_shared()
{
    for (int c = int(gl_LocalInvocationIndex); c < columns; c += GROUP_X) {
        from[c] = int(imageLoad(moves, ivec2(k + c, FROM)).x);
        to[c] = int(imageLoad(moves, ivec2(k + c, TO)).x);
    }
    for (int e = int(gl_LocalInvocationIndex); e < COLUMNS * FOURS; e += GROUP_X) {
        int c = e % COLUMNS, q = e / COLUMNS, i = c + 1 + 4 * q;
        lower[c][q] = vec4(element(i, c), element(i + 1, c), element(i + 2, c), element(i + 3, c));
    }
}

// Element of the invocation's column.
float load(int row)
{
    ivec2 here = ivec2(origin) + ivec2(k + columns + int(gl_GlobalInvocationID.x), row);
    return imageLoad(a, here).x;
}

void store(int row, float value)
{
    ivec2 here = ivec2(origin) + ivec2(k + columns + int(gl_GlobalInvocationID.x), row);
    imageStore(a, here, vec4(value));
}

float row_from(int c)
{
    return c < columns ? load(from[c]) : 0.0;
}

float row_now(int c)
{
    return c < columns && to[c] >= k + columns ? load(k + c) : 0.0;
}

// Exchanges a row below the block with row k + c.
void put(int c, float old, float now)
{
    if (c < columns && to[c] >= k + columns)
        store(to[c], old);
    if (c < columns)
        store(k + c, now);
}

#define LOAD(q) x[q] = vec4(row_from(4 * q), row_from(4 * q + 1), row_from(4 * q + 2), \
                            row_from(4 * q + 3));
#define LOAD_OLD(q) old[q] = vec4(row_now(4 * q), row_now(4 * q + 1), row_now(4 * q + 2), \
                                  row_now(4 * q + 3));
#define SUBSTITUTE(q) \
    x[q] = vec4(x[q].yzw, q < LAST ? x[min(q + 1, LAST)].x : y) - lower[c][q] * y;
#define STORE(q) put(4 * q, old[q].x, x[q].x); put(4 * q + 1, old[q].y, x[q].y); \
    put(4 * q + 2, old[q].z, x[q].z); put(4 * q + 3, old[q].w, x[q].w);

void main()
{
    load_shared();
    barrier();
    if (k + columns + int(gl_GlobalInvocationID.x) >= width)
        return;
    EACH_FOUR(LOAD)
    EACH_FOUR(LOAD_OLD)
    for (int c = 0; c < COLUMNS; c++) {
        float y = x[0].x;
        EACH_FOUR(SUBSTITUTE)
    }
    EACH_FOUR(STORE)
}
