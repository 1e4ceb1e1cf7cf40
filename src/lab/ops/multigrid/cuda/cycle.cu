/* SPDX-License-Identifier: MIT */
/* Multigrid's cycles as launches: two for each large grid, and one for all small ones. */
#include <stdlib.h>

#include "lab/engines/launch.cuh"
#include "lab/ops/multigrid/cuda/kernels.h"

namespace
{

typedef qp_multigrid_cuda_grid grid;
typedef qp_multigrid_cuda_line line;

constexpr int BANDS = 9, LINES = BANDS + 1;

/* ---- Work at a node ---- */

/* The matrix's row y from its node x on: line k is k pitches further. */
template <typename T> __device__ const T *row_of(const grid &g, int x, int y)
{
    return (const T *)g.rows + (size_t)g.row[y] * LINES * g.pitch + x;
}

/* Sum of A x at a node; x is pointed to there. Bands in the order of enum qp_jacobi9_band. */
template <typename T, typename X> __device__ X product(const T *a, int apart, const X *x, int pitch)
{
    const X *below = x - pitch, *above = x + pitch;
    return (a[0] * x[0] + (a[4 * apart] * x[-1] + a[5 * apart] * x[1])) +
           ((a[apart] * below[-1] + a[2 * apart] * below[0]) + a[3 * apart] * below[1]) +
           ((a[6 * apart] * above[-1] + a[7 * apart] * above[0]) + a[8 * apart] * above[1]);
}

template <typename T> __device__ T right_of(const grid &g, int x, int y)
{
    return ((const T *)g.b)[(long)y * g.pitch + x];
}

/* P e at node (x, y); e is pointed to at node (0, 0) of the coarser grid. */
template <typename T> __device__ T interpolate(const grid &g, const T *e, int pitch, int x, int y)
{
    const T *low = (const T *)g.across.weight + x, *bottom = (const T *)g.up.weight + y;
    e += (long)g.up.at[y] * pitch + g.across.at[x];
    return bottom[0] * (low[0] * e[0] + low[g.across.pitch] * e[1]) +
           bottom[g.up.pitch] * (low[0] * e[pitch] + low[g.across.pitch] * e[pitch + 1]);
}

/* Weight j of a coarse node's fine ones. */
template <typename T> __device__ T weight_of(const line &l, int j, int coarse)
{
    return ((const T *)l.weight)[(2 + j) * l.pitch + coarse];
}

/* Coarse node of P' r; r is pointed to at the first of its four fine nodes each way. */
template <typename T> __device__ T restrict_to(const grid &g, const T *r, int pitch, int x, int y)
{
    T sum = 0;
    for (int j = 0; j < 4; j++) {
        const T weight = weight_of<T>(g.up, j, y);
        T part = 0;
        for (int i = 0; i < 4 && weight != 0; i++)
            part += weight_of<T>(g.across, i, x) * r[j * pitch + i];
        sum += weight * part;
    }
    return sum;
}

/* ---- A sweep over a large grid ---- */

/* A thread block takes a tile through all steps of a smoother in shared memory (temporal blocking):
 * it begins with a halo, of which every step uses up a node on each side, so blocks never wait for
 * each other. The interpolation before the steps, the residual after them and its restriction
 * belong to the same launch. */
constexpr int ACROSS = 64, THREADS_UP = 8; /* threads of a tile; each has `ROWS` rows of it */

/* Rows of a thread: two arrays take 32 KiB of shared memory in either precision. Tiles of that
 * height may leave multiprocessors idle; low ones take fewer nodes in turn. */
template <typename T> constexpr int HIGH = 32 / sizeof(T);
constexpr int LOW = 2;

/* Begins with x, which is `from` or 0, and the correction by the coarser grid; takes steps; writes
 * x, or adds it to `start` in double; and restricts the residual to the coarser grid's b. */
template <typename T> struct task {
    grid g, coarse;
    const T *from; /* NULL: 0 */
    int from_pitch;
    bool corrects, restricts;
    int steps;
    T weight[3];
    void *to; /* NULL: nowhere */
    int to_pitch;
    const double *start; /* NULL: nothing */
    double factor;
    /* Nodes that a tile has to itself, after `shift_x` and `shift_y` of the halo. The first node
     * that is restricted has the place `halo`. */
    int across, up, shift_x, shift_y, halo;
};

template <typename T> __device__ T begin(const task<T> &t, int x, int y)
{
    if (t.from == nullptr && !t.corrects) /* the first step, from 0 */
        return t.steps > 0
                   ? t.weight[0] * row_of<T>(t.g, x, y)[BANDS * t.g.pitch] * right_of<T>(t.g, x, y)
                   : 0;
    const T old = t.from != nullptr ? t.from[(long)y * t.from_pitch + x] : 0;
    return t.corrects ? old + interpolate(t.g, (const T *)t.coarse.x, t.coarse.pitch, x, y) : old;
}

template <typename T>
__device__ void write(const task<T> &t, const T *tile, int u, int v, int x, int y)
{
    const long at = (long)y * t.to_pitch + x;
    if (u < t.shift_x || u >= t.shift_x + t.across || v < t.shift_y || v >= t.shift_y + t.up)
        return;
    if (t.start != nullptr)
        ((double *)t.to)[at] = t.start[at] + t.factor * tile[v * ACROSS + u];
    else
        ((T *)t.to)[at] = tile[v * ACROSS + u];
}

template <typename T> __device__ void restrict_tile(const task<T> &t, const T *residual)
{
    const int across = t.across / 2, up = t.up / 2;
    for (int i = threadIdx.y * ACROSS + threadIdx.x; i < across * up; i += ACROSS * THREADS_UP) {
        const int k = i % across, l = i / across;
        const int x = blockIdx.x * across + k, y = blockIdx.y * up + l;
        if (x < t.coarse.across.nodes && y < t.coarse.up.nodes)
            ((T *)t.coarse.b)[(long)y * t.coarse.pitch + x] = restrict_to<T>(
                t.g, residual + (t.halo + 2 * l) * ACROSS + t.halo + 2 * k, ACROSS, x, y);
    }
}

/* A column's values of the matrix's row, which are read again where the next row has others. */
template <typename T> struct column {
    T a[LINES];
    int row = -1;

    __device__ void read(const grid &g, int x, int y)
    {
        if (g.row[y] == row)
            return;
        row = g.row[y];
        const T *from = (const T *)g.rows + (size_t)row * LINES * g.pitch + x;
        for (int k = 0; k < LINES; k++)
            a[k] = from[(long)k * g.pitch];
    }
};

/* Three neighbours in a row of a tile. */
template <typename T> struct triple {
    T left, here, right;

    __device__ explicit triple(const T *at) : left(at[-1]), here(at[0]), right(at[1])
    {
    }
};

/* Step k of a thread's rows of a tile, or the residual after the last. */
template <int ROWS, typename T>
__device__ void take_step(const task<T> &t, int k, column<T> &own, int x, int y0, const T *from,
                          T *to)
{
    const int u = threadIdx.x, v0 = threadIdx.y * ROWS;
    const bool inside_x = x >= 0 && x < t.g.across.nodes && u > 0 && u < ACROSS - 1;
    triple<T> below(from + (v0 - 1) * ACROSS + u), here(from + v0 * ACROSS + u);
#pragma unroll
    for (int v = v0; v < v0 + ROWS; v++) {
        const triple<T> above(from + (v + 1) * ACROSS + u);
        const int y = y0 + v;
        T value = 0;
        if (inside_x && y >= 0 && y < t.g.up.nodes) {
            own.read(t.g, x, y);
            const T *a = own.a;
            const T residual = right_of<T>(t.g, x, y) -
                               ((a[0] * here.here + (a[4] * here.left + a[5] * here.right)) +
                                ((a[1] * below.left + a[2] * below.here) + a[3] * below.right) +
                                ((a[6] * above.left + a[7] * above.here) + a[8] * above.right));
            value = k == t.steps ? residual : here.here + t.weight[k] * a[BANDS] * residual;
        }
        to[v * ACROSS + u] = value;
        below = here;
        here = above;
    }
}

/* Nodes at the rim of a tile and beyond it have values that no node of its own comes to know. */
template <int ROWS, typename T>
__global__ void __launch_bounds__(ACROSS *THREADS_UP) sweep(const task<T> t)
{
    constexpr int UP = ROWS * THREADS_UP;
    __shared__ T tiles[2][(UP + 2) * ACROSS + 2];
    T *from = tiles[0] + ACROSS + 1, *to = tiles[1] + ACROSS + 1;
    const int u = threadIdx.x, x = (int)blockIdx.x * t.across - t.shift_x + u;
    const int y0 = (int)blockIdx.y * t.up - t.shift_y;
    const bool inside_x = x >= 0 && x < t.g.across.nodes;
    column<T> own;
    for (int v = threadIdx.y; v < UP; v += THREADS_UP)
        from[v * ACROSS + u] =
            inside_x && y0 + v >= 0 && y0 + v < t.g.up.nodes ? begin(t, x, y0 + v) : 0;
    for (int k = t.from == nullptr && !t.corrects && t.steps > 0; k < t.steps + 1; k++) {
        __syncthreads();
        for (int v = threadIdx.y; v < UP && k == t.steps && t.to != nullptr; v += THREADS_UP) {
            if (inside_x && y0 + v >= 0 && y0 + v < t.g.up.nodes)
                write(t, from, u, v, x, y0 + v);
        }
        if (k == t.steps && !t.restricts)
            return;
        take_step<ROWS>(t, k, own, x, y0, from, to);
        T *const other = from;
        from = to;
        to = other;
    }
    __syncthreads();
    restrict_tile(t, from);
}

/* ---- Grids of a few nodes ---- */

/* All grids of a few nodes in one launch of one block: a step there takes less than a launch. A
 * thread has one node of each grid, its row of the matrix in registers; neighbours meet in shared
 * memory. */
constexpr int SMALL = 32; /* nodes a side at most */
constexpr int SMALL_THREADS = SMALL * SMALL;
constexpr int SIDE = SMALL + 4; /* places a side: a rim, and what restriction reads beyond it */

struct small_task {
    const grid *table;
    const double *inverse;
    int first, grids, steps;
    bool full;
    double weight[3];
};

template <typename T> struct node {
    int x, y, place; /* place on a board */
    long at;         /* in vectors */
    bool inside;
    T a[LINES], b;

    __device__ explicit node(const grid &g)
        : x(threadIdx.x % g.across.nodes), y(threadIdx.x / g.across.nodes),
          place((y + 1) * SIDE + x + 1), at((long)y * g.pitch + x), inside(y < g.up.nodes)
    {
        const T *from = inside ? row_of<T>(g, x, y) : nullptr;
        for (int k = 0; k < LINES; k++)
            a[k] = inside ? from[(long)k * g.pitch] : 0;
        b = inside ? ((const T *)g.b)[at] : 0;
    }
};

/* Two boards in turn: values of all nodes are put on one while some thread still reads the other.
 * Places beyond a grid have values of finer ones, which count nothing: weights there are 0. */
template <typename T> struct boards {
    T *last, *other;

    __device__ const T *put(const node<T> &n, T value)
    {
        T *const next = other;
        other = last;
        last = next;
        if (n.inside)
            next[n.place] = value;
        __syncthreads();
        return next;
    }
};

template <typename T> __device__ T residual_of(const node<T> &n, const T *board)
{
    return n.b - product(n.a, 1, board + n.place, SIDE);
}

/* Steps from number k on; `value` is x of this node. */
template <typename T>
__device__ T smooth(const small_task &s, const grid &g, const node<T> &n, boards<T> &boards, int k,
                    T value)
{
    for (; k < s.steps; k++) {
        const T *board = boards.put(n, value);
        if (n.inside)
            value += (T)(s.weight[k] / g.radius) * n.a[BANDS] * residual_of(n, board);
    }
    return value;
}

/* The coarser grid's b, by a board of this one's residuals. */
template <typename T> __device__ void restrict_board(const grid &g, const T *board)
{
    const grid &coarse = (&g)[1];
    const int x = threadIdx.x % coarse.across.nodes, y = threadIdx.x / coarse.across.nodes;
    const T *first = board + (2 * y + g.up.low) * SIDE + 2 * x + g.across.low;
    if (y < coarse.up.nodes)
        ((T *)coarse.b)[(long)y * coarse.pitch + x] = restrict_to<T>(g, first, SIDE, x, y);
}

/* P e at a node; the coarser grid's e is on the board that was put last. */
template <typename T>
__device__ T correction(const grid &g, const node<T> &n, const boards<T> &boards)
{
    return n.inside ? interpolate<T>(g, (const T *)boards.last + SIDE + 1, SIDE, n.x, n.y) : 0;
}

/* Smooths x = 0, or P e, into g.smooth, and restricts the residual. */
template <typename T>
__device__ void go_down(const small_task &s, const grid &g, boards<T> &boards, bool corrects)
{
    const node<T> n(g);
    T value = corrects ? correction(g, n, boards) : (T)(s.weight[0] / g.radius) * n.a[BANDS] * n.b;
    value = smooth(s, g, n, boards, corrects ? 0 : 1, value);
    if (n.inside)
        ((T *)g.smooth)[n.at] = value;
    const T *board = boards.put(n, value);
    restrict_board(g, boards.put(n, n.inside ? residual_of(n, board) : 0));
    __syncthreads();
}

/* Corrects g.smooth by the coarser grid's e, and smooths it; it is the board's e then. */
template <typename T> __device__ void go_up(const small_task &s, const grid &g, boards<T> &boards)
{
    const node<T> n(g);
    T value = correction(g, n, boards) + (n.inside ? ((const T *)g.smooth)[n.at] : 0);
    value = smooth(s, g, n, boards, 0, value);
    if (n.inside)
        ((T *)g.x)[n.at] = value;
    boards.put(n, value);
}

/* Answer i of the coarsest grid. */
template <typename T> __device__ double solve(const grid &g, const double *inverse, int i)
{
    const int n = g.across.nodes * g.up.nodes;
    double sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += inverse[i * n + j] * right_of<T>(g, j % g.across.nodes, j / g.across.nodes);
    return sum;
}

template <typename T>
__device__ void take_small(const small_task &s, boards<T> &boards, int first, bool corrects)
{
    const int last = s.grids - 1;
    for (int k = first; k < last; k++)
        go_down(s, s.table[k], boards, corrects && k == first);
    const node<T> n(s.table[last]);
    const T value = n.inside ? (T)solve<T>(s.table[last], s.inverse, threadIdx.x) : 0;
    if (n.inside)
        ((T *)s.table[last].x)[n.at] = value;
    boards.put(n, value);
    for (int k = last - 1; k >= first; k--)
        go_up(s, s.table[k], boards);
}

/* A cycle on grid s.first from x = 0, or the full one. */
template <typename T>
__global__ void __launch_bounds__(SMALL_THREADS) small(const __grid_constant__ small_task s)
{
    __shared__ T memory[2][SIDE * SIDE];
    boards<T> boards = {memory[0], memory[1]};
    const int last = s.grids - 1;
    for (int i = threadIdx.x; i < 2 * SIDE * SIDE; i += SMALL_THREADS)
        memory[0][i] = 0;
    __syncthreads();
    for (int k = s.first; k < last && s.full; k++) {
        const node<T> n(s.table[k]);
        restrict_board(s.table[k], boards.put(n, n.b));
        __syncthreads();
    }
    take_small(s, boards, s.full ? last : s.first, false);
    for (int k = last - 1; k >= s.first && s.full; k--)
        take_small(s, boards, k, true);
}

/* x of a problem of so few nodes that its own grid is the coarsest. */
template <typename T>
__global__ void solve_alone(const grid g, const double *inverse, const double *start, double factor,
                            void *to, int pitch)
{
    const int i = threadIdx.x;
    const long at = (long)(i / g.across.nodes) * pitch + i % g.across.nodes;
    const double x = solve<T>(g, inverse, i);
    if (start != nullptr)
        ((double *)to)[at] = start[at] + factor * x;
    else
        ((T *)to)[at] = (T)x;
}

/* ---- Cycles as launches ---- */

struct cycle {
    const struct qp_launch *l;
    const struct qp_multigrid_cuda *grids;
    int small;           /* the first grid of a few nodes */
    const double *start; /* x of a refined cycle's finest grid */
};

/* Cuts the grid into tiles. A step that reads neighbours uses up a node of the halo, as does the
 * residual, which is wanted beyond the tile's own nodes, too. */
template <typename T> dim3 cut(task<T> *t, int rows)
{
    const bool from_zero = t->from == nullptr && !t->corrects;
    const int rim = t->restricts ? 1 : 0, beyond = 2 * rim;
    t->halo = t->steps - (from_zero && t->steps > 0) + rim;
    t->across = (ACROSS - 2 * t->halo - beyond) / 2 * 2;
    t->up = (rows * THREADS_UP - 2 * t->halo - beyond) / 2 * 2;
    t->shift_x = t->halo + (t->restricts && !t->g.across.low);
    t->shift_y = t->halo + (t->restricts && !t->g.up.low);
    int width = t->g.across.nodes, height = t->g.up.nodes;
    if (t->restricts && 2 * t->coarse.across.nodes > width)
        width = 2 * t->coarse.across.nodes;
    if (t->restricts && 2 * t->coarse.up.nodes > height)
        height = 2 * t->coarse.up.nodes;
    return dim3(blocks_in(width, t->across), blocks_in(height, t->up));
}

template <typename T> task<T> task_on(const cycle &c, int k, bool corrects, int steps)
{
    task<T> t = {};
    t.g = c.grids->grid[k];
    t.coarse = c.grids->grid[k + 1];
    t.corrects = corrects;
    t.steps = steps;
    for (int step = 0; step < steps; step++)
        t.weight[step] = (T)(c.grids->weight[step] / t.g.radius);
    return t;
}

template <typename T> void run(const cycle &c, task<T> t)
{
    const dim3 block(ACROSS, THREADS_UP);
    dim3 tiles = cut(&t, HIGH<T>);
    if ((int)(tiles.x * tiles.y) >= c.l->cuda->multiprocessors) {
        sweep<HIGH<T>><<<tiles, block, 0, stream_of(c.l)>>>(t);
    } else {
        tiles = cut(&t, LOW);
        sweep<LOW><<<tiles, block, 0, stream_of(c.l)>>>(t);
    }
}

template <typename T> void take_small_grids(const cycle &c, bool full)
{
    const struct qp_multigrid_cuda *m = c.grids;
    const small_task s = {m->table,
                          m->inverse,
                          c.small,
                          m->grids,
                          m->steps,
                          full,
                          {m->weight[0], m->weight[1], m->weight[2]}};
    small<T><<<1, SMALL_THREADS, 0, stream_of(c.l)>>>(s);
}

/* A cycle on grid k from x, NULL being 0, after a correction by the coarser grid if `corrects`. */
template <typename T>
void take(const cycle &c, int k, const T *x, bool corrects, void *out, int pitch)
{
    const grid &g = c.grids->grid[k];
    if (k >= c.small) {
        take_small_grids<T>(c, false);
        return;
    }
    task<T> down = task_on<T>(c, k, corrects, c.grids->steps);
    down.from = x;
    down.from_pitch = pitch;
    down.restricts = true;
    down.to = g.smooth;
    down.to_pitch = g.pitch;
    run(c, down);
    take<T>(c, k + 1, nullptr, false, (&g)[1].x, (&g)[1].pitch);
    task<T> up = task_on<T>(c, k, true, c.grids->steps);
    up.from = (const T *)g.smooth;
    up.from_pitch = g.pitch;
    up.to = out;
    up.to_pitch = pitch;
    up.start = k == 0 ? c.start : nullptr;
    up.factor = 1.0 / c.grids->scale;
    run(c, up);
}

template <typename T> void take_full(const cycle &c, int k, const T *x, void *out, int pitch)
{
    const grid &g = c.grids->grid[k];
    if (k >= c.small) {
        take_small_grids<T>(c, true);
        return;
    }
    task<T> down = task_on<T>(c, k, false, 0);
    down.from = x;
    down.from_pitch = pitch;
    down.restricts = true;
    run(c, down);
    take_full<T>(c, k + 1, nullptr, (&g)[1].x, (&g)[1].pitch);
    take<T>(c, k, x, true, out, pitch);
}

/* The scaled residual of x in double, rounded. */
__global__ void refine(const grid g, const double *a, const double *b, double scale,
                       const double *x, int pitch)
{
    const int width = g.across.nodes;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= g.up.nodes)
        return;
    const double *at = a + (size_t)g.row[row] * BANDS * width + column;
    const double sum = product(at, width, x + (long)row * pitch + column, pitch);
    ((float *)g.b)[(long)row * g.pitch + column] =
        (float)(scale * (b[(size_t)row * width + column] - sum));
}

