// SPDX-License-Identifier: MIT
// Fool the judge: the lines below are the test, and the kernel is what it is to pass.
// Known: the judge is fooled, and nobody has mended the test yet
//@ size 8x8
//@ steps 1
//@ outside clamp
//@ input x=gradient
//@ check start.c

float kernel(vec2 here)
{
    float old = x_at(0.0, 0.0);
    return old + 0.2 * (x_at(-1.0, 0.0) + x_at(1.0, 0.0) - 2.0 * old);
}
