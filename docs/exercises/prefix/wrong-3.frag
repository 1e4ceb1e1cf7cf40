// SPDX-License-Identifier: MIT
// Sums from the left: after all steps cell i of a row is the sum of its cells 0 to i.
// Known: this is what comes out if the first cell that has something to add is left out
//@ size 16x2
//@ steps 4
//@ input x=(x + 2 * y)
//@ check reference.c

float kernel(vec2 here)
{
    float span = exp2(step_number);
    return x_at(0.0, 0.0) + (here.x > span ? x_at(-span, 0.0) : 0.0);
}
