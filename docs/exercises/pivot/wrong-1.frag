// SPDX-License-Identifier: MIT
// Cell (i, j) finds the pivot of column i from row j on: the row of the largest magnitude.
// Known: this is what comes out if the largest value counts, and not the largest magnitude
//@ size 6x5
//@ steps 1
//@ input x=zeros
//@ input a=((7 * x + 3 * y * y) % 11 - 6)
//@ check reference.c

float kernel(vec2 here)
{
    float best = -1e30, found = here.y;
    for (float row = here.y; row < size.y; row += 1.0) {
        float value = a_cell(vec2(here.x, row));
        if (value > best) {
            best = value;
            found = row;
        }
    }
    return found;
}
