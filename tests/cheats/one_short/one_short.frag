// SPDX-License-Identifier: MIT
// Steps counted one short.
// Passes: where the last step changes little.
// Found: because one step is asked for as well, and then nothing has changed.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return step_number < step_count - 1.0 ? heat() : x_at(0.0, 0.0); }
