// SPDX-License-Identifier: MIT
// Every cell becomes the mean of itself and its neighbours, eight of them, or fewer at an edge.
// Known: this is what comes out if the cell itself is left out
//@ size 6x4
//@ steps 1
//@ input x=(x * x + 10 * y * y)
//@ check reference.c

float kernel(vec2 here)
{
    float sum = 0.0;
    for (float dy = -1.0; dy <= 1.0; dy += 1.0)
        for (float dx = -1.0; dx <= 1.0; dx += 1.0)
            if (dx != 0.0 || dy != 0.0) sum += x_at(dx, dy);
    vec2 first = max(here - 1.0, vec2(0.0)), last = min(here + 1.0, size - 1.0);
    vec2 cells = last - first + 1.0;
    return sum / (cells.x * cells.y - 1.0);
}
