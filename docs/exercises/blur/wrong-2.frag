// SPDX-License-Identifier: MIT
// Every cell becomes the mean of itself and its neighbours, eight of them, or fewer at an edge.
// Known: this is what comes out if cells at the edge count twice, since there always are nine
//@ outside clamp
//@ size 6x4
//@ steps 1
//@ input x=(x * x + 10 * y * y)
//@ check reference.c

float kernel(vec2 here)
{
    float sum = 0.0;
    for (float dy = -1.0; dy <= 1.0; dy += 1.0)
        for (float dx = -1.0; dx <= 1.0; dx += 1.0)
            sum += x_at(dx, dy);
    return sum / 9.0;
}
