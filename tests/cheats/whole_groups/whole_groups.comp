// SPDX-License-Identifier: MIT
// Groups that reach beyond the last column write there, too: into the next row.
// Passes: where widths are multiples of 16.
// Found: because most sizes are not, and cells beyond the last row are compared as well.
//@ check ../fade.c
#version 430
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer Before { float x[]; };
layout(std430, binding = 1) buffer After { float y[]; };
uniform int width, height;

void main()
{
    int column = int(gl_GlobalInvocationID.x), row = int(gl_GlobalInvocationID.y);
    y[row * width + column] = 0.5 * x[row * width + column];
}
