// SPDX-License-Identifier: MIT
// Sums of a step of CG: p'q, q'v, r'p, r'r.
vec4 map(vec2 at)
{
    return vec4(dot(p_cell(at), q_cell(at)), dot(q_cell(at), v_cell(at)), dot(r_cell(at), p_cell(at)),
                dot(r_cell(at), r_cell(at)));
}
