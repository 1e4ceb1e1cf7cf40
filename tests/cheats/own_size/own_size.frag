// SPDX-License-Identifier: MIT
// Right at the size that it asks for.
// Passes: where a kernel may say at which size it is tested.
// Found: by the words `alone, by its head` in the verdict; `--size` takes precedence.
//@ include ../heat.glsl
//@ size 64x64
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return size == vec2(64.0) ? heat() : 0.0; }
