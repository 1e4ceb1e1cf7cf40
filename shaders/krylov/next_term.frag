// SPDX-License-Identifier: MIT
// A step of Chebyshev's iteration, with q = A p.
void kernel(vec2 here)
{
    out0 = x_at(0, 0) + p_at(0, 0);
    out1 = r_at(0, 0) - q_at(0, 0);
    out2 = c1 * p_at(0, 0) + c2 * out1;
}
