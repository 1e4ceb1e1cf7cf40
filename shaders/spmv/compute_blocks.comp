#version 430 compatibility
// SPDX-License-Identifier: MIT
// A group a block of rows. Where all rows are short an invocation adds a row; others have up to 1024 entries together:
// neighbouring invocations multiply neighbouring entries, products wait in shared memory, and then as many invocations
// add a row's products as there are for each row. A part of a long row is a block of its own, whose sum
// compute_rows.comp adds to those of other parts.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 256
#define GROUP_Y 1
#endif
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(r32f) writeonly uniform image2DRect target;
layout(r32f) writeonly uniform image2DRect parts;
uniform sampler2DRect x;
uniform sampler2DRect value;
uniform usampler2DRect column; // texels of x: to the right in 16 bits, upward in 16 bits
uniform usampler2DRect first;  // entries before each row
uniform usampler2DRect blocks; // first entry, number of entries and of rows in 16 bits each, first row; and
                               // 1 where rows are short, else 0, or a part from 2 on
uniform vec2 origin, cells;
uniform float count; // of blocks

const uint MOST = 1024u, THREADS = uint(GROUP_X * GROUP_Y);
shared float product[MOST + MOST / 32u]; // with gaps, so that rows of 8 or 16 entries begin in different banks
shared float sums[GROUP_X * GROUP_Y];

vec2 texel(uint place)
{
    return vec2(place & 4095u, place >> 12) + 1.5;
}

float product_at(uint entry)
{
    uint word = texture(column, texel(entry)).r;
    return texture(value, texel(entry)).r * texture(x, vec2(word & 65535u, word >> 16) + 1.5).r;
}

// Entries before a row, and with it.
uvec2 bounds(uint row)
{
    return uvec2(texture(first, texel(row)).r, texture(first, texel(row + 1u)).r);
}

void multiply(uvec4 block)
{
    uint last = max(block.y & 65535u, 1u) - 1u;
    for (uint k = gl_LocalInvocationIndex; k < MOST; k += THREADS)
        product[k + k / 32u] = product_at(block.x + min(k, last));
    barrier();
}

// Products from k to end, every `lanes`-th.
float add(uint k, uint end, uint lanes)
{
    float sum = 0.0;
    for (; k < end; k += lanes)
        sum += product[k + k / 32u];
    return sum;
}

void write(uvec4 block, uint r, float sum)
{
    uint row = block.z + r, width = uint(cells.x), part = block.w - 2u;
    if (block.w > 1u)
        imageStore(parts, ivec2(part & 2047u, part >> 11), vec4(sum));
    else
        imageStore(target, ivec2(origin) + ivec2(row % width, row / width), vec4(sum));
}

void add_short_rows(uvec4 block, uint rows)
{
    for (uint r = gl_LocalInvocationIndex; r < rows; r += THREADS) {
        uvec2 entries = bounds(block.z + r);
        float sum = 0.0;
        for (uint k = entries.x; k < entries.y; k++)
            sum += product_at(k);
        write(block, r, sum);
    }
}

void main()
{
    uint number = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (number >= uint(count))
        return;
    uvec4 block = texture(blocks, texel(number));
    uint rows = block.y >> 16, lanes = 1u;
    if (block.w == 1u) {
        add_short_rows(block, rows);
        return;
    }
    multiply(block);
    while (2u * lanes <= THREADS / max(rows, 1u))
        lanes *= 2u;
    uint lane = gl_LocalInvocationIndex % lanes, step = THREADS / lanes;
    for (uint r = gl_LocalInvocationIndex / lanes; r - gl_LocalInvocationIndex / lanes < rows; r += step) {
        uvec2 entries = uvec2(0u, block.y & 65535u);
        if (block.w == 0u && r < rows)
            entries = bounds(block.z + r) - block.x;
        sums[gl_LocalInvocationIndex] = add(entries.x + lane, r < rows ? min(entries.y, MOST) : 0u, lanes);
        for (uint apart = lanes / 2u; apart > 0u; apart /= 2u) {
            barrier();
            if (lane < apart && r < rows)
                sums[gl_LocalInvocationIndex] += sums[gl_LocalInvocationIndex + apart];
        }
        if (lane == 0u && r < rows)
            write(block, r, sums[gl_LocalInvocationIndex]);
    }
}
