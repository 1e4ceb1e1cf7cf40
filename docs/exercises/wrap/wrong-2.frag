// SPDX-License-Identifier: MIT
// Each row is a ring: every cell takes its left neighbour's value, the first one that of the last.
// Known: this is what comes out if the first cell of a row reads itself
//@ size 6x4
//@ steps 1
//@ input x=(10 * (y - 1) + x - 1)
//@ check reference.c

float kernel(vec2 here)
{
    return x_cell(vec2(max(here.x - 1.0, 0.0), here.y));
}
