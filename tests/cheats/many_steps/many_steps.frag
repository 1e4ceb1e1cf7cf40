// SPDX-License-Identifier: MIT
// Right in the first 50 steps.
// Passes: here without options, for a check takes 7 steps at most.
// Found: by more steps, of `--iterations` or of the head.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return step_number < 50.0 ? heat() : x_at(0.0, 0.0); }
