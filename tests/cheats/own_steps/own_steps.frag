// SPDX-License-Identifier: MIT
// Right in the one step that it asks for.
// Passes: where a kernel may say after how many steps it is tested.
// Found: by the words `at most 1 by its head` in the verdict; `--iterations` takes precedence.
//@ include ../heat.glsl
//@ steps 1
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return step_number < 1.0 ? heat() : 0.0; }
