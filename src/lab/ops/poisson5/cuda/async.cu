/* SPDX-License-Identifier: MIT */
/* Asynchronous kernels of paper 5, chapter V, figures 17 to 20. A launch takes alpha + 1 steps of
 * blocks of 64 x UP unknowns by 64 threads, each of which has a column; all but the last step stay
 * in shared memory.
 *
 * Choices that the figures leave open:
 * - Fringes that blocks exchange within a launch are in the grid that it reads, around each block
 *   the outermost ring of its unknowns. There a neighbour finds the newest values there are; in the
 *   other grid it would find those of the launch before last until the block beside it has begun.
 *   The results go into the other grid, and the grids are swapped, as the host's loop in figure 17
 *   says.
 * - Left and right fringes are moved by a thread a row, as in figure 6, rows by a thread a column.
 * - Async 1 copies into B2, beside the fringe, the columns left and right: the thread that moves
 *   one may be ahead of the one that computes it, and must find a value of before, not whatever
 *   shared memory held.
 * - The host's loop waits for the device after each launch; here launches queue up, as all steps do
 *   (ladder.cu).
 *
 * A block is fetched once, into registers, from where it goes to B1 and B2: at most 11 words a
 * thread at 64 x 8, by 12 loads. These do not wait for each other: no volatile store is between
 * them. Loads of the grid are volatile, past the first-level cache, which does not see what other
 * multiprocessors write. */
#include "lab/engines/launch.cuh"
#include "lab/ops/poisson5/async.h"
#include "lab/ops/poisson5/cuda/kernels.h"
#include "lab/ops/poisson5/spike.h"

namespace
{

constexpr int ACROSS = QP_ASYNC_ACROSS;

/* Arguments of a launch. */
struct task {
    volatile float *x;
    float *out;
    const float *rhs; /* NULL: h^2 f is 1 at the spike and else 0 */
    int width, height, pitch, rhs_pitch, alpha, spike_x, spike_y;
    float weight;
};

/* A block in shared memory, with its fringe. T is volatile float in async3, where threads read
 * values that others write without a barrier between. */
template <int UP, typename T> struct grid {
    T at[UP + 2][ACROSS + 2];
};

/* Facts that a thread keeps about its block, and h^2 f of its column. */
template <int UP> struct block {
    volatile float *x;        /* its first cell in the grid */
    int t, pitch, across, up; /* this thread; cells that lie in the domain */
    float weight, side[UP];
};

template <int UP> __device__ block<UP> block_of(const task &k, int x0, int y0)
{
    block<UP> b = {
        k.x + (long)y0 * k.pitch + x0, (int)threadIdx.x, k.pitch, min(ACROSS, k.width - x0),
        min(UP, k.height - y0),        k.weight,         {}};
    const int i = x0 + b.t;
#pragma unroll
    for (int j = 0; j < UP; j++) {
        const bool inside = b.t < b.across && j < b.up;
        if (k.rhs != nullptr)
            b.side[j] = inside ? k.rhs[(long)(y0 + j) * k.rhs_pitch + i] : 0.0f;
        else
            b.side[j] = inside && i == k.spike_x && y0 + j == k.spike_y ? 1.0f : 0.0f;
    }
    return b;
}

/* A thread's column of unknowns, in registers, until all its loads are under way. */
template <int UP> struct column {
    float at[UP];
};

template <int UP> __device__ column<UP> fetch_unknowns(const block<UP> &b)
{
    column<UP> c = {};
#pragma unroll
    for (int j = 0; j < UP; j++) {
        if (b.t < b.across && j < b.up)
            c.at[j] = b.x[(long)j * b.pitch + b.t];
    }
    return c;
}

template <int UP, typename T>
__device__ void put(const block<UP> &b, const column<UP> &c, grid<UP, T> &to)
{
#pragma unroll
    for (int j = 0; j < UP; j++) {
        if (b.t < b.across && j < b.up)
            to.at[j + 1][b.t + 1] = c.at[j];
    }
}

/* A thread's share of a ring around unknowns: some of the rows below and above, and of the column
 * left or right. */
struct ring {
    float below, above, beside;
};

/* The fringe from device memory: the values of the blocks around, or the rim. */
template <int UP> __device__ ring fetch_fringe(const block<UP> &b)
{
    const int left = b.t, right = b.t - UP;
    ring r = {};
    if (b.t < b.across) {
        r.below = b.x[b.t - b.pitch];
        r.above = b.x[(long)b.up * b.pitch + b.t];
    }
    if (left < b.up)
        r.beside = b.x[(long)left * b.pitch - 1];
    else if (right >= 0 && right < b.up)
        r.beside = b.x[(long)right * b.pitch + b.across];
    return r;
}

template <int UP, typename T>
__device__ void put(const block<UP> &b, const ring &r, grid<UP, T> &to)
{
    const int left = b.t, right = b.t - UP;
    if (b.t < b.across) {
        to.at[0][b.t + 1] = r.below;
        to.at[b.up + 1][b.t + 1] = r.above;
    }
    if (left < b.up)
        to.at[left + 1][0] = r.beside;
    else if (right >= 0 && right < b.up)
        to.at[right + 1][b.across + 1] = r.beside;
}

/* The penultimate fringe, the outermost ring of unknowns, to device memory. Columns left and right
 * are another thread's, which may write them now: they are read anew, as they are. */
template <int UP, typename T>
__device__ void write_penultimate(const block<UP> &b, const grid<UP, T> &from)
{
    const int left = b.t, right = b.t - UP;
    const bool is_left = left < b.up, is_right = right >= 0 && right < b.up;
    const volatile T &moved = from.at[(is_right ? right : left) + 1][is_right ? b.across : 1];
    const ring r = {from.at[1][b.t + 1], from.at[b.up][b.t + 1],
                    is_left || is_right ? moved : 0.0f};
    if (b.t < b.across) {
        b.x[b.t] = r.below;
        b.x[(long)(b.up - 1) * b.pitch + b.t] = r.above;
    }
    if (is_left)
        b.x[(long)left * b.pitch] = r.beside;
    else if (is_right)
        b.x[(long)right * b.pitch + b.across - 1] = r.beside;
}

/* A Jacobi step of an unknown, in poisson5.c's order of sums, nothing contracted. */
__device__ float stepped(float across, float up, float side, float old, float weight)
{
    const float mean = (across + up + side) * 0.25f;
    return weight == 1.0f ? mean : __fadd_rn(old, __fmul_rn(weight, __fsub_rn(mean, old)));
}

/* A step of rows `first` to `first` + ROWS - 1 of the thread's column: all words are loaded, and
 * then computed. With NEWEST a row finds the new value of the one below it. */
template <bool NEWEST, int ROWS, int UP, typename T>
__device__ void relax_rows(const block<UP> &b, const grid<UP, T> &from, int first,
                           float (&next)[ROWS])
{
    float left[ROWS], right[ROWS], own[ROWS + 2];
#pragma unroll
    for (int j = 0; j < ROWS + 2; j++)
        own[j] = from.at[first + j][b.t + 1];
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        left[j] = from.at[first + j + 1][b.t];
        right[j] = from.at[first + j + 1][b.t + 2];
    }
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        const float below = NEWEST && j > 0 ? next[j > 0 ? j - 1 : 0] : own[j];
        next[j] = stepped(left[j] + right[j], below + own[j + 2], b.side[first + j], own[j + 1],
                          b.weight);
    }
}

