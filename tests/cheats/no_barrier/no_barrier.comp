// SPDX-License-Identifier: MIT
// Cells are shared by a group, and read before the others have written them.
// Passes: where a group goes together, as a warp does.
// Found: because here a group goes in parts; on a GPU with some luck.
//@ check no_barrier.c
#version 430
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer Before { float x[]; };
layout(std430, binding = 1) buffer After { float y[]; };
uniform int width, height;
shared float cell[16][16];

void main()
{
    int column = int(gl_GlobalInvocationID.x), row = int(gl_GlobalInvocationID.y);
    ivec2 me = ivec2(gl_LocalInvocationID.xy);
    cell[me.y][me.x] = column < width && row < height ? x[row * width + column] : 0.0;
    if (column >= width || row >= height)
        return;
    float below = row == 0 ? 0.0 : me.y > 0 ? cell[me.y - 1][me.x] : x[(row - 1) * width + column];
    float above = row == height - 1 ? 0.0 : me.y < 15 ? cell[me.y + 1][me.x] : x[(row + 1) * width + column];
    y[row * width + column] = 0.25 * below + 0.5 * above;
}
