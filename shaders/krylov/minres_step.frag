// SPDX-License-Identifier: MIT
// A step of MINRES: x, and in place of the direction before, o, the next one, of length 1 the next vector v, and p, as
// the vector before it will be needed. All stay after the end.
void kernel(vec2 here)
{
    vec4 f = scalars_cell(vec2(0.0)), g = state_cell(vec2(0.0)), kept = kept_cell(vec2(0.0));
    float beta = length(kept.ba), gamma = length(vec2(f.b, beta));
    out0 = x_at(0, 0);
    out1 = o_at(0, 0);
    out2 = v_at(0, 0);
    out3 = p_at(0, 0);
    if (g.g == 0.0 && kept.rg != vec2(0.0)) {
        out1 = (out3 - f.a * out1 - f.g * z_at(0, 0)) / gamma;
        out0 += kept.r * sqrt(g.r) * out1;
        out2 = beta > 0.0 ? out2 / beta : vec4(0.0);
        out3 *= beta;
    }
}
