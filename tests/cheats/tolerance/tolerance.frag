// SPDX-License-Identifier: MIT
// Three digits, by a tolerance of its own.
// Passes: where a kernel may say how exact it is.
// Found: by the words `by its head` in the verdict; `--tolerance` takes precedence.
//@ include ../heat.glsl
//@ tolerance 1e-2
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return floor(1000.0 * heat() + 0.5) / 1000.0; }
