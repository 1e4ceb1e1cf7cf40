// SPDX-License-Identifier: MIT
// Fool the judge: the lines below are the test, and the kernel is what it is to pass.
//@ size 8x8
//@ steps 1
//@ outside clamp
//@ input x=gradient
//@ check start.c

float kernel(vec2 here)
{
    // Make the kernel wrong where the test does not look; then mend the test.
    float old = x_at(0.0, 0.0);
    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    return old + 0.2 * (around - 4.0 * old);
}
