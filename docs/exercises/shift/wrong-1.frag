// SPDX-License-Identifier: MIT
// Every cell takes the value of its left neighbour.
// Known: this is what comes out if you read the right neighbour
//@ size 6x4
//@ steps 1
//@ input x=(10 * (y - 1) + x - 1)
//@ check reference.c

float kernel(vec2 here)
{
    return x_at(1.0, 0.0);
}
