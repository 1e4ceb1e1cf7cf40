// SPDX-License-Identifier: MIT
// Every cell takes the value of its left neighbour.
// Known: this is right but for the first column, which has no left neighbour and keeps its value
//@ size 6x4
//@ steps 1
//@ input x=(10 * (y - 1) + x - 1)
//@ check reference.c

float kernel(vec2 here)
{
    return here.x < 1.0 ? x_at(0.0, 0.0) : x_at(-1.0, 0.0);
}
