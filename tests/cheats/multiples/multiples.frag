// SPDX-License-Identifier: MIT
// Right for widths that are multiples of 16; the columns left over stay as they are.
// Passes: where sizes are powers of two.
// Found: because other sizes are taken as well: primes, odd numbers, one more than a power of
// two.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return here.x < size.x - mod(size.x, 16.0) ? heat() : x_at(0.0, 0.0); }
