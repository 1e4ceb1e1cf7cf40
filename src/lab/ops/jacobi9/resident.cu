/* SPDX-License-Identifier: MIT */
/* Ours: the domain stays on the chip. Registers and shared memory of an H100 hold 65 MB, so that a
 * grid of 1024 x 1024 fits with all its bands: they are read once for many steps, and between steps
 * only the rims of tiles are exchanged (a halo exchange).
 *
 * The grid is cut into tiles of 128 cells across, one for each multiprocessor at most; the launch
 * is cooperative, for all tiles must be there at once. A warp has ROWS rows of its tile, a lane
 * four cells of each: x in registers, as much of the bands as fits there, and STAGED bands in
 * shared memory.
 *
 * Tiles do not meet at a barrier. Each writes its edge cells into its mailbox (an array in global
 * memory), every cell as a letter: the value and the number of the step in one word of 8 bytes,
 * which is written and read whole, so a reader that finds the number has the value. There are two
 * mailboxes, for odd and even steps. A tile writes step k + 2 over step k only when it has the rims
 * of step k + 1 from all its neighbours, which wrote them after they had read step k. */
#include "lab/ops/jacobi9/kernels.cuh"

namespace
{

using namespace jacobi9;

constexpr int LANES = 32, CELLS = 4, ACROSS = LANES * CELLS; /* cells of a warp's row */
constexpr int WARPS = 16; /* warps of a tile, one above the other */
constexpr int BLOCK = LANES * WARPS;
/* Lines of x in shared memory: every warp's lowest and highest, and the neighbours' below and
 * above. */
constexpr int LINES = 2 * WARPS + 2;

/* Bands, in the order in which they are staged: the last ones are those that the tile's first and
 * last columns need late. The recipe's inputs are LL, LD, LU, DL, DU, UL, UD, UU and b, over DD. */
enum band { R_LD, R_UD, R_B, R_DL, R_DU, R_LL, R_LU, R_UL, R_UU, BANDS };
constexpr int input[BANDS] = {1, 6, 8, 3, 4, 0, 2, 5, 7};

typedef unsigned long long letter; /* a cell's value and the number of its step */

struct task {
    const float *band[BANDS];
    float *x; /* with several steps it becomes the iterate before the last */
    float *out;
    letter *mail;
    float weight;
    int nx, ny, pitch, steps;
};

template <int ROWS> struct tile {
    static constexpr int height = ROWS * WARPS;
    static constexpr int rim = 2 * (ACROSS + 2) + 2 * height;            /* cells around it */
    static constexpr int letters = 2 * ACROSS + 2 * height;              /* cells at its edges */
    static constexpr int floats = 2 * LINES * ACROSS + 4 * (height + 2); /* lines, sides */
};

__device__ void post(letter *box, float value, int step)
{
    const letter l = (letter)step << 32 | __float_as_uint(value);
    asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(box), "l"(l) : "memory");
}

__device__ float wait_for(const letter *box, int step)
{
    letter l;
    do
        asm volatile("ld.relaxed.gpu.global.b64 %0, [%1];" : "=l"(l) : "l"(box) : "memory");
    while ((int)(l >> 32) != step);
    return __uint_as_float((unsigned)l);
}

__device__ float &part(float4 &four, int k)
{
    return (&four.x)[k];
}

/* A lane's four cells and their neighbours in the lanes beside it; beyond the warp the value is
 * `edge`. */
struct row {
    float x[CELLS + 2];
};

__device__ row widen(float4 four, float edge)
{
    const int lane = threadIdx.x % LANES;
    float left = __shfl_up_sync(~0u, four.w, 1), right = __shfl_down_sync(~0u, four.x, 1);
    return {lane == 0 ? edge : left,         four.x, four.y, four.z, four.w,
            lane == LANES - 1 ? edge : right};
}

/* sum += a x, four cells at once; the neighbours begin at x[first]. */
__device__ void add(float4 &sum, float4 a, const row &x, int first)
{
    sum.x = fmaf(a.x, x.x[first], sum.x);
    sum.y = fmaf(a.y, x.x[first + 1], sum.y);
    sum.z = fmaf(a.z, x.x[first + 2], sum.z);
    sum.w = fmaf(a.w, x.x[first + 3], sum.w);
}

