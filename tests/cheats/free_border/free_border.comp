// SPDX-License-Identifier: MIT
// A border of zeros that nobody computes: many drivers give 0 for what is read beyond a buffer, and none need do so.
// Passes: wherever buffers are as large as their arrays, on such a driver.
// Found: because guards are within the range that is bound.
//@ check free_border.c
#version 430
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer Before { float x[]; };
layout(std430, binding = 1) writeonly buffer After { float y[]; };
uniform int width, height;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID);
    int i = at.y * width + at.x;
    if (at.x < width && at.y < height)
        y[i] = (x[i - width] + x[i] + x[i + width]) / 3.0;
}
