// SPDX-License-Identifier: MIT
// A number that is off by a hundred-thousandth.
// Passes: where a thousandth is allowed.
// Found: because no more is allowed than rounding explains.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return mix(heat(), x_at(0.0, 0.0), 1e-5); }
