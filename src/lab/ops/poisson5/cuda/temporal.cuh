/* SPDX-License-Identifier: MIT */
/* Ours: K steps in one go over the grid, exact (temporal blocking, after AN5D, Matsumura et al.
 * 2020, and EBISU, Zhang et al. 2023, which stream a grid through the chip along one axis and keep
 * what several steps need there).
 *
 * A warp has a strip of 32 V columns, V to a lane's 16 bytes, and streams it upwards, all steps
 * after each other: level s is the grid after s steps, and when row y of level 0 comes in, row y -
 * s of every level s is computed, the lowest level first. A level's row needs the two before it in
 * the level below, which are in registers, and the one that has just been computed there. Each
 * level has three places for rows, and the new row replaces the oldest, so no value moves, and the
 * compiler has one free place a level for what it is computing. Only the last two additions of an
 * update wait for the level below: what comes from the sides is of a row known before.
 *
 * Level s is kept times 4^s, so that no step multiplies by 1/4: an update is three additions, and
 * the last level's rows are divided by 4^K. Powers of two change no rounding, up to values of 2^127
 * / 4^K. Neighbours across come by two shuffles a row; at the rim what they bring is multiplied by
 * 0, within an addition.
 *
 * Warps do not meet. K columns at either end of a strip, and K rows at either end of a chunk, are
 * computed by two warps, and what is wrong there goes no further than a cell a step. */
#ifndef QP_OPS_POISSON5_TEMPORAL_CUH
#define QP_OPS_POISSON5_TEMPORAL_CUH

#include "lab/ops/poisson5/cuda/copies.cuh"
#include "lab/ops/poisson5/cuda/pieces.cuh"
#include "lab/ops/poisson5/cuda/rounded.cuh"

