// SPDX-License-Identifier: MIT
// Sums from the left: after all steps cell i of a row is the sum of its cells 0 to i.
// Known: the cells 1, 2, 3 and 4 to the left are added; how far must step 2 look?
//@ size 16x2
//@ steps 4
//@ input x=(x + 2 * y)
//@ check reference.c

float kernel(vec2 here)
{
    float span = step_number + 1.0;
    return x_at(0.0, 0.0) + x_at(-span, 0.0);
}