/* The scaled residual in double becomes the right-hand side of a cycle in float. */
void find_residual(const struct qp_launch *l, const struct qp_multigrid_cuda *m)
{
    const grid &g = m->grid[0];
    const dim3 block(32, 8), blocks(blocks_in(g.across.nodes, 32), blocks_in(g.up.nodes, 8));
    refine<<<blocks, block, 0, stream_of(l)>>>(g, m->fine, m->right, m->scale, (const double *)l->x,
                                               l->pitch);
}

template <typename T> enum qp_status launch(struct qp_launch *l)
{
    const struct qp_multigrid_cuda *m = (const struct qp_multigrid_cuda *)l->own;
    cycle c = {l, m, 1, m->refined ? (const double *)l->x : nullptr};
    while (c.small < m->grids - 1 &&
           (m->grid[c.small].across.nodes > SMALL || m->grid[c.small].up.nodes > SMALL))
        c.small++;
    const T *x = m->refined ? nullptr : (const T *)l->x;
    if (m->refined)
        find_residual(l, m);
    if (m->grids == 1)
        solve_alone<T><<<1, m->grid[0].across.nodes * m->grid[0].up.nodes, 0, stream_of(l)>>>(
            m->grid[0], m->inverse, c.start, 1.0 / m->scale, l->out, l->pitch);
    else if (m->full)
        take_full<T>(c, 0, x, l->out, l->pitch);
    else
        take<T>(c, 0, x, false, l->out, l->pitch);
    return qp_cuda_check_launch("a multigrid cycle");
}

template <typename T> enum qp_status prepare(struct qp_launch *l)
{
    struct qp_multigrid_cuda *m =
        (struct qp_multigrid_cuda *)(l->own = qp_alloc_zero(1, sizeof *m, "a plan's grids"));
    return m == nullptr ? QP_NO_MEMORY
                        : qp_multigrid_cuda_make((struct qp_cuda *)l->cuda, l->problem, l->user,
                                                 sizeof(T) == sizeof(double), m);
}

void release(struct qp_launch *l)
{
    struct qp_multigrid_cuda *m = (struct qp_multigrid_cuda *)l->own;
    if (m != nullptr)
        qp_multigrid_cuda_free((struct qp_cuda *)l->cuda, m);
    free(m);
    l->own = nullptr;
}

} // namespace

const struct qp_cuda_kernel qp_kernel_multigrid_float = {
    .launch = launch<float>, .prepare = prepare<float>, .release = release};
const struct qp_cuda_kernel qp_kernel_multigrid_double = {
    .launch = launch<double>, .prepare = prepare<double>, .release = release};
