// SPDX-License-Identifier: MIT
// The next vector of Lanczos, before it has length 1, in place of the one before p, which beta has multiplied already.
vec4 kernel(vec2 here)
{
    vec4 v = v_at(0, 0);
    return state_cell(vec2(0.0)).g == 0.0 ? q_at(0, 0) - scalars_cell(vec2(0.0)).r * p_at(0, 0) - v : v;
}
