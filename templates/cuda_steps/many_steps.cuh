/*@ origin */
/* heat.frag as CUDA: many steps in one go over a strip. */
/*@ end */
#ifndef MANY_STEPS_CUH
#define MANY_STEPS_CUH

#include "cell.cuh"

/* Starts to copy N bytes to shared memory. */
template <int N> static __device__ __forceinline__ void copy_async(void *to, const void *from)
{
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    if constexpr (N == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                     :
                     : "r"(place), "l"(from)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                     :
                     : "r"(place), "l"(from), "n"(N)
                     : "memory");
}

/* A warp has a strip of columns and streams it upwards, all steps after each other: when row y of
 * the arrays comes in, row y - s REACH is computed of every step s, the first step first. Of the
 * states between two steps the latest ROWS rows are in registers, and a step's new row replaces its
 * oldest, so no value moves. Only what a step reads of the row above waits for the step before it.
 * Neighbours across come by shuffles. Warps do not meet. Columns at either end of a strip and rows
 * at either end of a chunk are computed by two warps; wrong values there go no further than REACH
 * cells a step. Cells outside the grid hold anything, and reads of them take care. If a state
 * wraps, they are the cells of the other side, computed once more. */
template <int K> struct stream {
    static constexpr int HALO = halo_of(K), USEFUL = useful(K);
    static constexpr int SLOTS = 2 * AHEAD; /* places for rows on their way from memory */
    static constexpr bool SCALED = WEIGHT != 0;
    static constexpr real LAST = power(FACTOR, K);
    const struct task &t;
    struct piece *ring; /* SLOTS rows of each state, of this lane */
    int column, first, end;
    int x[V];           /* columns of the lane's cells; within the grid if a state wraps */
    bool stores, plain; /* the lane stores its columns; no column is near the grid's ends */
    real level[K][STATES][ROWS][WIDE];

    __device__ __forceinline__ struct piece *slot(int row, int state)
    {
        return ring + ((row & (SLOTS - 1)) * STATES + state) * LANES;
    }

    /* Ends a group of such copies; waits for all groups but the latest N. */
    static __device__ __forceinline__ void end_group()
    {
        asm volatile("cp.async.commit_group;" : : : "memory");
    }

    template <int N> static __device__ __forceinline__ void wait_for_groups()
    {
        asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
    }

    /* Starts to copy a row of the states. */
    template <bool CAREFUL> __device__ __forceinline__ void fetch(int row)
    {
        const bool wraps = CAREFUL && WRAPS,
                   there = row >= t.floor && row < t.ceiling && column >= 0 && column < t.width;
        const long y = wraps ? place_of(&t, row) : (long)(row - t.low) * t.pitch;
        for (int k = 0; k < STATES; k++) {
            struct piece *to = slot(row, k);
            if (!wraps && (!CAREFUL || there))
                copy_async<sizeof *to>(to, t.from[k] + y + column);
            for (int v = 0; v < V && wraps; v++)
                copy_async<sizeof(real)>(to->of + v, t.from[k] + y + x[v]);
        }
        end_group();
    }

    /* Replaces values outside, from the cells on outwards: beside the grid in `sides` alone. */
    template <int ARRAY>
    __device__ __forceinline__ void tend(real (*rows)[ROWS][WIDE], real (*sides)[ROWS][WIDE], int y,
                                         real scale)
    {
        constexpr bool clamps = borders[ARRAY].outside == CLAMP,
                       ends = borders[ARRAY].outside != WRAP;
        const real held = (real)borders[ARRAY].value * scale;
        const int row = WRAPS ? wrapped(y, t.height) : y, place = (WRAPS ? x[0] : column) - MIDDLE;
        real(*to)[WIDE] = rows[ARRAY], (*aside)[WIDE] = sides[ARRAY];
        if (ends && (row < REACH || row + REACH >= t.height)) {
            for (int j = 1; j <= REACH; j++) {
                for (int i = 0; i < WIDE; i++) {
                    to[REACH - j][i] = row - j >= 0 ? to[REACH - j][i]
                                       : clamps     ? to[REACH - j + 1][i]
                                                    : held;
                    to[REACH + j][i] = row + j < t.height ? to[REACH + j][i]
                                       : clamps           ? to[REACH + j - 1][i]
                                                          : held;
                }
            }
        }
        for (int i = 0; i < ROWS * WIDE; i++)
            aside[i / WIDE][i % WIDE] = to[i / WIDE][i % WIDE];
        if (ends && !plain) {
            for (int j = 0; j < ROWS; j++) {
                for (int i = 1; i < WIDE; i++) {
                    const int left = WIDE - 1 - i;
                    aside[j][i] = place + i < t.width ? aside[j][i]
                                  : clamps            ? aside[j][i - 1]
                                                      : held;
                    aside[j][left] = place + left >= 0 ? aside[j][left]
                                     : clamps          ? aside[j][left + 1]
                                                       : held;
                }
            }
        }
        if constexpr (ARRAY + 1 < STATES)
            tend<ARRAY + 1>(rows, sides, y, scale);
    }

    /* Step s of row y; the latest row of step s - 1 is at place p, the oldest after it. */
    template <bool CAREFUL>
    __device__ __forceinline__ void step(int s, int p, int y, real scale, struct piece *result)
    {
        real rows[ARRAYS][ROWS][WIDE];
        for (int k = 0; k < ARRAYS; k++) {
            for (int j = 0; j < ROWS; j++) {
                if (k < STATES)
                    widen(level[s - 1][k < STATES ? k : 0][(p + 1 + j) % ROWS],
                          looks_across(k, j) && !keeps_wide(k), rows[k][j]);
                else if (!CAREFUL)
                    load_wide(t.from[k] + (long)(y + j - REACH - t.low) * t.pitch + column,
                              rows[k][j]);
            }
        }
        real sides[CAREFUL ? STATES : 1][ROWS][WIDE];
        if constexpr (CAREFUL)
            tend<0>(rows, sides, y, scale);
        for (int v = 0; v < V; v++) {
            struct cell<CAREFUL ? KEPT_CAREFUL : KEPT> cell = {
                &t, &t.set, v, column + v, y, scale
            };
            if (CAREFUL && WRAPS) {
                cell.x = x[v];
                cell.y = wrapped(y, t.height);
            }
            for (int k = 0; k < ARRAYS; k++) {
                cell.kept[k] = rows[k] + REACH;
                cell.aside[k] = CAREFUL && k < STATES ? sides[k] + REACH : cell.kept[k];
            }
            compute<SCALED>(&cell);
            for (int k = 0; k < STATES; k++)
                result[k].of[v] = cell.out[k];
        }
    }

    /* A row's values, and those of the lanes beside this one, anew if cells look at them. */
    static __device__ __forceinline__ void widen(const real row[WIDE], bool looks, real to[WIDE])
    {
        for (int i = 0; i < WIDE; i++)
            to[i] = row[i];
        for (int i = 0; i < REACH && looks; i++) {
            to[MIDDLE - 1 - i] = __shfl_up_sync(~0u, row[MIDDLE + V - 1 - i % V], 1 + i / V);
            to[MIDDLE + V + i] = __shfl_down_sync(~0u, row[MIDDLE + i % V], 1 + i / V);
        }
    }

    /* Keeps a row of step s, 0 for the arrays, at place p. */
    __device__ __forceinline__ void keep(int s, int state, int p, const struct piece &values)
    {
        real(&row)[WIDE] = level[s][state][p];
        for (int v = 0; v < V; v++)
            row[MIDDLE + v] = values.of[v];
        widen(row, keeps_wide(state), row);
    }

    __device__ __forceinline__ void store(int y, struct piece *values)
    {
        if (y < first || y >= end || !stores)
            return;
        for (int k = 0; k < STATES; k++) {
            for (int v = 0; v < V && SCALED; v++)
                values[k].of[v] = values[k].of[v] * LAST;
            *(struct piece *)(t.to[k] + (long)(y - t.low) * t.pitch + column) = values[k];
        }
    }

    /* Row `row` of the states comes in, at place p, and one more is asked for. */
    template <bool CAREFUL> __device__ __forceinline__ void take(int p, int row)
    {
        fetch<CAREFUL>(row + AHEAD);
        wait_for_groups<AHEAD>();
        for (int k = 0; k < STATES; k++) {
            const struct piece next = *slot(row, k);
            keep(0, k, p, next);
        }
    }

    /* A row of the states is at place p, and a row of every step follows. */
    template <bool CAREFUL> __device__ __forceinline__ void advance(int p, int row)
    {
        struct piece result[STATES];
        real scale = 1;
#pragma unroll
        for (int s = 1; s <= K; s++) {
            step<CAREFUL>(s, p, row - s * REACH, scale, result);
            scale = scale * (1 / FACTOR);
            for (int k = 0; k < STATES && s < K; k++)
                keep(s < K ? s : 0, k, p, result[k]);
            if (s == 1)
                take<CAREFUL>((p + 1) % ROWS, row + 1);
        }
        store(row - K * REACH, result);
    }

    /* Each row takes the place before its own, where the next one looks for it. */
    __device__ __forceinline__ void turn()
    {
#pragma unroll
        for (int i = 0; i < K * STATES * WIDE; i++) {
            real(&of)[ROWS][WIDE] = level[i / WIDE / STATES][i / WIDE % STATES];
            const real oldest = of[0][i % WIDE];
            for (int j = 0; j + 1 < ROWS; j++)
                of[j][i % WIDE] = of[j + 1][i % WIDE];
            of[ROWS - 1][i % WIDE] = oldest;
        }
    }

    __device__ __forceinline__ bool is_plain(int row) const
    {
        return plain && row - (K + 1) * REACH >= t.floor && row + ROWS + AHEAD + REACH < t.ceiling;
    }

    /* Computes rows from `first` up to `end`. */
    __device__ __forceinline__ void run()
    {
        const int last = end + K * REACH;
#pragma unroll
        for (int i = 0; i < K * STATES * ROWS * WIDE; i++)
            level[i / WIDE / ROWS / STATES][i / WIDE / ROWS % STATES][i / WIDE % ROWS][i % WIDE] =
                0;
        for (int k = 0; k < AHEAD; k++)
            fetch<true>(first - K * REACH + k);
        take<true>(0, first - K * REACH);
#pragma unroll 1
        for (int row = first - K * REACH; row < last;) {
#pragma unroll 1
            for (; row < last && !is_plain(row); row++) {
                advance<true>(0, row);
                turn();
            }
#pragma unroll 1
            for (; row < last && is_plain(row); row += ROWS) {
#pragma unroll
                for (int p = 0; p < ROWS; p++)
                    advance<false>(p, row + p);
            }
        }
        wait_for_groups<0>();
    }
};

