// SPDX-License-Identifier: MIT
// Right for fewer than 256 columns.
// Passes: where grids are small.
// Found: because some sizes are wider.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return size.x < 256.0 ? heat() : x_at(0.0, 0.0); }
