// SPDX-License-Identifier: MIT
// One constant, about which the right answers lie.
// Passes: where a hundredth is allowed, and outputs are means of many random numbers, as in
// problems of KernelBench.
// Found: because the mean of the outputs is judged, too, and would pass as well: such a check
// tells nothing.
//@ size 2048x3
//@ steps 1
//@ tolerance 0.05
//@ check mean.c

float kernel(vec2 here) { return 0.5; }
