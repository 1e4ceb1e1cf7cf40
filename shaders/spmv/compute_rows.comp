#version 430 compatibility
// SPDX-License-Identifier: MIT
// A group takes a long row: it adds the sums of the row's parts.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 256
#define GROUP_Y 1
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(r32f) writeonly uniform image2DRect target;
uniform sampler2DRect parts;  // sums of parts, in lines of 2048
uniform usampler2DRect rows;  // first part, number of parts, row
uniform vec2 origin, cells;
uniform float count; // number of long rows

const uint THREADS = uint(GROUP_X * GROUP_Y);
shared float sums[THREADS];

void main()
{
    uint number = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, me = gl_LocalInvocationIndex;
    if (number >= uint(count))
        return;
    uvec4 row = texture(rows, vec2(number & 4095u, number >> 12) + 1.5);
    float sum = 0.0;
    for (uint k = row.x + me; k < row.x + row.y; k += THREADS)
        sum += texture(parts, vec2(k & 2047u, k >> 11) + 0.5).r;
    sums[me] = sum;
    barrier();
    for (uint left = THREADS; left > 1u; left = (left + 1u) / 2u) {
        uint apart = (left + 1u) / 2u;
        if (me + apart < left)
            sums[me] += sums[me + apart];
        barrier();
    }
    uint width = uint(cells.x);
    if (me == 0u)
        imageStore(target, ivec2(origin) + ivec2(row.z % width, row.z / width), vec4(sums[0]));
}
