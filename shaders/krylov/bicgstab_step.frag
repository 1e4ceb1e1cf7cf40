// SPDX-License-Identifier: MIT
// The second half of a step of BiCGSTAB: x, r and p, which stay after the end.
void kernel(vec2 here)
{
    vec4 f = scalars_cell(vec2(0.0)), p = p_at(0, 0);
    out0 = x_at(0, 0);
    out1 = r_at(0, 0);
    out2 = p;
    if (f.r != 0.0) {
        out0 += f.r * p + f.b * s_at(0, 0);
        out1 = s_at(0, 0) - f.b * t_at(0, 0);
        out2 = out1 + f.g * (p - f.b * v_at(0, 0));
    }
}
