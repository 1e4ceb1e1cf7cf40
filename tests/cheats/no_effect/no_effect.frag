// SPDX-License-Identifier: MIT
// A read that has no effect: f is squared where it should be added, and it is zeros.
// Passes: where a kernel may choose its inputs.
// Found: by `--mutants`: the reference notices no change of f, and on other inputs the kernel
// fails.
//@ input f=zeros
//@ check no_effect.c

float kernel(vec2 here) { return 0.5 * x_at(0.0, 0.0) + f_at(0.0, 0.0) * f_at(0.0, 0.0); }
