/*@ origin */
/* heat.frag as CUDA: one step, and many steps in one go over the grid. */
/*@ end */
#include <stdio.h>
#include <string.h>

#include "stencil.h"

#include "glsl.h"

/* ---- Sizes ---- */

constexpr struct {
    enum outside outside;
    double value;
} borders[ARRAYS] = {
    /*@ outsides */
    {CLAMP, 0.0},
    /*@ end */
};

/* States that wrap. */
constexpr int wrapping()
{
    int count = 0;
    for (int k = 0; k < STATES; k++)
        count += borders[k].outside == WRAP;
    return count;
}
constexpr bool WRAPS = wrapping() > 0, MIXED = WRAPS && wrapping() < STATES;

/*@ tune steps = 1 2 3 4 6 8 10 12 16 */
/*@ tune cells = 4 2 1 */
/*@ tune ahead = 4 2 8 */
/*@ tune blocks = 0 4 8 16 24 */
/*@ tune waves = 1 2 */
/*@ tune threads = 512 64 128 256 */
/*@ tune up = 4 1 2 8 */
/*@ tune not cells * bytes > 16 */
/*@ tune not cells > 1 with mixed > 0 */
/*@ tune not steps > 1 with threads < 512 */
/*@ tune not steps > 1 with up = 1 2 8 */
/*@ tune not steps = 1 with ahead = 2 8 */
/*@ tune not steps = 1 with blocks > 0 */
/*@ tune not steps = 1 with waves > 1 */
/*@ tune not steps * states * reach * cells * bytes * 2 + steps * states * cells * bytes > 768 */
/*@ tune not steps * reach > 8 * cells with steps > 1 */
/*@ term bytes = arrays / steps + states / steps */
/*@ term fetches = 1 / cells + 2 * reach / up */
/*@ term arithmetic = 1 + reach * steps / cells / 16 */
/*@ term launches = 1 / steps */
#ifndef CELLS
#define CELLS (16 / (int)sizeof(real)) /* of a lane, beside each other */
#endif
#ifndef AHEAD
#define AHEAD 4 /* rows on their way from memory */
#endif
#ifndef BLOCKS
#define BLOCKS 0 /* that a multiprocessor is to hold; 0: as below */
#endif
#ifndef WAVES
#define WAVES 1 /* times the blocks that the device holds at once */
#endif
#ifndef UP
#define UP (REACH <= 2 ? 4 : 1) /* rows of a warp in single steps */
#endif

constexpr int LANES = 32;
constexpr int V = MIXED ? 1 : CELLS;        /* cells of a piece, which a lane has */
constexpr int ACROSS = LANES * V;           /* columns of a warp */
constexpr int BESIDE = (REACH + V - 1) / V; /* pieces that a lane looks at on either side */
constexpr int MIDDLE = BESIDE * V;          /* place of its own cells among these */
constexpr int WIDE = 2 * MIDDLE + V, ROWS = 2 * REACH + 1;

struct alignas(V * sizeof(real)) piece {
    real of[V];
};

/* Registers that keep all rows of so many steps. */
constexpr int kept_by(int steps)
{
    return steps * STATES * ROWS * V * (int)sizeof(real) / 4;
}

/* Columns that a warp computes in vain at either end: whole pieces. */
constexpr int halo_of(int steps)
{
    return (steps * REACH + V - 1) / V * V;
}

/* Columns that it does not. */
constexpr int useful(int steps)
{
    return ACROSS - 2 * halo_of(steps);
}

/* True for steps at once that are within the program's most, that registers and a warp's columns
 * hold, and that the compiler can unroll. */
constexpr bool fits(int steps)
{
    return steps == 1 || (steps <= MOST_AT_ONCE && kept_by(steps) <= 192 &&
                          4 * halo_of(steps) <= ACROSS && steps * ROWS * ROWS <= 256);
}

