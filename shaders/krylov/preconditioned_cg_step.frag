// SPDX-License-Identifier: MIT
// A step of preconditioned CG: x, r, p and z = M r, which stay after the end; v = M q.
void kernel(vec2 here)
{
    vec4 f = scalars_cell(vec2(0.0)), p = p_at(0, 0);
    out0 = x_at(0, 0);
    out1 = r_at(0, 0);
    out2 = p;
    out3 = z_at(0, 0);
    if (state_cell(vec2(0.0)).g == 0.0) {
        out0 += f.r * p;
        out1 -= f.r * q_at(0, 0);
        out3 -= f.r * v_at(0, 0);
        out2 = out3 + f.g * p;
    }
}
