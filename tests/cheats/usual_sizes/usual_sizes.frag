// SPDX-License-Identifier: MIT
// Right at sizes that are always asked for.
// Passes: where sizes are written in the test, here with `--fixed`, too.
// Found: because three sizes are drawn anew for each check.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here)
{
    bool usual = size == vec2(1.0) || size == vec2(1.0, 7.0) || size == vec2(7.0, 1.0) ||
                 size == vec2(3.0) || size == vec2(13.0, 11.0) || size == vec2(30.0) ||
                 size == vec2(64.0) || size == vec2(65.0, 9.0) || size == vec2(17.0, 5.0) ||
                 size == vec2(128.0, 130.0) || size == vec2(2048.0, 3.0);
    return usual ? heat() : x_at(0.0, 0.0);
}
