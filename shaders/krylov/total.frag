// SPDX-License-Identifier: MIT
// The last sum, in front of cg_scalars.frag, alpha.frag and omega.frag. Scalars f are alpha, beta, omega, rho; state g is
// the residual's square, the code (solve/krylov/steps.h), the number of steps, and the square at which to stop.
bool is_finite(float x)
{
    return abs(x) < 1e37;
}

vec4 total()
{
    vec4 sum = vec4(0.0);
    for (float y = 0.0; y < s_size.y; y += 1.0) {
        vec4 line = vec4(0.0);
        for (float x = 0.0; x < s_size.x; x += 1.0)
            line += s_cell(vec2(x, y));
        sum += line;
    }
    return sum;
}
