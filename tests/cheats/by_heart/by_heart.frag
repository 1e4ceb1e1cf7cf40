// SPDX-License-Identifier: MIT
// Right where the first value is that of seed 1.
// Passes: where inputs come from a fixed seed, here with `--fixed`, too.
// Found: because inputs are drawn anew for each check.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return abs(x_cell(vec2(0.0)) - 0.5665615797) < 1e-6 ? heat() : 0.0; }
