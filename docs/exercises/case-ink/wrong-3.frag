// SPDX-License-Identifier: MIT
// Ink in wood: it spreads along the grain, which runs along the rows, and little across it.
// Known: cells of the same row get ink by both numbers
//@ size 7x6
//@ steps 2
//@ outside clamp
//@ set along=0.25
//@ set across=0.0625
//@ input x=((x == 3) * (y == 3) * 64)
//@ check reference.c

float kernel(vec2 here)
{
    float own = x_at(0.0, 0.0);
    float row = x_at(-1.0, 0.0) - 2.0 * own + x_at(1.0, 0.0);
    float column = x_at(0.0, -1.0) - 2.0 * own + x_at(0.0, 1.0);
    return own + (along + across) * row + across * column;
}