/* Writes a step of the thread's column, from its first cell on, at a distance of `pitch` from row
 * to row. */
template <bool NEWEST, int UP, typename T, typename OUT>
__device__ void step(const block<UP> &b, const grid<UP, T> &from, OUT *to, int pitch)
{
    constexpr int ROWS = UP < 8 ? UP : 8;
    float next[ROWS];
    if (b.t >= b.across)
        return;
#pragma unroll
    for (int first = 0; first < UP; first += ROWS) {
        relax_rows<NEWEST>(b, from, first, next);
#pragma unroll
        for (int j = 0; j < ROWS; j++) {
            if (first + j < b.up)
                to[(long)(first + j) * pitch] = next[j];
        }
    }
}

template <int UP, typename T>
__device__ void compute(const block<UP> &b, const grid<UP, T> &from, grid<UP, T> &to)
{
    step<false>(b, from, &to.at[1][b.t + 1], ACROSS + 2);
}

/* A step in place: a row finds the new values of the one below it, as in Gauss-Seidel. */
template <int UP, typename T>
__device__ void compute_in_place(const block<UP> &b, grid<UP, T> &only)
{
    step<true>(b, only, &only.at[1][b.t + 1], ACROSS + 2);
}

/* The last step, whose results go to device memory. */
template <int UP, typename T>
__device__ void finish(const block<UP> &b, const grid<UP, T> &from, float *out)
{
    step<false>(b, from, out + b.t, b.pitch);
}

/* Figure 17: from device memory to B1, and of that the fringe to B2, too. */
template <int UP> __device__ void async0(const block<UP> &b, int alpha, float *out)
{
    __shared__ grid<UP, float> b1, b2;
    const column<UP> c = fetch_unknowns(b);
    const ring fringe = fetch_fringe(b);
    put(b, c, b1);
    put(b, fringe, b1);
    put(b, fringe, b2);
    __syncthreads();
    for (int v = 0; v < alpha / 2; v++) {
        compute(b, b1, b2);
        __syncthreads();
        write_penultimate(b, b2);
        __syncthreads();
        put(b, fetch_fringe(b), b2);
        __syncthreads();
        compute(b, b2, b1);
        __syncthreads();
        write_penultimate(b, b1);
        __syncthreads();
        put(b, fetch_fringe(b), b1);
        __syncthreads();
    }
    finish(b, b1, out);
}

/* Figure 18: 4 barriers of the 6 are gone. Between two of them nobody writes the block that is
 * computed from. B2 gets the columns that other threads move, too. */
