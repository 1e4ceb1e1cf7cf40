// SPDX-License-Identifier: MIT
// Writes its answer into the input, too.
// Passes: where the reference is given the arrays that the kernel had.
// Found: because inputs are compared after each step.
//@ check ../fade.c
#version 430
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) buffer Before { float x[]; };
layout(std430, binding = 1) buffer After { float y[]; };
uniform int width, height;

void main()
{
    int column = int(gl_GlobalInvocationID.x), row = int(gl_GlobalInvocationID.y);
    if (column >= width || row >= height)
        return;
    int here = row * width + column;
    y[here] = 0.5 * x[here];
    x[here] = y[here];
}
