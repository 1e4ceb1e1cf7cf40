// SPDX-License-Identifier: MIT
// Sums of the first half of a step of BiCGSTAB, with o for r~: o'v, o'r, r'r, v'v.
vec4 map(vec2 at)
{
    return vec4(dot(o_cell(at), v_cell(at)), dot(o_cell(at), r_cell(at)), dot(r_cell(at), r_cell(at)),
                dot(v_cell(at), v_cell(at)));
}
