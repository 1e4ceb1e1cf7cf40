// SPDX-License-Identifier: MIT
// Two steps of Jacobi in one pass; around the grid all is 0, before and after each step.
// Known: this is what comes out if each cell within two steps counts once; some count twice
//@ size 7x5
//@ steps 1
//@ input x=(x * x + 10 * y * y)
//@ check reference.c

float kernel(vec2 here)
{
    return (x_at(-2.0, 0.0) + x_at(2.0, 0.0) + x_at(0.0, -2.0) + x_at(0.0, 2.0) +
            x_at(-1.0, -1.0) + x_at(1.0, -1.0) + x_at(-1.0, 1.0) + x_at(1.0, 1.0) +
            x_at(0.0, 0.0)) /
           9.0;
}