/* Data of a lane (thread of a warp). Bands are scaled by -w and b by w, so that a step is only
 * additions of products. */
template <int ROWS, int STAGED> struct holding {
    float4 x[ROWS], held[BANDS - STAGED][ROWS];
    float4 *staged; /* [STAGED][ROWS][BLOCK], from this lane's on */

    __device__ float4 band(int b, int r) const
    {
        return b < STAGED ? staged[(b * ROWS + r) * BLOCK] : held[b < STAGED ? 0 : b - STAGED][r];
    }
};

/* Four cells of a row, zeros where it has ended. */
__device__ float4 read_cells(const float *row, int cells, float factor)
{
    float4 four;
    for (int k = 0; k < CELLS; k++)
        part(four, k) = k < cells ? row[k] * factor : 0.0f;
    return four;
}

__device__ void write_cells(float *row, int cells, float4 four)
{
    for (int k = 0; k < CELLS; k++) {
        if (k < cells)
            row[k] = part(four, k);
    }
}

/* ---- The rim ---- */

/* Errand: the cell that a thread receives in every step, from a letter of a neighbour's mailbox
 * into a place of shared memory. */
struct errand {
    const letter *from;
    float *to;
    int other; /* from the place of even steps to that of odd ones; 0: no errand */
};

/* Lines and sides of x in shared memory, of even and of odd steps. */
template <int ROWS> struct shelf {
    float *lines, *sides;

    __device__ float *line(int odd, int k) const
    {
        return lines + (odd * LINES + k) * ACROSS;
    }

    /* The column beside the tile, from row -1 on. */
    __device__ float *side(int odd, int right) const
    {
        return sides + (odd * 2 + right) * (tile<ROWS>::height + 2) + 1;
    }
};

/* The rim's cells, one a thread: the rows below and above with their corners, then the columns.
 * Outside the domain they are 0 for good. */
template <int ROWS> __device__ errand find_errand(const task &t, const shelf<ROWS> &s)
{
    using T = tile<ROWS>;
    const int k = threadIdx.x, beside = k - 2 * (ACROSS + 2);
    if (k >= T::rim)
        return {};
    const int x = beside < 0 ? k % (ACROSS + 2) - 1 : beside < T::height ? -1 : ACROSS;
    const int y = beside >= 0 ? beside % T::height : k < ACROSS + 2 ? -1 : T::height;
    const int dx = x < 0 ? -1 : x >= ACROSS, dy = y < 0 ? -1 : y >= T::height;
    const int column = x - dx * ACROSS, line = y - dy * T::height;
    errand e;
    e.to = dx != 0 ? s.side(0, dx > 0) + y : s.line(0, dy < 0 ? 0 : LINES - 1) + x;
    e.other = dx != 0 ? (int)(s.side(1, 0) - s.side(0, 0)) : (int)(s.line(1, 0) - s.line(0, 0));
    const int gx = blockIdx.x * ACROSS + x, gy = blockIdx.y * T::height + y;
    if (gx < 0 || gx >= t.nx || gy < 0 || gy >= t.ny) {
        e.to[0] = e.to[e.other] = 0.0f;
        return {};
    }
    const int from = (blockIdx.y + dy) * gridDim.x + blockIdx.x + dx;
    e.from = t.mail + (size_t)from * T::letters;
    if (dy != 0)
        e.from += (dy < 0 ? ACROSS : 0) + column % CELLS * LANES + column / CELLS;
    else
        e.from += 2 * ACROSS + (dx < 0 ? T::height : 0) + line;
    return e;
}

/* The tile's lowest and highest row (first cells of all lanes, then second ones, so that a warp
 * writes side by side), its first and its last column. */
template <int ROWS> __device__ void post_edges(const float4 *x, letter *mine, int step)
{
    using T = tile<ROWS>;
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    for (int k = 0; k < CELLS; k++) {
        float4 low = x[0], high = x[ROWS - 1];
        if (warp == 0)
            post(mine + k * LANES + lane, part(low, k), step);
        if (warp == WARPS - 1)
            post(mine + ACROSS + k * LANES + lane, part(high, k), step);
    }
    letter *column = mine + 2 * ACROSS + (lane == 0 ? 0 : T::height) + warp * ROWS;
    if (lane == 0 || lane == LANES - 1) {
        for (int r = 0; r < ROWS; r++)
            post(column + r, lane == 0 ? x[r].x : x[r].w, step);
    }
}

