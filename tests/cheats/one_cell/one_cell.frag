// SPDX-License-Identifier: MIT
// One wrong cell.
// Passes: where a mean error is compared, or a sample of the cells.
// Found: because every cell is compared, and one wrong cell is enough.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return here == vec2(2.0, 1.0) ? x_at(0.0, 0.0) : heat(); }
