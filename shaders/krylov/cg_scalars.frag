// SPDX-License-Identifier: MIT
// Scalars of CG: alpha = r'p / p'q, which makes the error least along p for every p, and beta from the square of the
// next residual, alpha^2 q'q - r'r, so that one pass has all sums of a step (Saad 1985; Meurant 1987); r'r itself is
// summed anew in each step. With a preconditioner q'v replaces q'q, where v = M q.
// Here and in alpha.frag and omega.frag, f are the scalars and g is the state (lab/solve/krylov/steps.h).
void kernel(vec2 here)
{
    vec4 sum = total(), f = scalars_cell(vec2(0.0)), g = state_cell(vec2(0.0));
    if (g.g == 0.0) {
        g = vec4(sum.a, 0.0, g.b + 1.0, g.a);
        f.r = sum.b / sum.r;
        f.g = max(f.r * (sum.g / sum.r) - 1.0, 0.0);
        if (sum.a <= g.a)
            g.g = 1.0;
        else if (!is_finite(sum.a))
            g.g = 5.0;
        else if (!(sum.r > 0.0 && is_finite(f.r * (f.r * sum.g))))
            g.g = 2.0;
    }
    out0 = f;
    out1 = g;
}
