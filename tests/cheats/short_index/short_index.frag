// SPDX-License-Identifier: MIT
// A cell's number in 16 bits, which is too few from 65,536 cells on.
// Passes: where grids are small, here with `--fixed`, too.
// Found: because one of the fresh sizes has more cells.
//@ outside clamp
//@ check ../heat.c

float cell(vec2 to)
{
    to = clamp(to, vec2(0.0), size - 1.0);
    float number = mod(to.y * size.x + to.x, 65536.0), row = floor((number + 0.5) / size.x);
    return x_cell(vec2(number - row * size.x, row));
}

float kernel(vec2 here)
{
    float old = cell(here);
    float around = cell(here - vec2(1.0, 0.0)) + cell(here + vec2(1.0, 0.0)) +
                   cell(here - vec2(0.0, 1.0)) + cell(here + vec2(0.0, 1.0));
    return old + 0.2 * (around - 4.0 * old);
}