/* Blocks that a multiprocessor is to hold: the more, the fewer registers each has. */
constexpr int blocks_of(int steps)
{
    return BLOCKS > 0 ? BLOCKS : kept_by(steps) <= 64 ? 16 : kept_by(steps) <= 112 ? 12 : 8;
}

/* Arrays and steps, as a kernel takes them. Rows begin at multiples of 128 bytes, and their ends
 * hold anything. */
struct task {
    const real *from[ARRAYS];
    real *to[STATES];
    int width, height, pitch;
    int begin, end, low, kept; /* rows, as of struct part: row `low` is the first of memory */
    int floor, ceiling;        /* of the kept rows those that are the grid's: no copies */
    int across, rows;          /* blocks across, and rows of each */
    int inner, edge_blocks, edge_rows; /* strips far from the grid's sides; blocks of the others */
    bool backwards;                    /* the last block first, which finds its rows in the cache */
    struct numbers set;
};

/* ---- A cell ---- */

/* How a cell finds others: in registers; in registers, with care for what is outside; in memory;
 * in memory, with care. */
enum way { KEPT, KEPT_CAREFUL, FAR, FAR_CAREFUL };

/* A cell: every function of the kernel is called with it. */
template <enum way WAY> struct cell {
    static constexpr enum way way = WAY;
    const struct task *task;
    const struct numbers *set;
    int v, x, y;                       /* its place in its lane, and in the grid */
    real scale;                        /* of all states (see WEIGHT) */
    const real (*kept[ARRAYS])[WIDE];  /* the cell's row and those around it */
    const real (*aside[ARRAYS])[WIDE]; /* these for its left and right, if that takes care */
    real out[STATES];
};

static __device__ __forceinline__ int wrapped(int i, int n)
{
    const int rest = i % n;
    return rest < 0 ? rest + n : rest;
}

static __device__ __forceinline__ bool is_inside(int i, int n)
{
    return (unsigned)i < (unsigned)n;
}

/* The cell of an array in place of one outside; -1: the array has a value there. */
template <enum outside KIND> static __device__ __forceinline__ int inside(int i, int n)
{
    if constexpr (KIND == WRAP)
        return wrapped(i, n);
    if constexpr (KIND == CLAMP)
        return i < 0 ? 0 : i < n ? i : n - 1;
    return is_inside(i, n) ? i : -1;
}

/* The place in memory of a row or of the one that it is a copy of; one that is not kept is any. */
static __device__ __forceinline__ long place_of(const struct task *t, int row)
{
    const int place = wrapped(row - t->low, t->height);
    return (long)(place < t->kept ? place : 0) * t->pitch;
}

/* An offset as an integer. The compiler knows the results of comparisons in time to find
 * registers, those of conversions late. */
template <int N = REACH> static __device__ __forceinline__ int whole(float a)
{
    if constexpr (N == 0)
        return 0;
    else
        return whole<N - 1>(a) + (a >= N) - (a <= -N);
}

/* The value of an array beside the cell. Offsets are whole numbers. */
template <int ARRAY, class CELL>
static __device__ __forceinline__ real at_of(const CELL *at, float across, float up)
{
    constexpr real held = (real)borders[ARRAY].value;
    const int dx = whole(across), dy = whole(up);
    const struct task *t = at->task;
    real value;
    if constexpr (CELL::way == KEPT || (CELL::way == KEPT_CAREFUL && ARRAY < STATES)) {
        value =
            (CELL::way == KEPT || dx == 0 ? at->kept : at->aside)[ARRAY][dy][MIDDLE + at->v + dx];
    } else {
        constexpr bool free = CELL::way == FAR;
        const int x = free ? at->x + dx : inside<borders[ARRAY].outside>(at->x + dx, t->width),
                  y = free ? at->y + dy : inside<borders[ARRAY].outside>(at->y + dy, t->height);
        const long place = free ? (long)(y - t->low) * t->pitch : place_of(t, y);
        value = x < 0 || y < 0 ? held : __ldg(t->from[ARRAY] + place + x);
    }
    return ARRAY < STATES ? value : value * at->scale;
}

