// SPDX-License-Identifier: MIT
// Right for numbers of steps that are always asked for.
// Passes: where steps are written in the test, here with `--fixed`, too.
// Found: because a number of steps is drawn anew for each check.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here)
{
    bool usual = step_count == 1.0 || step_count == 2.0 || step_count == 7.0;
    return usual ? heat() : x_at(0.0, 0.0);
}
