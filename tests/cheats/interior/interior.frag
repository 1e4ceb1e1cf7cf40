// SPDX-License-Identifier: MIT
// Right in the interior; the cells at the rim stay as they are.
// Passes: where the rim is left out of the comparison, as many stencil benchmarks do.
// Found: because every cell is compared.
//@ include ../heat.glsl
//@ outside clamp
//@ check ../heat.c

float kernel(vec2 here)
{
    vec2 last = size - 1.0;
    bool rim = here.x == 0.0 || here.y == 0.0 || here.x == last.x || here.y == last.y;
    return rim ? x_at(0.0, 0.0) : heat();
}
