// SPDX-License-Identifier: MIT
// Blending as a sum: cell (b, j) counts the cells of row j of data that hold b.
//@ size 8x4
//@ steps 1
//@ input x=zeros
//@ input data=((x * x + 3 * y) % 8)
//@ check reference.c

// The cell of data that point i is about.
vec2 source(float i)
{
    float row = floor((i + 0.5) / data_size.x);
    return vec2(i - row * data_size.x, row);
}

vec2 place(float i)
{
    vec2 from = source(i);
    value = 1.0;
    return from; // change this
}
