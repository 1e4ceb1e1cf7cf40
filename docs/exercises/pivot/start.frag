// SPDX-License-Identifier: MIT
// Cell (i, j) finds the pivot of column i from row j on: the row of the largest magnitude.
//@ size 6x5
//@ steps 1
//@ input x=zeros
//@ input a=((7 * x + 3 * y * y) % 11 - 6)
//@ check reference.c

float kernel(vec2 here)
{
    return here.y + a_at(0.0, 0.0) * 0.0; // change this
}
