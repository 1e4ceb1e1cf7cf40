// SPDX-License-Identifier: MIT
// Right for square grids.
// Passes: where all sizes are square.
// Found: because most sizes are not.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return size.x == size.y ? heat() : 0.0; }
