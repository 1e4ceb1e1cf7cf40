// SPDX-License-Identifier: MIT
// The last row left out.
// Passes: where a mean error is compared, or the first cells are.
// Found: because every cell is compared, and one wrong cell is enough.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return here.y < size.y - 1.0 ? heat() : x_at(0.0, 0.0); }
