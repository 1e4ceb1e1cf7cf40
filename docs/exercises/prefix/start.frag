// SPDX-License-Identifier: MIT
// Sums from the left: after all steps cell i of a row is the sum of its cells 0 to i.
//@ size 16x2
//@ steps 4
//@ input x=(x + 2 * y)
//@ check reference.c

float kernel(vec2 here)
{
    float span = step_number + 1.0; // change this
    return x_at(0.0, 0.0); // and this
}
