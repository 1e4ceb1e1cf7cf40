// SPDX-License-Identifier: MIT
// The state as it was.
// Passes: where a step changes less than is allowed, or all cells hold one value.
// Found: because random cells change; lookalike has a start where they do not.
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return x_at(0.0, 0.0); }
