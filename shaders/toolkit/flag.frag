// SPDX-License-Identifier: MIT
// 1 where a mask is not 0, else 0; NaN is not 0.
uint kernel(vec2 here)
{
    return mask_cell(here) == MASK(0) ? 0u : 1u;
}
