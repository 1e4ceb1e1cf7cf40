// SPDX-License-Identifier: MIT
// A step of CG: x, r and p, which stay after the end.
void kernel(vec2 here)
{
    vec4 f = scalars_cell(vec2(0.0)), p = p_at(0, 0);
    out0 = x_at(0, 0);
    out1 = r_at(0, 0);
    out2 = p;
    if (state_cell(vec2(0.0)).g == 0.0) {
        out0 += f.r * p;
        out1 -= f.r * q_at(0, 0);
        out2 = out1 + f.g * p;
    }
}
