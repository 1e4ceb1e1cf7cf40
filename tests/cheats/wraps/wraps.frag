// SPDX-License-Identifier: MIT
// The grid wrapped around at its rim, in place of the nearest cell.
// Passes: where the rim is left out of the comparison.
// Found: because every cell is compared.
//@ include ../heat.glsl
//@ outside wrap
//@ check ../heat.c

float kernel(vec2 here) { return heat(); }
