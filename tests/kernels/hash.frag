// SPDX-License-Identifier: MIT
//@ outside 7
uint kernel(vec2 here)
{
    uint v = x_at(-1.0, 0.0) ^ (x_at(1.0, 0.0) << 5);
    return v * 2654435769u + mask_at(0.0, 0.0);
}
