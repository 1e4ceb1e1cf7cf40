/*@ origin */
/* heat.frag as CUDA: one step, and many steps in one go over the grid. */
/*@ end */
#include <cuda_pipeline.h>
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

constexpr int LANES = 32;
constexpr int V =
    MIXED ? 1 : 16 / (int)sizeof(real);     /* cells of a lane, beside each other: a piece */
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

/* True for steps at once that are within the program's most, that registers and a warp's columns hold, and that the
 * compiler can unroll. */
constexpr bool fits(int steps)
{
    return steps == 1 || (steps <= MOST_AT_ONCE && kept_by(steps) <= 192 &&
                          4 * halo_of(steps) <= ACROSS && steps * ROWS * ROWS <= 256);
}

/* Blocks that a multiprocessor is to hold: the more, the fewer registers each has. */
constexpr int blocks_of(int steps)
{
    return kept_by(steps) <= 64 ? 16 : kept_by(steps) <= 112 ? 12 : 8;
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
constexpr int UP = REACH <= 2 ? 4 : 1;
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

static __global__ void __launch_bounds__(512) one_step(const __grid_constant__ struct task t)
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
    static constexpr int HALO = halo_of(K), USEFUL = ACROSS - 2 * HALO, LAG = REACH + 1;
    static constexpr int AHEAD = 4,
                         SLOTS = 8; /* rows on their way from memory, and places for them */
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

    /* Starts to copy a row of the states. */
    template <bool CAREFUL> __device__ __forceinline__ void fetch(int row)
    {
        const bool wraps = CAREFUL && WRAPS,
                   there = row >= t.floor && row < t.ceiling && column >= 0 && column < t.width;
        const long y = wraps ? place_of(&t, row) : (long)(row - t.low) * t.pitch;
        for (int k = 0; k < STATES; k++) {
            struct piece *to = slot(row, k);
            if (!wraps && (!CAREFUL || there))
                __pipeline_memcpy_async(to, t.from[k] + y + column, sizeof *to);
            for (int v = 0; v < V && wraps; v++)
                __pipeline_memcpy_async(to->of + v, t.from[k] + y + x[v], sizeof(real));
        }
        __pipeline_commit();
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
        __pipeline_wait_prior(AHEAD);
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
        __pipeline_wait_prior(0);
    }
};

/* Blocks are strips beside each other, one chunk of rows after the other, so that neighbours
 * read neighbouring memory. Strips at the grid's sides, which take care in every row, come
 * first, in shorter chunks. */
template <int K>
static __global__ void __launch_bounds__(LANES, blocks_of(K))
    many_steps(const __grid_constant__ struct task t)
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

/* ---- Launches ---- */

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
        using steps = stream<K>;
        static int resident = 0;
        if (resident == 0)
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, many_steps<K>, LANES, 0);
        const int rows = t->end - t->begin, free = t->width - ACROSS - MIDDLE + steps::HALO;
        t->across = blocks_in(t->width, steps::USEFUL);
        t->inner = free >= steps::USEFUL ? free / steps::USEFUL : 0;
        const int edges = t->across - t->inner, edge_chunks = blocks_in(multiprocessors, edges);
        t->edge_rows = most(blocks_in(rows, edge_chunks), K * REACH);
        t->edge_blocks = edges * blocks_in(rows, t->edge_rows);
        const int chunks = (multiprocessors * resident - t->edge_blocks) / most(t->inner, 1);
        t->rows = most(blocks_in(rows, most(chunks, 1)), K * REACH);
        many_steps<K><<<t->edge_blocks + t->inner * blocks_in(rows, t->rows), LANES>>>(*t);
    }
}

#ifdef CONTRACTED
#define LAUNCH launch_contracted
#else
#define LAUNCH launch_exact
#endif

/* So many steps: 1, 2, 4 ... */
void LAUNCH(struct task *t, int steps, int threads, int multiprocessors)
{
    if (steps == 16)
        launch<16>(t, multiprocessors);
    else if (steps == 8)
        launch<8>(t, multiprocessors);
    else if (steps == 4)
        launch<4>(t, multiprocessors);
    else if (steps == 2)
        launch<2>(t, multiprocessors);
    if (steps > 1)
        return;
    const int warps = threads / LANES, beside = warps < 4 ? warps : 4;
    t->across = blocks_in(t->width, beside * ACROSS);
    one_step<<<t->across * blocks_in(t->end - t->begin, warps / beside * UP),
               dim3(LANES, beside, warps / beside)>>>(*t);
}

/* ---- The machine, for program.c ---- */

#ifndef CONTRACTED

void launch_contracted(struct task *t, int steps, int threads, int multiprocessors);

struct machine {
    struct task task;
    real *cells[ARRAYS], *target[STATES];
    int multiprocessors;
    cudaEvent_t done; /* the latest steps */
    real *locked;     /* the host's memory, on the way from another device */
    struct part part;
    char name[300];
};

/* Settings of this machine. */
/*@ cuda threads */
static int threads = 512;
/*@ end */
static bool contracts = false;
static bool locked = false; /* rows of other devices come through the host's memory */

static void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        fail("the device cannot %s: %s", what, cudaGetErrorString(error));
}

static void use(const struct machine *m)
{
    must(cudaSetDevice(m->part.device), "be used");
}

static int devices(void)
{
    int count = 0;
    must(cudaGetDeviceCount(&count), "be found");
    return count;
}

/* Lets devices copy from each other where they can, and through the host where not. */
static void join_devices(const struct machine *m)
{
    for (int other = 0; other < devices(); other++) {
        int can = 0;
        if (other != m->part.device &&
            cudaDeviceCanAccessPeer(&can, m->part.device, other) == cudaSuccess && can)
            cudaDeviceEnablePeerAccess(other, 0);
    }
    cudaGetLastError(); /* that they are joined already */
}

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
    join_devices(m);
    must(cudaEventCreateWithFlags(&m->done, cudaEventDisableTiming), "make an event");
    if (locked)
        must(cudaHostAlloc((void **)&m->locked, (size_t)m->task.pitch * HALO * sizeof(real),
                           cudaHostAllocPortable),
             "lock memory");
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
    cudaEventDestroy(m->done);
    cudaFreeHost(m->locked);
    free(m);
}

/* By default what was fastest on an H100: fewer where cells look far, and where the grid gives
 * each block few rows. */
static int at_once(const struct machine *m, int asked)
{
    const bool is_small = (long)m->task.width * m->task.height < 1L << 22;
    const int usual = REACH > 1 ? 2 : is_small ? 4 : WEIGHT != 0 && sizeof(real) == 4 ? 16 : 8;
    int steps = asked > 0 ? asked : usual;
    while (!fits(steps))
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
    } else if (length == 7 && strncmp(key, "borders", length) == 0) {
        locked = strcmp(value, "locked") == 0;
        if (!locked && strcmp(value, "device") != 0)
            fail("borders are those of the device or locked, not '%s'", value);
    } else {
        return false;
    }
    return true;
}

const struct engine ENGINE = {create, destroy, at_once, put,     get,    load,  go,
                              finish, name,    set,     devices, follow, borrow};

#endif
