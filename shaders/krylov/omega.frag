// SPDX-License-Identifier: MIT
// Scalars of the second half of a step of BiCGSTAB. The next rho is -omega r~'t, since alpha makes r~'s zero. Where t
// is at right angles to s, as always with a skew-symmetric matrix, omega is 0.7 |s| / |t|: the residual is then not
// the least, but the directions go on (Sleijpen, van der Vorst 1995). If the square of t's is below 2^-46 of t't s's,
// t's is rounding alone.
const float rounding = 1.4210854715202004e-14;

void kernel(vec2 here)
{
    vec4 sum = total(), f = scalars_cell(vec2(0.0)), g = state_cell(vec2(0.0));
    if (g.g == 0.0) {
        f.gb = vec2(-sum.a * f.r / f.a, sum.r / sum.g);
        if (!(f.b * (sum.r / sum.b) > rounding))
            f.b = 0.7 * sqrt(sum.b / sum.g);
        if (!(f.b > 0.0 || f.b < 0.0) || !(is_finite(f.b * (f.b * sum.g)) && is_finite(f.g))) {
            f.gb = vec2(0.0);
            g.g = 4.0;
        }
    }
    out0 = f;
    out1 = g;
}
