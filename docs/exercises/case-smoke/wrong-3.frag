// SPDX-License-Identifier: MIT
// Smoke: the wind carries it along the rows, warm air carries it up, and it thins out.
// Known: the wind blows with the strength of the lift, and the lift with that of the wind
//@ size 7x6
//@ steps 3
//@ outside zero
//@ set wind=0.25
//@ set lift=0.5
//@ input x=((x == 3) * (y == 2) * 64 + (x == 4) * (y == 2) * 16)
//@ check reference.c

float kernel(vec2 here)
{
    float own = x_at(0.0, 0.0);
    float blown = wind * (x_at(0.0, -1.0) - own);
    float risen = lift * (x_at(-1.0, 0.0) - own);
    return own + blown + risen - 0.03125 * own;
}
