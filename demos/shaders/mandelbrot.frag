// SPDX-License-Identifier: MIT
// The Mandelbrot set: how soon z -> z^2 + c leaves the circle of radius 2, in parts of 50 rounds.
//     quadpass run demos/shaders/mandelbrot.frag --picture mandelbrot.png
//@ set middle=-0.75,0
//@ set across=3
//@ size 192x160
//@ check mandelbrot.c

float kernel(vec2 here)
{
    vec2 c = middle + across / size.x * (here - 0.5 * size), z = vec2(0.0);
    float rounds = 0.0;
    for (int i = 0; i < 50; i++) {
        vec2 square = z * z;
        if (square.x + square.y > 4.0)
            break;
        z = vec2(square.x - square.y, 2.0 * z.x * z.y) + c;
        rounds += 1.0;
    }
    return rounds / 50.0;
}