/* ---- A step, in two parts ---- */

/* Adds all products that need only this warp's own cells, while the rims are on their way. */
template <int ROWS, int STAGED> __device__ void add_own(holding<ROWS, STAGED> &h, float keep)
{
    row below, here = widen(h.x[0], 0.0f), above;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        if (r + 1 < ROWS)
            above = widen(h.x[r + 1 < ROWS ? r + 1 : 0], 0.0f);
        float4 sum = h.band(R_B, r);
        add(sum, {keep, keep, keep, keep}, here, 1);
        add(sum, h.band(R_DL, r), here, 0);
        add(sum, h.band(R_DU, r), here, 2);
        if (r > 0) {
            add(sum, h.band(R_LL, r), below, 0);
            add(sum, h.band(R_LD, r), below, 1);
            add(sum, h.band(R_LU, r), below, 2);
        }
        if (r + 1 < ROWS) {
            add(sum, h.band(R_UL, r), above, 0);
            add(sum, h.band(R_UD, r), above, 1);
            add(sum, h.band(R_UU, r), above, 2);
        }
        h.x[r] = sum;
        below = here;
        here = above;
    }
}

/* Adds the other products: the rows below and above, and the columns beside the tile for its first
 * and last lane. */
template <int ROWS, int STAGED>
__device__ void add_others(holding<ROWS, STAGED> &h, float4 low, float4 high, const float *side)
{
    const int lane = threadIdx.x % LANES, top = ROWS - 1;
    const row below = widen(low, side[-1]), above = widen(high, side[ROWS]);
    add(h.x[0], h.band(R_LL, 0), below, 0);
    add(h.x[0], h.band(R_LD, 0), below, 1);
    add(h.x[0], h.band(R_LU, 0), below, 2);
    add(h.x[top], h.band(R_UL, top), above, 0);
    add(h.x[top], h.band(R_UD, top), above, 1);
    add(h.x[top], h.band(R_UU, top), above, 2);
    if (lane != 0 && lane != LANES - 1)
        return;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        float sum = side[r] * (lane == 0 ? h.band(R_DL, r).x : h.band(R_DU, r).w);
        if (r > 0)
            sum += side[r - 1] * (lane == 0 ? h.band(R_LL, r).x : h.band(R_LU, r).w);
        if (r < top)
            sum += side[r + 1] * (lane == 0 ? h.band(R_UL, r).x : h.band(R_UU, r).w);
        (lane == 0 ? h.x[r].x : h.x[r].w) += sum;
    }
}

template <int ROWS, int STAGED> __global__ void __launch_bounds__(BLOCK, 1) reside(const task t)
{
    using T = tile<ROWS>;
    extern __shared__ float4 memory[];
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, y0 = warp * ROWS;
    const int column = blockIdx.x * ACROSS + lane * CELLS, line = blockIdx.y * T::height + y0;
    holding<ROWS, STAGED> h;
    h.staged = memory + threadIdx.x;
    shelf<ROWS> s;
    s.lines = (float *)(memory + STAGED * ROWS * BLOCK);
    s.sides = s.lines + 2 * LINES * ACROSS;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int cells = line + r < t.ny ? t.nx - column : 0, i = (line + r) * t.pitch + column;
        h.x[r] = read_cells(t.x + i, cells, 1.0f);
#pragma unroll
        for (int b = 0; b < BANDS; b++) {
            float4 four = read_cells(t.band[b] + i, cells, b == R_B ? t.weight : -t.weight);
            (b < STAGED ? h.staged[(b * ROWS + r) * BLOCK]
                        : h.held[b < STAGED ? 0 : b - STAGED][r]) = four;
        }
    }
    const errand e = find_errand(t, s);
    const size_t letters = (size_t)gridDim.x * gridDim.y * T::letters;
    letter *mine = t.mail + (size_t)(blockIdx.y * gridDim.x + blockIdx.x) * T::letters;
    for (int step = 1; step <= t.steps; step++) {
        const int odd = step % 2;
        post_edges<ROWS>(h.x, mine + odd * letters, step);
        *(float4 *)(s.line(odd, 2 * warp + 1) + lane * CELLS) = h.x[0];
        *(float4 *)(s.line(odd, 2 * warp + 2) + lane * CELLS) = h.x[ROWS - 1];
        if (step == t.steps && t.steps > 1) {
            for (int r = 0; r < ROWS; r++)
                write_cells(t.x + (line + r) * t.pitch + column,
                            line + r < t.ny ? t.nx - column : 0, h.x[r]);
        }
        add_own(h, 1.0f - t.weight);
        if (e.other != 0)
            e.to[odd * e.other] = wait_for(e.from + odd * letters, step);
        __syncthreads();
        add_others(h, *(const float4 *)(s.line(odd, 2 * warp) + lane * CELLS),
                   *(const float4 *)(s.line(odd, 2 * warp + 3) + lane * CELLS),
                   s.side(odd, lane == LANES - 1) + y0);
    }
    for (int r = 0; r < ROWS; r++)
        write_cells(t.out + (line + r) * t.pitch + column, line + r < t.ny ? t.nx - column : 0,
                    h.x[r]);
}

