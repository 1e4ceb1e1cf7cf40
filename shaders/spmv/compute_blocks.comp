#version 430 compatibility
// SPDX-License-Identifier: MIT
// A group takes a block of rows with up to 1024 entries: neighbouring invocations multiply neighbouring entries,
// products wait in shared memory, and then each row's products are added by an equal number of invocations. A part of a
// long row is a block of its own; compute_rows.comp adds its sum to the sums of other parts.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 256
#define GROUP_Y 1
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(r32f) writeonly uniform image2DRect target;
layout(r32f) writeonly uniform image2DRect parts;
uniform sampler2DRect x;
uniform sampler2DRect value;
uniform usampler2DRect column; // texel of x for each entry: to the right in 16 bits, upward in 16 bits
uniform usampler2DRect first;  // entries before each row
uniform usampler2DRect blocks; // first entry, number of entries and of rows in 16 bits each, first row, part from 1 on
uniform vec2 origin, cells;
uniform float count; // number of blocks

const uint MOST = 1024u, THREADS = uint(GROUP_X * GROUP_Y);
shared float product[MOST + MOST / 32u]; // products with gaps, so that rows of 8 or 16 entries begin in different banks
shared float sums[GROUP_X * GROUP_Y];

vec2 texel(uint place)
{
    return vec2(place & 4095u, place >> 12) + 1.5;
}

void multiply(uvec4 block)
{
    uint last = max(block.y & 65535u, 1u) - 1u;
    for (uint k = gl_LocalInvocationIndex; k < MOST; k += THREADS) {
        vec2 place = texel(block.x + min(k, last));
        uint word = texture(column, place).r;
        product[k + k / 32u] = texture(value, place).r * texture(x, vec2(word & 65535u, word >> 16) + 1.5).r;
    }
    barrier();
}

// Sum of the products from k to end, every `lanes`-th.
float add(uint k, uint end, uint lanes)
{
    float sum = 0.0;
    for (; k < end; k += lanes)
        sum += product[k + k / 32u];
    return sum;
}

void write(uvec4 block, uint r, float sum)
{
    uint row = block.z + r, width = uint(cells.x), part = block.w - 1u;
    if (block.w > 0u)
        imageStore(parts, ivec2(part & 2047u, part >> 11), vec4(sum));
    else
        imageStore(target, ivec2(origin) + ivec2(row % width, row / width), vec4(sum));
}

void main()
{
    uint number = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (number >= uint(count))
        return;
    uvec4 block = texture(blocks, texel(number));
    uint rows = block.y >> 16, lanes = 1u;
    multiply(block);
    while (2u * lanes <= THREADS / max(rows, 1u))
        lanes *= 2u;
    uint lane = gl_LocalInvocationIndex % lanes, step = THREADS / lanes;
    for (uint r = gl_LocalInvocationIndex / lanes; r - gl_LocalInvocationIndex / lanes < rows; r += step) {
        uint begin = 0u, end = block.y & 65535u;
        if (block.w == 0u && r < rows) {
            begin = texture(first, texel(block.z + r)).r - block.x;
            end = texture(first, texel(block.z + r + 1u)).r - block.x;
        }
        sums[gl_LocalInvocationIndex] = add(begin + lane, r < rows ? min(end, MOST) : 0u, lanes);
        for (uint apart = lanes / 2u; apart > 0u; apart /= 2u) {
            barrier();
            if (lane < apart && r < rows)
                sums[gl_LocalInvocationIndex] += sums[gl_LocalInvocationIndex + apart];
        }
        if (lane == 0u && r < rows)
            write(block, r, sums[gl_LocalInvocationIndex]);
    }
}
