// SPDX-License-Identifier: MIT
// The heat of shaders/heat.frag as a compute shader over buffers:
//     quadpass check demos/kernels/heat.comp
//@ set rate=0.2
//@ check ../shaders/heat.c
#version 430
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer Before { float x[]; };
layout(std430, binding = 1) writeonly buffer After { float y[]; };
uniform int width, height;
uniform float rate;

float at(int column, int row)
{
    return x[clamp(row, 0, height - 1) * width + clamp(column, 0, width - 1)];
}

void main()
{
    int column = int(gl_GlobalInvocationID.x), row = int(gl_GlobalInvocationID.y);
    if (column >= width || row >= height)
        return;
    float old = at(column, row);
    float around = at(column - 1, row) + at(column + 1, row) + at(column, row - 1) + at(column, row + 1);
    y[row * width + column] = old + rate * (around - 4.0 * old);
}
