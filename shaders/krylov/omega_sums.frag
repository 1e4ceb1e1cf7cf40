// SPDX-License-Identifier: MIT
// Sums of the second half of a step of BiCGSTAB, with o for r~: t's, t't, s's, o't.
vec4 map(vec2 at)
{
    return vec4(dot(t_cell(at), s_cell(at)), dot(t_cell(at), t_cell(at)), dot(s_cell(at), s_cell(at)),
                dot(o_cell(at), t_cell(at)));
}
