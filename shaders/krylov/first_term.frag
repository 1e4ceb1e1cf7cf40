// SPDX-License-Identifier: MIT
// The first term of the polynomial M q: x, the residual r and the direction p begin.
void kernel(vec2 here)
{
    out0 = vec4(0.0);
    out1 = q_at(0, 0);
    out2 = c2 * out1;
}
