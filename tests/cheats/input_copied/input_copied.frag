// SPDX-License-Identifier: MIT
// An input in place of the answer.
// Passes: where inputs are alike, or all are zeros.
// Found: because each array has random values of its own.
//@ input f=random
//@ check input_copied.c

float kernel(vec2 here) { return f_at(0.0, 0.0); }