/* ---- The kernel ---- */

/*@ cuda names */
#define x_at(dx, dy) at_of<0>(at, dx, dy)
/*@ end */

/*@ cuda body */
namespace glsl
{
namespace text
{

template <class CELL> static __device__ __forceinline__ float kernel(CELL *at, vec2 here)
{
    (void)here;
    float old = x_at(0.0f, 0.0f);
    float around = x_at(-1.0f, 0.0f) + x_at(1.0f, 0.0f) + x_at(0.0f, -1.0f) + x_at(0.0f, 1.0f);
    return old + at->set->rate * (around - 4.0f * old);
}

} // namespace text
} // namespace glsl

using glsl::text::kernel;
/*@ end */

/* The weight of a sum of cells, if the kernel is that alone and the weight a power of two; else
 * 0. Steps in one go then add alone: values after s steps are kept divided by the weight s
 * times, which changes no rounding, and multiplied at the end. */
/*@ cuda weight */
constexpr real WEIGHT = 0;
template <class CELL> static __device__ __forceinline__ real sum(CELL *at)
{
    return at->scale;
}
/*@ end */

/* Steps in one go that were fastest on an H100, on large grids, with an input at 4096 x 4096. */
#ifdef STEPS
enum { USUAL = STEPS };
#else
enum { USUAL = REACH > 1 ? 2 : WEIGHT != 0 && ARRAYS == 1 && sizeof(real) == 4 ? 16 : 8 };
#endif

constexpr real FACTOR = WEIGHT != 0 ? WEIGHT : 1;

constexpr real power(real factor, int times)
{
    return times == 0 ? 1 : factor * power(factor, times - 1);
}

template <bool SCALED, class CELL> static __device__ __forceinline__ void compute(CELL *cell)
{
    const glsl::vec2 here = {(single)cell->x, (single)cell->y};
    if constexpr (SCALED) {
        cell->out[0] = sum(cell);
        return;
    }
    /*@ cuda result */
    cell->out[0] = kernel(cell, here);
    /*@ end */
}

/* All values around a lane's cells in a row of an array. */
static __device__ __forceinline__ void load_wide(const real *from, real to[WIDE])
{
#pragma unroll
    for (int i = 0; i <= 2 * BESIDE; i++) {
        const struct piece piece = *(const struct piece *)(from + (i - BESIDE) * V);
#pragma unroll
        for (int v = 0; v < V; v++)
            to[i * V + v] = piece.of[v];
    }
}

/* ---- One step ---- */

/* Rows of a warp. Where the arrays around them are too many for registers it reads them from
 * memory as they come. */
constexpr bool IN_REGISTERS = REACH <= 2 && ARRAYS * (UP + 2 * REACH) <= 16;

static __device__ __forceinline__ void step_kept(const struct task &t, int column, int first)
{
    const long place = (long)(first - t.low) * t.pitch + column;
    real rows[ARRAYS][UP + 2 * REACH][WIDE];
#pragma unroll
    for (int k = 0; k < ARRAYS; k++)
#pragma unroll
        for (int j = 0; j < UP + 2 * REACH; j++)
            load_wide(t.from[k] + place + (long)(j - REACH) * t.pitch, rows[k][j]);
#pragma unroll
    for (int u = 0; u < UP; u++) {
        struct piece result[STATES];
#pragma unroll
        for (int v = 0; v < V; v++) {
            struct cell<KEPT> cell = {
                &t, &t.set, v, column + v, first + u, 1
            };
#pragma unroll
            for (int k = 0; k < ARRAYS; k++)
                cell.kept[k] = rows[k] + REACH + u;
            compute<false>(&cell);
#pragma unroll
            for (int k = 0; k < STATES; k++)
                result[k].of[v] = cell.out[k];
        }
#pragma unroll
        for (int k = 0; k < STATES; k++)
            *(struct piece *)(t.to[k] + place + (long)u * t.pitch) = result[k];
    }
}