template <int UP> __device__ void async1(const block<UP> &b, int alpha, float *out)
{
    __shared__ grid<UP, float> b1, b2;
    const column<UP> c = fetch_unknowns(b);
    const ring fringe = fetch_fringe(b);
    put(b, c, b1);
    put(b, fringe, b1);
    if (b.t == 0 || b.t == b.across - 1)
        put(b, c, b2);
    put(b, fringe, b2);
    __syncthreads();
    for (int v = 0; v < alpha / 2; v++) {
        compute(b, b1, b2);
        write_penultimate(b, b2);
        put(b, fetch_fringe(b), b2);
        __syncthreads();
        compute(b, b2, b1);
        write_penultimate(b, b1);
        put(b, fetch_fringe(b), b1);
        __syncthreads();
    }
    finish(b, b1, out);
}

/* Figure 19: no fringe is written or read within the launch. */
template <int UP> __device__ void async2(const block<UP> &b, int alpha, float *out)
{
    __shared__ grid<UP, float> b1, b2;
    const column<UP> c = fetch_unknowns(b);
    const ring fringe = fetch_fringe(b);
    put(b, c, b1);
    put(b, fringe, b1);
    put(b, fringe, b2);
    __syncthreads();
    for (int v = 0; v < alpha / 2; v++) {
        compute(b, b1, b2);
        __syncthreads();
        compute(b, b2, b1);
        __syncthreads();
    }
    finish(b, b1, out);
}

/* Figure 20: one block, and after it is there no barrier. Volatile: each step reads anew what
 * others have written by then, and writes before the next. */
template <int UP> __device__ void async3(const block<UP> &b, int alpha, float *out)
{
    __shared__ grid<UP, volatile float> only;
    const column<UP> c = fetch_unknowns(b);
    const ring fringe = fetch_fringe(b);
    put(b, c, only);
    put(b, fringe, only);
    __syncthreads();
    for (int v = 0; v < alpha; v++) {
        compute_in_place(b, only);
        write_penultimate(b, only);
        put(b, fetch_fringe(b), only);
    }
    finish(b, only, out);
}

template <int WHICH, int UP> __global__ void __launch_bounds__(ACROSS) async(task k)
{
    const int columns = (k.width + ACROSS - 1) / ACROSS;
    const int x0 = (int)(blockIdx.x % columns) * ACROSS, y0 = (int)(blockIdx.x / columns) * UP;
    const block<UP> b = block_of<UP>(k, x0, y0);
    float *const out = k.out + (long)y0 * k.pitch + x0;
    if (WHICH == 0)
        async0(b, k.alpha, out);
    else if (WHICH == 1)
        async1(b, k.alpha, out);
    else if (WHICH == 2)
        async2(b, k.alpha, out);
    else
        async3(b, k.alpha, out);
}

template <int WHICH, int UP>
enum qp_status start(const struct qp_launch *l, struct qp_launch_blocks *out)
{
    const int m = qp_poisson5_components(l->problem, UP);
    if (out != nullptr) {
        out->m = m;
        out->p = l->cuda->multiprocessors;
        out->threads = ACROSS;
        return qp_cuda_check(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&out->d, async<WHICH, UP>, ACROSS, 0),
            "tell how many blocks a multiprocessor holds");
    }
    task k = {(volatile float *)l->x, l->out,   l->input[0], l->width, l->height,       l->pitch,
              l->input_pitch[0],      l->alpha, 0,           0,        (float)l->weight};
    qp_poisson5_spike(l->problem, &k.spike_x, &k.spike_y);
    async<WHICH, UP><<<m, ACROSS, 0, stream_of(l)>>>(k);
    return qp_cuda_check_launch("async");
}

/* Launches once, or with `out` reports its blocks and threads. */
template <int WHICH> enum qp_status choose(const struct qp_launch *l, struct qp_launch_blocks *out)
{
    switch (l->block) {
    case 4:
        return start<WHICH, 4>(l, out);
    case 16:
        return start<WHICH, 16>(l, out);
    case 32:
        return start<WHICH, 32>(l, out);
    default:
        return start<WHICH, 8>(l, out);
    }
}

template <int WHICH> enum qp_status launch(struct qp_launch *l)
{
    return choose<WHICH>(l, nullptr);
}

template <int WHICH>
enum qp_status components(const struct qp_launch *l, struct qp_launch_blocks *out)
{
    return choose<WHICH>(l, out);
}

} // namespace

#define ASYNC(which)                                                                       \
    {                                                                                      \
        .launch = launch<which>, .components = components<which>, .overwrites = which != 2 \
    }

const struct qp_cuda_kernel qp_kernel_poisson5_async0 = ASYNC(0);
const struct qp_cuda_kernel qp_kernel_poisson5_async1 = ASYNC(1);
const struct qp_cuda_kernel qp_kernel_poisson5_async2 = ASYNC(2);
const struct qp_cuda_kernel qp_kernel_poisson5_async3 = ASYNC(3);
