// SPDX-License-Identifier: MIT
// Keeps cells where a mask is not 0, which NaN is not either. A line in front says what a value is: src/toolkit/mask.c.
float kernel(vec2 here)
{
    if (mask_cell(here) == MASK(0))
        discard;
    return 1.0;
}
