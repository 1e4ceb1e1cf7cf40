// SPDX-License-Identifier: MIT
// 1 where a mask is not 0, which NaN is not either; else 0.
uint kernel(vec2 here)
{
    return mask_cell(here) == MASK(0) ? 0u : 1u;
}
