// SPDX-License-Identifier: MIT
// Scalars of the first half of a step of BiCGSTAB; alpha takes the rho that is summed anew. If the square of x'y is
// below 2^-46 of x'x y'y, x'y is rounding alone.
const float rounding = 1.4210854715202004e-14;

void kernel(vec2 here)
{
    vec4 sum = total(), f = scalars_cell(vec2(0.0)), g = state_cell(vec2(0.0));
    f.r = 0.0;
    if (g.g == 0.0 || g.g == 4.0) {
        g.r = sum.b;
        if (sum.b <= g.a)
            g.gb = vec2(1.0, g.b + 1.0);
    }
    if (g.g == 0.0) {
        g.b += 1.0;
        f = vec4(sum.g / sum.r, 0.0, 0.0, sum.g);
        if (!is_finite(sum.b))
            g.g = 5.0;
        else if (!(sum.g * (sum.g / sum.b) > rounding && sum.r * (sum.r / sum.a) > rounding &&
                   is_finite(f.r * (f.r * sum.a))))
            g.g = 3.0;
        f.r = g.g == 0.0 ? f.r : 0.0;
    }
    out0 = f;
    out1 = g;
}
