/*@ origin */
/* heat.frag as CUDA: sizes of its work, and the kernel, which finds cells around one. */
/*@ end */
#ifndef CELL_CUH
#define CELL_CUH

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
/*@ takes steps = 1 to 16 */
/*@ takes blocks = 0 to 32 */
/*@ takes threads = 1 to 1024 */
/*@ takes unknowns = 1 to 1024 */
/*@ tune not cells * bytes > 16 */
/*@ tune not cells > 1 with mixed > 0 */
/*@ tune not steps > 1 with threads < 512 */
/*@ tune not steps > 1 with up = 1 2 8 */
/*@ tune not steps = 1 with ahead = 2 8 */
/*@ tune not steps = 1 with blocks > 0 */
/*@ tune not steps = 1 with waves > 1 */
/*@ tune not steps * states * reach * cells * bytes * 2 + steps * states * cells * bytes > 768 */
/*@ tune not steps * reach > 8 * cells with steps > 1 */
/*@ tile across = 128 * cells */
/*@ tile up = threads * up / 128 + steps * reach */
/*@ term bytes = arrays / steps + states / steps */
/*@ term fetches = 1 / cells + 2 * reach / up */
/*@ term arithmetic = 1 + reach * steps / cells / 16 */
/*@ term launches = 1 / steps */
#ifndef CELLS
#define CELLS (16 / (int)sizeof(real)) /* cells of a lane, side by side */
#endif
#ifndef AHEAD
#define AHEAD 4 /* rows on their way from memory */
#endif
#ifndef BLOCKS
#define BLOCKS 0 /* blocks that a multiprocessor is to hold; 0: as below */
#endif
#ifndef WAVES
#define WAVES 1 /* blocks of a launch over the blocks that the device holds at once */
#endif
#ifndef UP
#define UP (REACH <= 2 ? 4 : 1) /* rows of a warp in single steps */
#endif

constexpr int LANES = 32;
constexpr int V = MIXED ? 1 : CELLS;        /* cells of a piece, which a lane has */
constexpr int ACROSS = LANES * V;           /* columns of a warp */
constexpr int BESIDE = (REACH + V - 1) / V; /* pieces that a lane looks at on either side */
constexpr int MIDDLE = BESIDE * V;          /* place of the lane's own cells among them */
constexpr int WIDE = 2 * MIDDLE + V, ROWS = 2 * REACH + 1;

struct alignas(V * sizeof(real)) piece {
    real of[V];
};

/* True if a cell looks to its left or right in row j - REACH of an array. */
HOST_DEVICE constexpr bool looks_across(int array, int j)
{
    const unsigned rows[ARRAYS] = {
        /*@ across */
        0x2,
        /*@ end */
    };
    return (rows[array] >> j & 1) != 0;
}

/* True if rows are kept with the values of the lanes beside this one, since cells of several rows
 * look at them; else a row gets them where it is looked at. */
HOST_DEVICE constexpr bool keeps_wide(int state)
{
    int rows = 0;
    for (int j = 0; j < ROWS; j++)
        rows += looks_across(state, j);
    return rows > 1;
}

/* Registers that keep all rows of `steps` steps. */
constexpr int kept_by(int steps)
{
    int values = STATES * V;
    for (int k = 0; k < STATES; k++)
        values += keeps_wide(k) ? 2 * REACH : 0;
    return steps * ROWS * values * (int)sizeof(real) / 4;
}

/* Columns that a warp computes in vain at either end: whole pieces. */
constexpr int halo_of(int steps)
{
    return (steps * REACH + V - 1) / V * V;
}

/* Columns of a warp without these. */
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
    int floor, ceiling;        /* rows of the grid among the kept rows, without copies */
    int across, rows;          /* blocks across, and rows of each */
    int inner, edge_blocks, edge_rows; /* strips far from the grid's sides; blocks of the others */
    bool backwards;                    /* the last block goes first: its rows are in the cache */
    struct numbers set;
};

/* ---- A cell ---- */

/* Ways of a cell to find others: in registers; in registers, with care for what is outside; in
 * memory; in memory, with care. */
enum way { KEPT, KEPT_CAREFUL, FAR, FAR_CAREFUL };

/* A cell: every function of the kernel is called with it. */
template <enum way WAY> struct cell {
    static constexpr enum way way = WAY;
    const struct task *task;
    const struct numbers *set;
    int v, x, y;                       /* the cell's place in its lane, and in the grid */
    real scale;                        /* scale of all states (see WEIGHT) */
    const real (*kept[ARRAYS])[WIDE];  /* the cell's row and the rows around it */
    const real (*aside[ARRAYS])[WIDE]; /* these rows for the left and right, if that takes care */
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

/* The cell that replaces a cell outside of an array; -1: a value does. */
template <enum outside KIND> static __device__ __forceinline__ int inside(int i, int n)
{
    if constexpr (KIND == WRAP)
        return wrapped(i, n);
    if constexpr (KIND == CLAMP)
        return i < 0 ? 0 : i < n ? i : n - 1;
    return is_inside(i, n) ? i : -1;
}

/* The place in memory of a row, or of the row that it copies; any place if it is not kept. */
static __device__ __forceinline__ long place_of(const struct task *t, int row)
{
    const int place = wrapped(row - t->low, t->height);
    return (long)(place < t->kept ? place : 0) * t->pitch;
}

/* An offset as an integer. Compilers know the results of comparisons early enough to use
 * registers; they know those of conversions too late. */
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

/* Steps in one go that were fastest on an H100 and an H200, on large grids, with an input at 4096 x
 * 4096. Where cells of many rows are read, more of them do not fit the cache of instructions. */
#ifdef STEPS
enum { USUAL = STEPS };
#else
enum {
    USUAL = REACH > 2 || (REACH > 1 && keeps_wide(0))         ? 2
            : REACH > 1                                       ? 4
            : WEIGHT != 0 && ARRAYS == 1 && sizeof(real) == 4 ? 16
                                                              : 8
};
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

#endif
