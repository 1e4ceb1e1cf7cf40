// SPDX-License-Identifier: MIT
// Poisson's equation by successive over-relaxation: a step computes every other cell, like the red
// and then the black squares of a chessboard, and so from neighbours that are new already.
//     quadpass run demos/shaders/red_black.frag --picture potential.png
//@ input x=zeros
//@ input charge=((hypot(x - 45, y - 64) < 9) - (hypot(x - 84, y - 64) < 9))
//@ set weight=1.95
//@ size 128x128
//@ steps 400
//@ check red_black.c

float kernel(vec2 here)
{
    float colour = mod(here.x + here.y + step_number, 2.0), old = x_at(0.0, 0.0);
    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    float better = 0.25 * (around + charge_at(0.0, 0.0));
    return colour == 0.0 ? old + weight * (better - old) : old;
}
