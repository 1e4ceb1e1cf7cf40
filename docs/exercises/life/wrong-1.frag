// SPDX-License-Identifier: MIT
// Conway's Game of Life on a torus: 1 is a living cell, 0 a dead one.
// Known: this is what comes out if the cell counts as its own neighbour
//@ outside wrap
//@ size 8x6
//@ steps 4
//@ input x=((x * x + 3 * y + x * y) % 5 < 2)
//@ check reference.c

int kernel(vec2 here)
{
    int around = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            around += x_at(dx, dy);
    return around == 3 || (around == 2 && x_at(0, 0) == 1) ? 1 : 0;
}
