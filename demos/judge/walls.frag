// SPDX-License-Identifier: MIT
// Heat between two walls, at the left and at the right, through which none flows. It is wrong:
//     quadpass check demos/judge/walls.frag
//@ check walls.c

float kernel(vec2 here)
{
    float old = x_at(0.0, 0.0), flow = 0.0;
    if (here.x > 0.0)
        flow += x_at(-1.0, 0.0) - old;
    if (here.x < 63.0)
        flow += x_at(1.0, 0.0) - old;
    return old + 0.25 * flow;
}
