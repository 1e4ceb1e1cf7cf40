// SPDX-License-Identifier: MIT
// No cheat: the right step, which passes.
// Passes: everywhere.
// Found: nowhere.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here) { return heat(); }
