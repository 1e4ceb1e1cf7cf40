// SPDX-License-Identifier: MIT
// The right kernel, and a test at all sizes and with random numbers.
//@ outside clamp
//@ check start.c

float kernel(vec2 here)
{
    float old = x_at(0.0, 0.0);
    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    return old + 0.2 * (around - 4.0 * old);
}
