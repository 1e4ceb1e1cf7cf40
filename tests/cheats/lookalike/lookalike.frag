// SPDX-License-Identifier: MIT
// The state as it was, over inputs that the step does not change.
// Passes: wherever the start has one value, as with zeros or ones.
// Found: because the state before is judged, too, and would pass as well: such a check tells
// nothing.
//@ input x=ones
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return x_at(0.0, 0.0); }
