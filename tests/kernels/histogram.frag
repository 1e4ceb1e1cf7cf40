// SPDX-License-Identifier: MIT
// Points: how many values of data, from 0 to 1, are in each of x's bins.
//@ input x=zeros
//@ input data=random
//@ size 64x1
//@ check histogram.c

// The bin of a number; what is not from 0 to 1 has none.
float bin(float number)
{
    float value = number * size.x;
    return value < size.x ? floor(value) : -1.0;
}

vec2 place(float i)
{
    float row = floor((i + 0.5) / data_size.x);
    value = 1.0;
    return vec2(bin(data_cell(vec2(i - row * data_size.x, row))), 0.0);
}
