#version 430 compatibility
// SPDX-License-Identifier: MIT
// Shares of a matrix (src/lab/ops/spmv/shares.h): 32 invocations add one. In a slice each has a row of its own, and
// neighbours read neighbouring slots. Pieces of longer rows are in the first groups: invocations add their entries, and
// the piece that ends last adds the sums of its row in their order.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 256
#define GROUP_Y 1
#endif
#ifndef NEAR // likewise: how neighbours of x are read
#define NEAR near_x
#endif
#define ROUND 3 // slots whose loads are under way together
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430) readonly restrict buffer shares { ivec4 share[]; }; // two of each: values, columns, rows, slots; and of
                                                                   // a piece: the row's first share, number of pieces
layout(std430) readonly restrict buffer values { float value[]; };
layout(std430) readonly restrict buffer columns { int column[]; };
layout(std430) readonly restrict buffer rules { ivec2 rule[]; }; // column of lane 0, and from lane to lane
layout(std430) readonly restrict buffer lists { int list[]; };   // rows of slices that were sorted
layout(std430) coherent buffer parts { uint part[]; };           // tickets of pieces, then bits of their sums
layout(std430) readonly restrict buffer factors { float factor[]; }; // x
layout(std430) writeonly restrict buffer answer { float y[]; };
uniform sampler2DRect x;          // x once more, in lines of 4096
uniform uint count, pieces, rows; // shares, how many of them are pieces, rows of the matrix

const uint LANES = 32u, THREADS = uint(GROUP_X * GROUP_Y), EACH = THREADS / LANES;
shared float lane_sum[THREADS];
shared bool ends[EACH];

// Neighbours that follow a rule read neighbours of x.
int ruled_column(int at, int lane)
{
    return rule[at].x + rule[at].y * lane;
}

float near_x(int j)
{
    return factor[j];
}

int stored_column(int at, int lane)
{
    return column[at * int(LANES) + lane];
}

float far_x(int j)
{
    return texture(x, vec2(j & 4095, j >> 12) + 0.5).r;
}

// Sum of a lane's slots: values from `at` on, columns from `from` on.
#define ADD(add, column_of, x_of)                                                                \
    float add(uint at, int from, int left, int lane)                                             \
    {                                                                                            \
        float sum = 0.0, a[ROUND];                                                               \
        int j[ROUND];                                                                            \
        for (; left >= ROUND; left -= ROUND, at += uint(ROUND) * LANES, from += ROUND) {         \
            for (int k = 0; k < ROUND; k++) {                                                    \
                a[k] = value[at + uint(k) * LANES];                                              \
                j[k] = column_of(from + k, lane);                                                \
            }                                                                                    \
            for (int k = 0; k < ROUND; k++)                                                      \
                sum += a[k] * x_of(j[k]);                                                        \
        }                                                                                        \
        for (; left > 0; left--, at += LANES, from++)                                            \
            sum += value[at] * x_of(column_of(from, lane));                                      \
        return sum;                                                                              \
    }

ADD(add_ruled, ruled_column, NEAR)
ADD(add_stored, stored_column, far_x)

float add(ivec4 s, int lane)
{
    uint at = uint(s.x) * LANES + uint(lane);
    return s.y < 0 ? add_ruled(at, ~s.y, s.w, lane) : add_stored(at, s.y, s.w, lane);
}

// Sum of the lanes, in lane 0.
void add_lanes(uint me)
{
    for (uint apart = LANES / 2u; apart > 0u; apart /= 2u) {
        barrier();
        if (me % LANES < apart)
            lane_sum[me] += lane_sum[me + apart];
    }
}

void add_piece(uint number, uint me)
{
    bool there = number < pieces;
    ivec4 s = there ? share[2u * number] : ivec4(0), more = there ? share[2u * number + 1u] : ivec4(0);
    uint lane = me % LANES, warp = me / LANES;
    lane_sum[me] = add(s, int(lane));
    add_lanes(me);
    if (lane == 0u) {
        ends[warp] = false;
        if (there) {
            part[pieces + number] = floatBitsToUint(lane_sum[me]);
            memoryBarrierBuffer();
            ends[warp] = atomicAdd(part[more.x], 1u) + 1u == uint(more.y);
            memoryBarrierBuffer();
        }
    }
    barrier();
    float sum = 0.0, of[8]; // sums whose loads are under way together
    for (uint k = lane; ends[warp] && k < uint(more.y); k += 8u * LANES) {
        for (uint i = 0u; i < 8u; i++)
            of[i] = uintBitsToFloat(part[pieces + uint(more.x) + min(k + i * LANES, uint(more.y) - 1u)]);
        for (uint i = 0u; i < 8u; i++)
            sum += k + i * LANES < uint(more.y) ? of[i] : 0.0;
    }
    lane_sum[me] = sum;
    add_lanes(me);
    if (lane == 0u && ends[warp]) {
        part[more.x] = 0u;
        y[s.z] = lane_sum[me];
    }
}

void main()
{
    uint me = gl_LocalInvocationIndex, number = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x,
         first = (pieces + EACH - 1u) / EACH;
    if (number < first) {
        add_piece(number * EACH + me / LANES, me);
        return;
    }
    number = pieces + (number - first) * EACH + me / LANES;
    if (number >= count)
        return;
    ivec4 s = share[2u * number];
    int lane = int(me % LANES), row = s.z >= 0 ? s.z + lane : list[~s.z * int(LANES) + lane];
    if (uint(row) < rows)
        y[row] = add(s, lane);
}
