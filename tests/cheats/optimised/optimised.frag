// SPDX-License-Identifier: MIT
// A sum that is right only where a compiler computes (a + b) - b as a.
// Passes: with a compiler that simplifies so, and fails with the next one.
// Found: because kernels are drawn `precise`: each operation is computed as it is written.
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here)
{
    float old = x_at(0.0, 0.0);
    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    return (old + 1e4) - 1e4 + 0.2 * (around - 4.0 * old);
}
