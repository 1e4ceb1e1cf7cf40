// SPDX-License-Identifier: MIT
// Scatter: particle i, at column px and row py, adds its mass to the cell that it is in.
//@ size 6x4
//@ steps 1
//@ input x=zeros
//@ input px=(5.9 * (x % 3) / 2.0 + 0.3)
//@ input py=(fmod(1.7 * y + 0.6 * x, 4.0))
//@ input mass=(x + 10 * y)
//@ check reference.c

// The cell of px, py and mass that particle i has.
vec2 source(float i)
{
    float row = floor((i + 0.5) / px_size.x);
    return vec2(i - row * px_size.x, row);
}

vec2 place(float i)
{
    vec2 from = source(i);
    value = mass_cell(from);
    return floor(vec2(px_cell(from), py_cell(from)));
}