/* Blocks are strips beside each other, one chunk of rows after the other, so that neighbours
 * read neighbouring memory. Strips at the grid's sides, which take care in every row, come
 * first, in shorter chunks. */
template <int K> static __device__ __forceinline__ void strip_block(const struct task &t)
{
    using steps = stream<K>;
    __shared__ struct piece ring[steps::SLOTS * STATES * LANES];
    const int edges = t.across - t.inner, place = threadIdx.x * V;
    const bool is_edge = blockIdx.x < t.edge_blocks;
    const int block = blockIdx.x - (is_edge ? 0 : t.edge_blocks),
              beside = is_edge ? edges : t.inner;
    const int strip = block % beside + (!is_edge ? 1 : block % beside > 0 ? t.inner : 0);
    const int rows = is_edge ? t.edge_rows : t.rows;
    steps s = {t, ring + threadIdx.x};
    s.plain = !is_edge;
    s.column = strip * steps::USEFUL - steps::HALO + place;
    s.first = t.begin + block / beside * rows;
    s.end = s.first + rows < t.end ? s.first + rows : t.end;
    s.stores = place >= steps::HALO && place < ACROSS - steps::HALO && s.column < t.width;
    for (int v = 0; v < V; v++)
        s.x[v] = wrapped(s.column + v, t.width);
    s.run();
}

#endif
