// SPDX-License-Identifier: MIT
// NaN in the last cell.
// Passes: where cells are compared by `abs(a - b) > allowed`, which is false for NaN.
// Found: because what is no number fails before anything is compared.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return here == size - 1.0 ? sqrt(-1.0) : heat(); }
