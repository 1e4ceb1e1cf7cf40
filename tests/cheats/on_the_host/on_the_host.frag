// SPDX-License-Identifier: MIT
// The answer is computed elsewhere, and comes as an input.
// Passes: here with its own inputs.
// Found: by other inputs; where the answer belongs to files that cannot be exchanged, by nothing.
//@ input x=(x * y)
//@ input answer=(3 * x * x * y * y)
//@ steps 1
//@ check on_the_host.c

float kernel(vec2 here) { return answer_at(0.0, 0.0) / 3.0; }
