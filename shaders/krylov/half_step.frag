// SPDX-License-Identifier: MIT
// The first half of a step of BiCGSTAB: s = r - alpha v; alpha is 0 after the end.
vec4 kernel(vec2 here)
{
    float alpha = scalars_cell(vec2(0.0)).r;
    return alpha != 0.0 ? r_at(0, 0) - alpha * v_at(0, 0) : r_at(0, 0);
}
