// SPDX-License-Identifier: MIT
// Keeps what its output holds, where that is a number.
// Passes: where the output still holds the answer of the run before.
// Found: because outputs begin as NaN or a large number, by turns.
//@ check ../fade.c
#version 430
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer Before { float x[]; };
layout(std430, binding = 1) buffer After { float y[]; };
uniform int width, height;

void main()
{
    int column = int(gl_GlobalInvocationID.x), row = int(gl_GlobalInvocationID.y);
    if (column >= width || row >= height)
        return;
    int here = row * width + column;
    if (isnan(y[here]))
        y[here] = 0.5 * x[here];
}
