// SPDX-License-Identifier: MIT
// Scalars of the first half of a step of MINRES (Paige, Saunders 1975): alpha = p'Ap of Lanczos, by which the last
// rotation (cosine, sine, then the two numbers of the next column) makes delta and gamma of that column, and epsilon.
void kernel(vec2 here)
{
    vec4 sum = total(), f = scalars_cell(vec2(0.0)), g = state_cell(vec2(0.0));
    float alpha = sum.r / sum.b;
    if (g.g == 0.0 && !is_finite(alpha))
        g.g = 5.0;
    out0 = vec4(alpha, f.r * f.b + f.g * alpha, f.g * f.b - f.r * alpha, f.a);
    out1 = g;
}
