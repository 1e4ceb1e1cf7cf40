// SPDX-License-Identifier: MIT
// Scalars of the second half of a step of MINRES: the rotation that takes beta, the length of the next vector, out of
// the column, and what it leaves of the residual's length. `kept` is the rotation before. A column that is rounding
// alone ends the steps: A times the last vector is a sum of those before.
const float rounding = 4.76837158203125e-07;

void kernel(vec2 here)
{
    vec4 sum = total(), f = scalars_cell(vec2(0.0)), g = state_cell(vec2(0.0)), kept = kept_at(0, 0);
    float beta = sqrt(sum.r), gamma = sqrt(f.b * f.b + sum.r), sine = beta / gamma;
    out0 = kept;
    if (g.g == 0.0 && gamma > rounding * length(vec4(f.gba, beta)) && is_finite(gamma)) {
        out0 = vec4(f.b / gamma, sine, -kept.r * beta, kept.g * beta);
        g.rb = vec2(g.r * sine * sine, g.b + 1.0);
        g.g = g.r <= g.a ? 1.0 : 0.0;
    } else if (g.g == 0.0) {
        out0 = vec4(0.0); // no rotation
        g.g = is_finite(gamma) ? 4.0 : 5.0;
    }
    out1 = g;
}
