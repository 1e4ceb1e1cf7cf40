// SPDX-License-Identifier: MIT
// Zeros, where right outputs are small beside the inputs.
// Passes: where errors are measured by the inputs, or by 1.
// Found: because the reference is asked again with smaller inputs, which show what its outputs
// are made of.
//@ check small_zeros.c

float kernel(vec2 here) { return 0.0; }
