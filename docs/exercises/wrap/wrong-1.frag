// SPDX-License-Identifier: MIT
// Each row is a ring: every cell takes its left neighbour's value, the first one that of the last.
// Known: this is what comes out if size.x is taken for the last column: it is one beyond it
//@ size 6x4
//@ steps 1
//@ input x=(10 * (y - 1) + x - 1)
//@ check reference.c

float kernel(vec2 here)
{
    return x_cell(vec2(here.x > 0.0 ? here.x - 1.0 : size.x, here.y));
}