/* The same from memory, lanes beside each other. */
template <enum way WAY>
static __device__ __forceinline__ void step_far(const struct task &t, int column, int first)
{
#pragma unroll 1
    for (int y = first; y < min(first + UP, t.end); y++) {
#pragma unroll
        for (int v = 0; v < V; v++) {
            struct cell<WAY> cell = {
                &t, &t.set, v, column + v *LANES, WRAPS ? wrapped(y, t.height) : y, 1
            };
            if (cell.x < t.width) {
                compute<false>(&cell);
#pragma unroll
                for (int k = 0; k < STATES; k++)
                    t.to[k][(long)(y - t.low) * t.pitch + cell.x] = cell.out[k];
            }
        }
    }
}

#ifdef __CUDACC__ /* quadpass has the launches compiled without a compiler for devices, too */

static __device__ __forceinline__ void one_block(const struct task &t)
{
    const int block = t.backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x, lane = threadIdx.x;
    const int column = (block % t.across * blockDim.y + threadIdx.y) * ACROSS;
    const int first = t.begin + (block / t.across * blockDim.z + threadIdx.z) * UP;
    const bool far = column < MIDDLE || column + ACROSS + MIDDLE > t.width ||
                     first - REACH < t.floor || first + UP + REACH > t.ceiling ||
                     first + UP > t.end;
    if (far)
        step_far<FAR_CAREFUL>(t, column + lane, first);
    else if (IN_REGISTERS)
        step_kept(t, column + lane * V, first);
    else
        step_far<FAR>(t, column + lane, first);
}

/* ---- K steps ---- */

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

/* A warp has a strip of columns and streams it upwards, all steps behind each other: when row y
 * of the arrays comes in, row y - s (REACH + 1) is computed of every step s. Of the states
 * between two steps the latest ROWS rows are in registers, and a step replaces the row that the
 * step after it has just read for the last time. So no value moves. One row more than needed
 * between steps makes them independent of each other. Neighbours across come by shuffles. Warps
 * do not meet. Columns at either end of a strip and rows at either end of a chunk are computed
 * by two warps; what is wrong there goes no further than REACH cells a step. Cells outside the
 * grid hold anything: who reads there takes care. If a state wraps they are those of the other
 * side, computed once more. */
