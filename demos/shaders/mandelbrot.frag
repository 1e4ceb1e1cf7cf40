// SPDX-License-Identifier: MIT
// The Mandelbrot set: how soon z -> z^2 + c leaves the circle of radius 2, in parts of all rounds.
//     quadpass run demos/shaders/mandelbrot.frag --picture mandelbrot.png
//@ set middle=-0.75,0
//@ set across=3
//@ set most=50
//@ size 192x160
//@ check mandelbrot.c

float kernel(vec2 here)
{
    vec2 c = middle + across / size.x * (here - 0.5 * size), z = vec2(0.0);
    float rounds = 0.0;
    for (float i = 0.0; i < most; i += 1.0) {
        vec2 square = z * z;
        if (square.x + square.y > 4.0)
            break;
        z = vec2(square.x - square.y, 2.0 * z.x * z.y) + c;
        rounds += 1.0;
    }
    return rounds / most;
}
