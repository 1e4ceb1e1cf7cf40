// SPDX-License-Identifier: MIT
// Right in the first three steps.
// Passes: where one step is compared.
// Found: because more steps are asked for as well.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return step_number < 3.0 ? heat() : x_at(0.0, 0.0); }
