// SPDX-License-Identifier: MIT
// Red-black: even steps compute red cells, those with column + row even, and odd steps black ones.
// Known: this is what comes out if columns take turns, and not colours
//@ size 7x5
//@ steps 4
//@ input x=(x * x + 10 * y * y)
//@ check reference.c

float kernel(vec2 here)
{
    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    bool mine = mod(here.x + step_number, 2.0) == 0.0;
    return mine ? 0.25 * around : x_at(0.0, 0.0);
}
