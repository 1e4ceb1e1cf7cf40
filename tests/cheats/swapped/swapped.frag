// SPDX-License-Identifier: MIT
// Width and height exchanged.
// Passes: where all sizes are square.
// Found: because most sizes are not.
//@ outside clamp
//@ check ../heat.c

float cell(vec2 to) { return x_cell(clamp(to, vec2(0.0), size.yx - 1.0)); }

float kernel(vec2 here)
{
    float old = cell(here);
    float around = cell(here - vec2(1.0, 0.0)) + cell(here + vec2(1.0, 0.0)) +
                   cell(here - vec2(0.0, 1.0)) + cell(here + vec2(0.0, 1.0));
    return old + 0.2 * (around - 4.0 * old);
}
