#version 430 compatibility
// SPDX-License-Identifier: MIT
// a := a - L U in tiles of 64 x 64 values, 4 x 4 an invocation: its parts of L and U are in shared
// memory. On the way forth it changes the rest of the matrix after a block; the next block's columns
// go to a panel of their own. On the way back it changes the right-hand sides above a block; L is then
// the block's columns of U, and U the block's unknowns.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 16
#define GROUP_Y 16
#define COLUMNS 32
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(r32f) uniform image2DRect a;
layout(r32f) readonly uniform image2DRect panel;  // L, transposed: x is the row
layout(r32f) writeonly uniform image2DRect next;  // the next panel, transposed too
uniform vec2 origin;      // corner of the matrix in a
uniform int k;            // the block's first column
uniform int columns;      // columns of the block
uniform vec2 first, end;  // first column and row of the part that changes, and the first after it
uniform int next_end;     // end of the columns that go to the next panel
uniform bool back;

const int EACH = 4, TILE = 64;
shared float l[COLUMNS][TILE], u[COLUMNS][TILE];

float element(int row, int column)
{
    return imageLoad(a, ivec2(origin) + ivec2(column, row)).x;
}

void load_tiles(ivec2 corner)
{
    int me = int(gl_LocalInvocationIndex);
    for (int e = 0; e < COLUMNS * TILE; e += GROUP_X * GROUP_Y) {
        int c = (me + e) / TILE, i = (me + e) % TILE;
        ivec2 at = corner + i;
        bvec2 there = bvec2(c < columns && at.x < int(end.x), c < columns && at.y < int(end.y));
        l[c][i] = !there.y ? 0.0
                  : back   ? element(at.y, k + c)
                           : imageLoad(panel, ivec2(at.y, c)).x;
        u[c][i] = there.x ? element(k + c, at.x) : 0.0;
    }
}

void main()
{
    ivec2 corner = ivec2(first) + TILE * ivec2(gl_WorkGroupID.xy);
    ivec2 own = ivec2(gl_LocalInvocationID.xy), groups = ivec2(GROUP_X, GROUP_Y);
    vec4 sum[EACH];
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            ivec2 at = corner + own + groups * ivec2(j, i);
            sum[i][j] = all(lessThan(at, ivec2(end))) ? element(at.y, at.x) : 0.0;
        }
    load_tiles(corner);
    barrier();
    for (int c = 0; c < columns; c++) {
        vec4 of_u = vec4(u[c][own.x], u[c][own.x + GROUP_X], u[c][own.x + 2 * GROUP_X],
                         u[c][own.x + 3 * GROUP_X]);
        for (int i = 0; i < EACH; i++)
            sum[i] -= l[c][own.y + GROUP_Y * i] * of_u;
    }
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            ivec2 at = corner + own + groups * ivec2(j, i);
            if (any(greaterThanEqual(at, ivec2(end))))
                continue;
            if (at.x < next_end)
                imageStore(next, ivec2(at.y, at.x - int(first.x)), vec4(sum[i][j]));
            else
                imageStore(a, ivec2(origin) + at, vec4(sum[i][j]));
        }
}
