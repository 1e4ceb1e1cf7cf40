// SPDX-License-Identifier: MIT
// Each row is a ring: every cell takes its left neighbour's value, the first one that of the last.
// Known: the first cell of a row gets the last of the row before: cells are numbered through
//@ size 6x4
//@ steps 1
//@ input x=(10 * (y - 1) + x - 1)
//@ check reference.c

float kernel(vec2 here)
{
    float i = here.y * size.x + here.x - 1.0;
    float row = floor(i / size.x);
    return x_cell(vec2(i - row * size.x, row));
}
