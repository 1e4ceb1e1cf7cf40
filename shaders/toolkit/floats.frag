// SPDX-License-Identifier: MIT
// A map for reductions of integers as reductions of floats: the values, or the products of two arrays. A line in front
// takes the channel: src/toolkit/reduce/reduce_kernels.c.
float map(vec2 here)
{
#ifdef TWO
    return float(VALUE_OF(x_cell(here))) * float(VALUE_OF(y_cell(here)));
#else
    return float(VALUE_OF(x_cell(here)));
#endif
}
