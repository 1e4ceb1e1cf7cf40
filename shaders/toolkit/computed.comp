// SPDX-License-Identifier: MIT
// Appended to bodies of fragments that run as a compute shader (src/toolkit/kernel/computed.c): CALL calls kernel(), and
// STORE stores what it makes. With SUMS a group adds up the terms that map() makes of its cells, into `sums`; with TOTAL a
// single group adds up `last` first, which is what total() returns.
#if defined SUMS || defined TOTAL
shared vec4 qp_part[GROUP_X * GROUP_Y];

// Adds those of all invocations, a power of 4, into the first one's.
vec4 qp_add_up(vec4 own)
{
    uint i = gl_LocalInvocationIndex;
    qp_part[i] = own;
    for (uint n = GROUP_X * GROUP_Y / 4; n > 0; n /= 4) {
        barrier();
        if (i < n)
            qp_part[i] = qp_part[i] + qp_part[i + n] + (qp_part[i + 2 * n] + qp_part[i + 3 * n]);
    }
    return qp_part[0];
}
#endif

void main()
{
    qp_here = vec2(gl_GlobalInvocationID.xy) + region.xy;
    bool inside = all(lessThan(vec2(gl_GlobalInvocationID.xy), region.zw));
#ifdef TOTAL
    vec4 sum = vec4(0.0);
    int width = int(last_size.x), cells = width * int(last_size.y);
    for (int i = int(gl_LocalInvocationIndex); i < cells; i += GROUP_X * GROUP_Y)
        sum += last_cell(vec2(i % width, i / width));
    qp_total = qp_add_up(sum);
#endif
    CALL
    if (inside) {
        STORE
    }
#ifdef SUMS
    vec4 terms = qp_add_up(inside ? map(qp_here) : vec4(0.0));
    if (gl_LocalInvocationIndex == 0)
        imageStore(SUMS, ivec2(gl_WorkGroupID.xy), terms);
#endif
}
