// SPDX-License-Identifier: MIT
// Conway's Game of Life on a torus, without any C; cells above one half are alive:
//     quadpass run demos/shaders/life.frag --steps 200 --every 2 --frames life
//     quadpass check demos/shaders/life.frag
//@ outside wrap
//@ check life.c

float alive(float dx, float dy)
{
    return step(0.5, x_at(dx, dy));
}

float kernel(vec2 here)
{
    float around = alive(-1.0, -1.0) + alive(0.0, -1.0) + alive(1.0, -1.0) + alive(-1.0, 0.0) +
                   alive(1.0, 0.0) + alive(-1.0, 1.0) + alive(0.0, 1.0) + alive(1.0, 1.0);
    // Born with three neighbours, lives on with two.
    return around == 3.0 || around + alive(0.0, 0.0) == 3.0 ? 1.0 : 0.0;
}