/* ---- Launching ---- */

/* The chosen form of tiles: the lowest with which the multiprocessors cover the grid, which puts
 * most of them to work. */
struct fit {
    const void *kernel;
    int height, letters, shared_bytes;
    dim3 tiles;
};

template <int ROWS, int STAGED> fit make_fit(const struct qp_launch *l)
{
    using T = tile<ROWS>;
    return {(const void *)reside<ROWS, STAGED>, T::height, T::letters,
            (int)(STAGED * ROWS * BLOCK * sizeof(float4) + T::floats * sizeof(float)),
            dim3(blocks_in(l->width, ACROSS), blocks_in(l->height, T::height))};
}

bool fits(const struct qp_launch *l, const fit &f)
{
    return (double)f.tiles.x * f.tiles.y <= l->cuda->multiprocessors &&
           f.shared_bytes <= l->cuda->shared_bytes;
}

fit choose(const struct qp_launch *l)
{
    fit f = make_fit<1, 0>(l);
    if (!fits(l, f))
        f = make_fit<2, 0>(l);
    if (!fits(l, f))
        f = make_fit<4, 4>(l);
    return f;
}

size_t mail_bytes(const fit &f)
{
    return 2 * sizeof(letter) * f.letters * f.tiles.x * f.tiles.y;
}

double scratch_of(const struct qp_launch *l)
{
    const fit f = choose(l);
    return fits(l, f) ? (double)mail_bytes(f) : 0.0;
}

enum qp_status prepare(struct qp_launch *l)
{
    const fit f = choose(l);
    if (!fits(l, f))
        return qp_fail(
            QP_UNSUPPORTED,
            "keeps %d x %d cells on a multiprocessor, of which this device has %d with %d "
            "bytes of shared memory; %d x %d are too many",
            ACROSS, f.height, l->cuda->multiprocessors, l->cuda->shared_bytes, l->width, l->height);
    return qp_cuda_check(
        cudaFuncSetAttribute(f.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, f.shared_bytes),
        "give a block so much shared memory");
}

enum qp_status take_steps(struct qp_launch *l, int count)
{
    const fit f = choose(l);
    struct task t = {.x = (float *)l->x,
                     .out = l->out,
                     .mail = (letter *)l->scratch,
                     .weight = (float)l->weight,
                     .nx = l->width,
                     .ny = l->height,
                     .pitch = l->pitch,
                     .steps = count};
    for (int b = 0; b < BANDS; b++)
        t.band[b] = l->input[input[b]];
    void *arguments[] = {&t};
    enum qp_status status = qp_cuda_check(
        cudaMemsetAsync(l->scratch, 0, mail_bytes(f), stream_of(l)), "empty the mailboxes");
    if (status == QP_OK)
        status = qp_cuda_check(cudaLaunchCooperativeKernel(f.kernel, f.tiles, dim3(BLOCK),
                                                           arguments, f.shared_bytes, stream_of(l)),
                               "launch a kernel for the whole grid");
    return status;
}

enum qp_status launch(struct qp_launch *l)
{
    return take_steps(l, 1);
}

} // namespace

const struct qp_cuda_kernel qp_kernel_jacobi9_resident = {
    .launch = launch, .scratch = scratch_of, .prepare = prepare, .steps = take_steps};
