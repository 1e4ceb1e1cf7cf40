// SPDX-License-Identifier: MIT
// Integers as floats, or the products of two arrays of them, for reductions that are those of floats. A line in front
// takes the channel: src/toolkit/reduction.c.
float kernel(vec2 here)
{
#ifdef TWO
    return float(VALUE_OF(x_cell(here))) * float(VALUE_OF(y_cell(here)));
#else
    return float(VALUE_OF(x_cell(here)));
#endif
}
