// SPDX-License-Identifier: MIT
// Right for numbers from 0 to 1.
// Passes: here without options, for random values are from 0 to 1.
// Found: by other inputs: `--mutants` names such that the kernel fails on, and leaves the verdict
// as it is.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here)
{
    float old = x_at(0.0, 0.0);
    return old < 0.0 || old > 1.0 ? 0.0 : heat();
}
