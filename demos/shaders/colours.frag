// SPDX-License-Identifier: MIT
// Two pictures added as a card of 2001 adds them, in 8 bits a colour: what would be above 255 is 255.
//@ input x=((2 - y) * (x - 1) * 255 + (y - 1) * (30 + 170 * (x - 1)))
//@ input b=((2 - y) * (x - 1) + (y - 1) * (40 + 60 * (x - 1)))
//@ size 2x2
//@ steps 1
//@ check colours.c

int kernel(vec2 here)
{
    return min(x_at(0.0, 0.0) + b_at(0.0, 0.0), 255);
}
