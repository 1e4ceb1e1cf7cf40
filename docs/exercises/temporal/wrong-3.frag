// SPDX-License-Identifier: MIT
// Two steps of Jacobi in one pass; around the grid all is 0, before and after each step.
// Known: this is what comes out if addresses are held inside the grid
//@ size 7x5
//@ steps 1
//@ input x=(x * x + 10 * y * y)
//@ check reference.c

// The cell after the first step.
float once(vec2 cell)
{
    cell = clamp(cell, vec2(0.0), size - 1.0);
    return 0.25 * (x_cell(cell + vec2(-1.0, 0.0)) + x_cell(cell + vec2(1.0, 0.0)) +
                   x_cell(cell + vec2(0.0, -1.0)) + x_cell(cell + vec2(0.0, 1.0)));
}

float kernel(vec2 here)
{
    return 0.25 * (once(here + vec2(-1.0, 0.0)) + once(here + vec2(1.0, 0.0)) +
                   once(here + vec2(0.0, -1.0)) + once(here + vec2(0.0, 1.0)));
}