template <int K> struct stream {
    static constexpr int HALO = halo_of(K), USEFUL = useful(K), LAG = REACH + 1;
    static constexpr int SLOTS = 2 * AHEAD; /* places for rows on their way from memory */
    static constexpr bool SCALED = WEIGHT != 0;
    static constexpr real FIRST = power(1 / FACTOR, K - 1), LAST = power(FACTOR, K);
    const struct task &t;
    struct piece *ring; /* this lane's: SLOTS rows of each state */
    int column, first, end;
    int x[V];           /* of its cells; with a state that wraps within the grid */
    bool stores, plain; /* these columns; and no column is near the grid's ends */
    real level[K][STATES][ROWS][V];

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

    /* Replaces what is outside, from the cells on outwards: beside the grid in `sides` alone. */
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

    /* Step s of row y; the rows of step s - 1 begin at place p. */
    template <bool CAREFUL>
    __device__ __forceinline__ void step(int s, int p, int y, real scale, struct piece *result)
    {
        real rows[ARRAYS][ROWS][WIDE];
        for (int k = 0; k < ARRAYS; k++) {
            for (int j = 0; j < ROWS; j++) {
                if (k < STATES)
                    widen(level[s - 1][k < STATES ? k : 0][(p + j) % ROWS], looks_across(k, j),
                          rows[k][j]);
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

    /* True if a cell looks to its left or right in row j - REACH of an array. */
    static __device__ __forceinline__ bool looks_across(int array, int j)
    {
        const unsigned rows[ARRAYS] = {
            /*@ cuda across */
            0x2,
            /*@ end */
        };
        return (rows[array] >> j & 1) != 0;
    }

    /* A row's values, and those of the lanes beside this one if cells of any row look at them. */
    static __device__ __forceinline__ void widen(const real own[V], bool looks, real to[WIDE])
    {
        for (int v = 0; v < V; v++)
            to[MIDDLE + v] = own[v];
        for (int i = 0; i < REACH && looks; i++) {
            to[MIDDLE - 1 - i] = __shfl_up_sync(~0u, own[V - 1 - i % V], 1 + i / V);
            to[MIDDLE + V + i] = __shfl_down_sync(~0u, own[i % V], 1 + i / V);
        }
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

    /* A row of the states comes in at place p, and a row of every step goes on. */
    template <bool CAREFUL> __device__ __forceinline__ void advance(int p, int row)
    {
        struct piece result[STATES];
        real scale = FIRST;
#pragma unroll
        for (int s = K; s > 0; s--) {
            step<CAREFUL>(s, p, row - s * LAG, scale, result);
            scale = scale * FACTOR;
            if (s == K)
                store(row - K * LAG, result);
            for (int k = 0; k < STATES && s < K; k++)
                for (int v = 0; v < V; v++)
                    level[s < K ? s : 0][k][p][v] = result[k].of[v];
        }
        fetch<CAREFUL>(row + AHEAD);
        wait_for_groups<AHEAD>();
        for (int k = 0; k < STATES; k++) {
            const struct piece next = *slot(row, k);
            for (int v = 0; v < V; v++)
                level[0][k][p][v] = next.of[v];
        }
    }

    /* The oldest row of each step becomes the latest, for one row alone. */
    __device__ __forceinline__ void turn()
    {
#pragma unroll
        for (int i = 0; i < K * STATES * V; i++) {
            real(&of)[ROWS][V] = level[i / V / STATES][i / V % STATES];
            const real oldest = of[0][i % V];
            for (int j = 0; j + 1 < ROWS; j++)
                of[j][i % V] = of[j + 1][i % V];
            of[ROWS - 1][i % V] = oldest;
        }
    }

    __device__ __forceinline__ bool is_plain(int row) const
    {
        return plain && row - K * LAG - REACH >= t.floor && row + ROWS + AHEAD + REACH < t.ceiling;
    }

    /* Computes rows from `first` up to `end`. */
    __device__ __forceinline__ void run()
    {
        const int last = end + K * LAG;
#pragma unroll
        for (int i = 0; i < K * STATES * ROWS * V; i++)
            level[i / V / ROWS / STATES][i / V / ROWS % STATES][i / V % ROWS][i % V] = 0;
        for (int k = 0; k < AHEAD; k++)
            fetch<true>(first - K * REACH + k);
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

/* ---- Kernels ---- */

static __global__ void __launch_bounds__(512) one_step(const __grid_constant__ struct task t)
{
    one_block(t);
}

template <int K>
static __global__ void __launch_bounds__(LANES, blocks_of(K))
    many_steps(const __grid_constant__ struct task t)
{
    strip_block<K>(t);
}

#endif

#ifdef __CUDACC_RTC__ /* the same by names that the driver finds */

extern "C" __global__ void __launch_bounds__(512) steps_1(const __grid_constant__ struct task t)
{
    one_block(t);
}

/* The kernel of the most steps at once, halved so often. */
#define KERNEL(TIMES)                                                                     \
    extern "C" __global__ void __launch_bounds__(LANES, blocks_of(MOST_AT_ONCE >> TIMES)) \
        halved_##TIMES(const __grid_constant__ struct task t)                             \
    {                                                                                     \
        constexpr int K = MOST_AT_ONCE >> TIMES;                                          \
        if constexpr (K > 1 && fits(K) && K <= USUAL)                                     \
            strip_block<K>(t);                                                            \
    }
KERNEL(0)
KERNEL(1)
KERNEL(2)
KERNEL(3)

#else

/* ---- Launches ---- */

#ifdef __CUDACC__
#define START(kernel, steps, blocks, threads, task) kernel<<<blocks, threads>>>(task)
#define FIND_RESIDENT(kernel, steps, count) \
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(count, kernel, LANES, 0)
#endif

static int most(int a, int b)
{
    return a > b ? a : b;
}

static int blocks_in(int cells, int block)
{
    return (cells + block - 1) / block;
}

/* As many blocks as the device holds at once, each multiprocessor one of those at the grid's
 * sides. */
template <int K> static void launch(struct task *t, int multiprocessors)
{
    if constexpr (fits(K)) {
        constexpr int wide = useful(K);
        static int resident = 0;
        if (resident == 0)
            FIND_RESIDENT(many_steps<K>, K, &resident);
        const int rows = t->end - t->begin, free = t->width - ACROSS - MIDDLE + halo_of(K);
        t->across = blocks_in(t->width, wide);
        t->inner = free >= wide ? free / wide : 0;
        const int edges = t->across - t->inner, edge_chunks = blocks_in(multiprocessors, edges);
        t->edge_rows = most(blocks_in(rows, edge_chunks), K * REACH);
        t->edge_blocks = edges * blocks_in(rows, t->edge_rows);
        const int all = WAVES * multiprocessors * resident,
                  chunks = (all - t->edge_blocks) / most(t->inner, 1);
        t->rows = most(blocks_in(rows, most(chunks, 1)), K * REACH);
        START(many_steps<K>, K, t->edge_blocks + t->inner * blocks_in(rows, t->rows), LANES, *t);
    }
}

#ifdef CONTRACTED
#define LAUNCH launch_contracted
#else
#define LAUNCH launch_exact
#endif

/* One of the most steps at once, halved some times. */
template <int K> static void launch_some(struct task *t, int steps, int multiprocessors)
{
    if (steps == K)
        launch<K>(t, multiprocessors);
    else if constexpr (K > 3)
        launch_some<K / 2>(t, steps, multiprocessors);
}

void LAUNCH(struct task *t, int steps, int threads, int multiprocessors)
{
    if (steps > 1)
        return launch_some<MOST_AT_ONCE>(t, steps, multiprocessors);
    const int warps = threads / LANES, beside = warps < 4 ? warps : 4;
    t->across = blocks_in(t->width, beside * ACROSS);
    START(one_step, 1, t->across * blocks_in(t->end - t->begin, warps / beside * UP),
          dim3(LANES, beside, warps / beside), *t);
}

/* ---- The machine, for program.c ---- */

#ifndef CONTRACTED

void launch_contracted(struct task *t, int steps, int threads, int multiprocessors);

struct machine {
    struct task task;
    real *cells[ARRAYS], *target[STATES];
    int multiprocessors;
    struct part part;
    char name[300];
#ifdef PARTS
    cudaEvent_t done; /* the latest steps and copies */
    real *locked;     /* the host's memory, on the way from another device */
#endif
};

/* Settings of this machine. */
/*@ cuda threads */
static int threads = 512;
/*@ end */
static bool contracts = false;

static void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        fail("the device cannot %s: %s", what, cudaGetErrorString(error));
}

static void use(const struct machine *m)
{
    must(cudaSetDevice(m->part.device), "be used");
}

/* ---- Machines of several devices ---- */

#ifdef PARTS

static bool locked = false; /* rows of other devices come through the host's memory */

static int devices(void)
{
    int count = 0;
    must(cudaGetDeviceCount(&count), "be found");
    return count;
}

/* Lets devices copy from each other where they can, and through the host where not. */
static void join(struct machine *m)
{
    for (int other = 0; other < devices(); other++) {
        int can = 0;
        if (other != m->part.device &&
            cudaDeviceCanAccessPeer(&can, m->part.device, other) == cudaSuccess && can)
            cudaDeviceEnablePeerAccess(other, 0);
    }
    cudaGetLastError(); /* that they are joined already */
    must(cudaEventCreateWithFlags(&m->done, cudaEventDisableTiming), "make an event");
    if (locked)
        must(cudaHostAlloc((void **)&m->locked, (size_t)m->task.pitch * HALO * sizeof(real),
                           cudaHostAllocPortable),
             "lock memory");
}

static void leave(struct machine *m)
{
    cudaEventDestroy(m->done);
    cudaFreeHost(m->locked);
}

static void note(struct machine *m)
{
    must(cudaEventRecord(m->done), "take a step");
}

static void follow(struct machine *m, struct machine *other)
{
    use(m);
    must(cudaStreamWaitEvent(0, other->done, 0), "wait for another");
}

static void borrow(struct machine *m, struct machine *owner, int row, int source, int count)
{
    const size_t pitch = (size_t)m->task.pitch, bytes = (size_t)count * pitch * sizeof(real);
    use(m);
    for (int k = 0; k < STATES; k++) {
        real *to = m->cells[k] + (size_t)(row - m->task.low) * pitch,
             *from = owner->cells[k] + (size_t)(source - owner->task.low) * pitch;
        if (locked)
            must(cudaMemcpyAsync(m->locked, from, bytes, cudaMemcpyDefault), "copy rows");
        must(cudaMemcpyAsync(to, locked ? m->locked : from, bytes, cudaMemcpyDefault), "copy rows");
    }
    must(cudaEventRecord(m->done), "copy rows");
}

static bool set_borders(const char *key, size_t length, const char *value)
{
    if (length != 7 || strncmp(key, "borders", length) != 0)
        return false;
    locked = strcmp(value, "locked") == 0;
    if (!locked && strcmp(value, "device") != 0)
        fail("borders are those of the device or locked, not '%s'", value);
    return true;
}

#else

#define join(m)                         (void)0
#define leave(m)                        (void)0
#define note(m)                         (void)0
#define set_borders(key, length, value) false
#define devices                         NULL
#define follow                          NULL
#define borrow                          NULL

#endif

/* ---- The engine ---- */

static struct machine *create(const struct grid *grid)
{
    struct machine *m = (struct machine *)allocate(1, sizeof *m);
    const struct part *part = &grid->part;
    struct cudaDeviceProp device;
    memset(m, 0, sizeof *m);
    m->part = *part;
    use(m);
    must(cudaGetDeviceProperties(&device, part->device), "be found");
    m->multiprocessors = device.multiProcessorCount;
    snprintf(m->name, sizeof m->name, "%s%s", device.name,
             contracts ? ", multiply and add fused: other bits" : "");
    m->task.width = grid->width;
    m->task.height = grid->height;
    m->task.pitch = blocks_in(grid->width, LANES) * LANES;
    m->task.low = part->low;
    m->task.kept = part->kept;
    m->task.floor = most(part->low, 0);
    m->task.ceiling = part->low + part->kept < grid->height ? part->low + part->kept : grid->height;
    m->task.set = grid->set;
    const size_t bytes = (size_t)m->task.pitch * (size_t)most(part->kept, 1) * sizeof(real);
    for (int k = 0; k < ARRAYS; k++) {
        must(cudaMalloc((void **)&m->cells[k], bytes), "hold the arrays");
        if (k < STATES)
            must(cudaMalloc((void **)&m->target[k], bytes), "hold the arrays");
    }
    join(m);
    return m;
}

static void destroy(struct machine *m)
{
    use(m);
    for (int k = 0; k < ARRAYS; k++) {
        cudaFree(m->cells[k]);
        if (k < STATES)
            cudaFree(m->target[k]);
    }
    leave(m);
    free(m);
}

/* By default what was fastest on an H100: fewer where cells look far, and where the grid gives
 * each block few rows. */
static int at_once(const struct machine *m, int asked)
{
#ifdef STEPS
    const bool is_small = false;
#else
    const bool is_small = (long)m->task.width * m->task.height < 1L << 22;
#endif
    const int wanted = asked > 0 ? asked : is_small && USUAL > 4 ? 4 : USUAL;
    int steps = MOST_AT_ONCE;
#ifndef __CUDACC__ /* quadpass has no more compiled */
    while (steps > USUAL)
        steps /= 2;
#endif
    while (steps > wanted || !fits(steps))
        steps /= 2;
    return steps;
}

/* Copies rows of an array from `to` or to it. */
static void copy(const struct machine *m, real *cells, int first, int count, real *rows,
                 enum cudaMemcpyKind way)
{
    const size_t row = (size_t)m->task.width * sizeof(real),
                 pitch = (size_t)m->task.pitch * sizeof(real);
    use(m);
    for (int i = 0, next; i < count; i += next) { /* up to where a copy of the grid ends */
        const int place = (first + i - m->task.low) % m->task.height;
        real *own = cells + (size_t)place * (size_t)m->task.pitch,
             *other = rows + (size_t)i * (size_t)m->task.width;
        next = m->task.kept - place < count - i ? m->task.kept - place : count - i;
        must(way == cudaMemcpyHostToDevice
                 ? cudaMemcpy2D(own, pitch, other, row, row, (size_t)next, way)
                 : cudaMemcpy2D(other, row, own, pitch, row, (size_t)next, way),
             "copy an array");
    }
}

static void put(struct machine *m, int array, int first, int count, const real *rows)
{
    copy(m, m->cells[array], first, count, (real *)rows, cudaMemcpyHostToDevice);
}

static void get(struct machine *m, int state, int first, int count, real *rows)
{
    copy(m, m->cells[state], first, count, rows, cudaMemcpyDeviceToHost);
}

/* Begins steps of the part and so many rows beyond it, whose results are in the other arrays. */
static void begin(struct machine *m, int steps, int beyond)
{
    const int low = m->part.begin - beyond, high = m->part.end + beyond;
    use(m);
    m->task.begin = WRAPS ? low : most(low, 0);
    m->task.end = WRAPS || high < m->task.height ? high : m->task.height;
    for (int k = 0; k < ARRAYS; k++)
        m->task.from[k] = m->cells[k];
    for (int k = 0; k < STATES; k++)
        m->task.to[k] = m->target[k];
    if (m->task.begin < m->task.end)
        (contracts ? launch_contracted : launch_exact)(&m->task, steps, threads,
                                                       m->multiprocessors);
    must(cudaGetLastError(), "begin a step");
}

static void load(struct machine *m, int steps)
{
    begin(m, steps, 0);
}

static void go(struct machine *m, int steps, int beyond)
{
    begin(m, steps, beyond);
    for (int k = 0; k < STATES; k++) {
        real *other = m->cells[k];
        m->cells[k] = m->target[k];
        m->target[k] = other;
    }
    m->task.backwards = !m->task.backwards;
    note(m);
}

static void finish(struct machine *m)
{
    use(m);
    must(cudaDeviceSynchronize(), "take a step");
}

static const char *name(struct machine *m)
{
    return m->name;
}

static bool set(const char *key, size_t length, const char *value)
{
    if (length == 7 && strncmp(key, "threads", length) == 0) {
        threads = atoi(value);
        if (threads != 32 && threads != 64 &&
            (threads < 128 || threads > 512 || threads % 128 != 0))
            fail("threads are 32, 64, 128, 256, 384 or 512, not '%s'", value);
    } else if (length == 8 && strncmp(key, "contract", length) == 0) {
        contracts = strcmp(value, "yes") == 0;
        if (!contracts && strcmp(value, "no") != 0)
            fail("contract is yes or no, not '%s'", value);
    } else {
        return set_borders(key, length, value);
    }
    return true;
}

const struct engine ENGINE = {create, destroy, at_once, put,     get,    load,  go,
                              finish, name,    set,     devices, follow, borrow};

#endif

#endif
