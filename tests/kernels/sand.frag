// SPDX-License-Identifier: MIT
// A sandpile: cells of four grains and more give one to each neighbour.
//@ input x=random
//@ seed 3
//@ outside zero
int topples(float dx, float dy)
{
    return x_at(dx, dy) >= 4 ? 1 : 0;
}

int kernel(vec2 here)
{
    return x_at(0.0, 0.0) - 4 * topples(0.0, 0.0) + topples(-1.0, 0.0) + topples(1.0, 0.0) +
           topples(0.0, -1.0) + topples(0.0, 1.0);
}