namespace poisson5
{

constexpr int LANES =
    32; /* threads of a block: a warp, so that the compiler knows all branches for common ones */
constexpr int
    AHEAD = 4,
    SLOTS = 6; /* rows on their way from device memory, and places for them in shared memory */

/* A grid, and K steps of it. */
template <typename T, int K> struct task {
    const T *x, *rhs; /* rhs: h^2 f, or NULL where it is 1 at the spike and else 0 */
    T *out;
    int width, height, pitch, rhs_pitch;
    int strips, rows; /* across; and of a warp's chunk */
    int spike_x, spike_y;
    T weight[K], four[K]; /* four: 4, and 0 with a weight of 1 (relax_of_four) */
};

/* Sizes that follow from the type of a value and the steps. */
template <typename T, int K, bool ARRAY> struct sizes {
    static constexpr int V = PIECE / (int)sizeof(T), across = LANES * V; /* columns */
    static constexpr int halo =
        (K + V - 1) / V * V; /* columns computed in vain at one end: whole lanes */
    static constexpr int useful = across - 2 * halo;
    static constexpr int sides = !ARRAY ? 0
                                 : K + 1 + AHEAD < 16
                                     ? 16
                                     : 32; /* rows of h^2 f on the chip: a power of two */
    static constexpr int values = (SLOTS + sides) * across; /* a warp's, in shared memory */
    /* Blocks that a multiprocessor is to hold: as many as leave registers for three rows of K
     * levels and what is computed beside them. One more value in memory costs more than a warp. */
    static constexpr int blocks = K > (ARRAY ? 8 : 12)                    ? 8
                                  : sizeof(T) == sizeof(double) && !ARRAY ? 16
                                                                          : 12;
};

template <typename T, int K, bool ARRAY, bool WEIGHTED, bool RED_BLACK> struct stream {
    using size = sizes<T, K, ARRAY>;
    using piece = typename piece_of<T>::type;
    static constexpr int V = size::V;
    const task<T, K> &t;
    /* This lane's slots 0 to 2, from the next row on, and 3 to 5; rows of h^2 f. */
    T *near, *far, *sides;
    const T *from, *from_side; /* this lane's part of the rows to be fetched and stored next */
    T *to;
    int first, end;          /* rows of the chunk */
    bool ragged;             /* the grid ends within a lane of this strip */
    int columns;             /* this lane's, up to the grid's end */
    bool spiked;             /* its columns have the spike's */
    int spike;               /* its column, counted from this lane's */
    int stored;              /* values of this lane that are its own to store */
    int inside;              /* bytes of them within the grid */
    T keep_left, keep_right; /* 0 where the neighbour beside the lane is the rim, else 1 */
    T level[K][3][V];

    /* Starts to copy row `row`, the next one of x, and of h^2 f; zeros from outside. */
    template <bool CAREFUL> __device__ __forceinline__ void fetch(int row, T *to)
    {
        const bool there = !CAREFUL || (row >= 0 && row < t.height);
        const int bytes = there ? inside : 0;
        copy_16(to, from, bytes);
        if (ARRAY)
            copy_16(side_of(row), from_side, bytes);
        mark_copies();
        from += t.pitch;
        if (ARRAY)
            from_side += t.rhs_pitch;
    }

    __device__ __forceinline__ T *side_of(int row) const
    {
        return sides + (row & (size::sides - 1)) * size::across;
    }

    /* 4^s */
    static __device__ __forceinline__ T power(int s)
    {
        return T(1ull << 2 * s);
    }

    /* Step s of row y; the latest row of level s - 1 is at place p. In red-black order it updates
     * cells of one colour, red ones with odd s: of all levels those in even columns where the row
     * of level 0 is ODD, else those in odd ones. */
    template <bool SPIKE, int ODD> __device__ __forceinline__ void step(int s, int p, int y, T *out)
    {
        const T *below = level[s - 1][(p + 1) % 3], *here = level[s - 1][(p + 2) % 3],
                *above = level[s - 1][p];
        const T left = __shfl_up_sync(~0u, here[V - 1], 1);
        const T right = __shfl_down_sync(~0u, here[0], 1);
#pragma unroll
        for (int v = 0; v < V; v++) {
            if (RED_BLACK && (v + ODD) % 2 == 0) {
                out[v] = times(here[v], T(4));
                continue;
            }
            const T across = v == 0       ? add_times(left, keep_left, here[1])
                             : v == V - 1 ? add_times(right, keep_right, here[V - 2])
                                          : add(here[v - 1], here[v + 1]);
            T sum = add(across, add(below[v], above[v]));
            if (ARRAY)
                sum = add_times(side_of(y)[v], power(s - 1), sum);
            else if (SPIKE && v == spike)
                sum = add(sum, power(s - 1));
            out[v] = WEIGHTED ? relax_of_four(here[v], sum, t.weight[s - 1], t.four[s - 1]) : sum;
        }
    }

    /* The same where the row may be outside the grid, or the spike's. Branches keep the compiler
     * from computing all conditions beforehand, for which there are no registers. */
    template <int ODD> __device__ __forceinline__ void step_with_care(int s, int p, int y, T *out)
    {
        if (y < 0 || y >= t.height)
            clear(out);
        else if (!ARRAY && y == t.spike_y)
            step<true, ODD>(s, p, y, out);
        else
            step<false, ODD>(s, p, y, out);
        if (ragged)
            clear(out, columns);
    }

    /* Columns from `from` on. */
    __device__ __forceinline__ void clear(T *row, int from = 0)
    {
#pragma unroll
        for (int v = 0; v < V; v++)
            if (v >= from)
                row[v] = T(0);
    }

    /* The last level's next row, of which a strip's ends belong to its neighbours. */
    template <bool CAREFUL> __device__ __forceinline__ void store(const T *values)
    {
        if (CAREFUL ? stored == V : stored > 0)
            *(piece *)to = *(const piece *)values;
        else if (CAREFUL)
            for (int v = 0; v < V - 1; v++)
                if (v < stored)
                    to[v] = values[v];
        to += t.pitch;
    }

    /* This lane's place in shared memory for a row, counted from `near` on. */
    __device__ __forceinline__ T *slot(int number) const
    {
        return (number / 3 % 2 == 0 ? near : far) + number % 3 * size::across;
    }

    /* Row `row` of level 0 comes in, from slot p, and one more is asked for. */
    template <bool CAREFUL> __device__ __forceinline__ void take(int p, int row)
    {
        fetch<CAREFUL>(row + AHEAD, slot(p + AHEAD));
        wait_for_copies<AHEAD>();
        *(piece *)level[0][p % 3] = *(const piece *)slot(p);
    }

    /* A row of level 0 is at place p, and a row of every other level follows. CAREFUL ones may be
     * outside the grid, or the chunk, or meet the spike. */
    template <bool CAREFUL, int ODD> __device__ __forceinline__ void advance(int p, int row)
    {
        const int last = row - K;
        __align__(16) T result[V];
#pragma unroll
        for (int s = 1; s <= K; s++) {
            T *place = s == K ? result : level[s < K ? s : 0][p];
            if (CAREFUL)
                step_with_care<ODD>(s, p, row - s, place);
            else
                step<false, ODD>(s, p, row - s, place);
            if (s == 1)
                take<CAREFUL>(p + 1, row + 1);
        }
#pragma unroll
        for (int v = 0; v < V; v++)
            result[v] = times(result[v], T(1.0 / (1ull << 2 * K)));
        if (!CAREFUL || (last >= first && last < end))
            store<CAREFUL>(result);
    }

    /* Three rows, after which all levels are in their old places. */
    template <bool CAREFUL> __device__ __forceinline__ void advance(int row)
    {
#pragma unroll
        for (int p = 0; p < 3; p++) {
            if (RED_BLACK && (row + p) % 2 != 0)
                advance<CAREFUL, 1>(p, row + p);
            else
                advance<CAREFUL, 0>(p, row + p);
        }
        T *other = near;
        near = far;
        far = other;
    }

    /* The row up to which three rows at a time need no care, from this one on. */
    __device__ __forceinline__ int plain_until(int row) const
    {
        const int until = min(end + K, t.height - 1 - AHEAD) - 2;
        if (ragged || row - K < first)
            return row;
        return spiked && row - K <= t.spike_y ? min(until, t.spike_y - 1) : until;
    }

    /* The loop over plain rows is one of its own, so that nothing that careful ones need takes
     * registers in it. */
    __device__ __forceinline__ void run()
    {
#pragma unroll
        for (int s = 0; s < K; s++)
#pragma unroll
            for (int k = 0; k < 3 * V; k++)
                level[s][k / V][k % V] = T(0);
        for (int k = 0; k < AHEAD; k++)
            fetch<true>(first - K + k, slot(k));
        take<true>(0, first - K);
#pragma unroll 1
        for (int row = first - K; row < end + K; row += 3) {
            const int until = plain_until(row);
#pragma unroll 1
            for (; row < until; row += 3)
                advance<false>(row);
            if (row < end + K)
                advance<true>(row);
        }
        wait_for_copies<0>();
    }
};

template <typename T, int K, bool ARRAY, bool WEIGHTED, bool RED_BLACK>
__global__ void __launch_bounds__(LANES, sizes<T, K, ARRAY>::blocks)
    block_in_time(const task<T, K> t)
{
    using size = sizes<T, K, ARRAY>;
    constexpr int V = size::V;
    extern __shared__ float4 memory[];
    const int first = blockIdx.x / t.strips * t.rows, place = threadIdx.x * V;
    if (first >= t.height)
        return;
    stream<T, K, ARRAY, WEIGHTED, RED_BLACK> s = {t};
    const int strip = blockIdx.x % t.strips * size::useful - size::halo, column = strip + place;
    s.near = (T *)memory + place;
    s.far = s.near + 3 * size::across;
    s.sides = s.near + SLOTS * size::across;
    s.from = t.x + (first - K) * (long)t.pitch + column;
    s.from_side = t.rhs + (first - K) * (long)t.rhs_pitch + column;
    s.to = t.out + first * (long)t.pitch + column;
    s.spike = t.spike_x - column;
    s.spiked = !ARRAY && strip <= t.spike_x && strip + size::across > t.spike_x;
    s.first = first;
    s.end = min(t.height, first + t.rows);
    s.ragged = t.width % V != 0 && strip + size::across > t.width;
    s.columns = t.width - column;
    s.keep_left = column == 0 ? T(0) : T(1);
    s.keep_right = column + V == t.width ? T(0) : T(1);
    s.inside = column < 0 ? 0 : max(0, min(V, s.columns)) * (int)sizeof(T);
    s.stored =
        place >= size::halo && place < size::across - size::halo ? s.inside / (int)sizeof(T) : 0;
    s.run();
}

} // namespace poisson5

#endif
