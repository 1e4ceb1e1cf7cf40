// SPDX-License-Identifier: MIT
// Sums of 8 x 8 texels. A function in front computes a texel's term: join.frag, cg_sums.frag, alpha_sums.frag,
// omega_sums.frag.
vec4 kernel(vec2 here)
{
    vec2 from = 8.0 * here, to = min(from + 8.0, vec2(columns, rows)), at;
    vec4 sum = vec4(0.0);
    for (at.y = from.y; at.y < to.y; at.y += 1.0) {
        vec4 line = vec4(0.0);
        for (at.x = from.x; at.x < to.x; at.x += 1.0)
            line += term(at);
        sum += line;
    }
    return sum;
}
