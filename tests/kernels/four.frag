// SPDX-License-Identifier: MIT
//@ state a b c d
// Four states, each its neighbour in the list.
ivec2 next(ivec2 v)
{
    return v.yx + 1;
}

void kernel(vec2 here)
{
    out0 = ivec2(1, 0) + b_at(0.0, 0.0);
    out1 = next(c_at(0.0, 0.0));
    out2 = d_at(0.0, 0.0);
    out3 = a_at(-1.0, 0.0);
}
