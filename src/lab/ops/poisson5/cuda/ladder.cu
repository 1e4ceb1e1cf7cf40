/* SPDX-License-Identifier: MIT */
/* The ladder of paper 5, section 3.2, from shared memory on: blocks of 64 threads on 64 x 8
 * unknowns. Loops stay rolled up to the rung that unrolls them, or the compiler would do so by
 * itself on the first one.
 *
 * Choices that the thesis leaves open:
 * - `unrolled` unrolls what it names, the computation; that phase A is unrolled too, so that all
 *   its rows are under way at once, is what `tuned_sync` adds.
 * - Section 3.4 has "a 8 x 8 thread block" for 64 x 8 unknowns, 5.2 R threads for R x C. These are
 *   64 both times, and figure 6 numbers threads along a row: 8 x 8 of them in any other order would
 *   read 32 bytes of a row at once. But the block of 16 x 8 unknowns that took 1.7 times as long
 *   had 16 threads by 5.2, half a warp, and 64 if all had 8 x 8: `tuned_sync` takes it both ways,
 *   1608 and 641608.
 * - The thesis's loop waits for the device after each step ("(Implicit) sync CPU/GPU"), which a
 *   launch has not done since: here steps queue up, and the host waits once a run.
 *   `tuned_sync_waits` waits as the thesis does. */
#include "lab/ops/poisson5/cuda/tile.cuh"

namespace
{

using namespace poisson5;

constexpr int ROLLED = 1, ALL = 1024; /* rows at once; ALL: as many as there are */
using usual = tile<float, 64, 8>;

/* ---- Shared memory ---- */

/* Fringes by two more threads, one at either end of each row: the arrangement that the thesis
 * argues against. A row is read in one go, but it begins one value before the 256 bytes, and a
 * third warp has two threads, which leave before the computation. */
__global__ void __launch_bounds__(usual::ACROSS + 2) fringe_threads(step<float> s, int across)
{
    __shared__ usual tile;
    const corner c = corner_of<usual>(across);
    const int i = c.i + (int)threadIdx.x - 1;
#pragma unroll ROLLED
    for (int r = 0; r < usual::UP + 2; r++) {
        const int j = c.j + r - 1;
        if (i <= s.width && j <= s.height)
            tile.put(r, threadIdx.x, s.x[(long)j * s.pitch + i]);
    }
    __syncthreads();
    relax_tile<usual, ROLLED>(tile, s, c);
}

enum qp_status launch_fringe_threads(struct qp_launch *l)
{
    fringe_threads<<<blocks_of<usual>(l), usual::ACROSS + 2, 0, stream_of(l)>>>(
        step_of<float>(l), blocks_across<usual>(l));
    return qp_cuda_check_launch("fringe_threads");
}

enum qp_status tell_fringe_threads(const struct qp_launch *l, struct qp_launch_blocks *out)
{
    return tell_components(l, (const void *)fringe_threads, blocks_of<usual>(l), usual::ACROSS + 2,
                           out);
}

/* A single grid: blocks write where they have read, and others read their fringes there before or
 * after, whichever comes first. The second grid takes the last step, so that what came before it
 * can still be looked at. */
enum qp_status take_steps_in_place(struct qp_launch *l, int count)
{
    struct qp_launch step = *l;
    enum qp_status status = QP_OK;
    for (int k = 0; k < count && status == QP_OK; k++) {
        step.out = k + 1 < count ? (float *)l->x : l->out;
        step.weight = l->weights[k];
        status = launch_tiles<usual, ROLLED, ROLLED>(&step);
    }
    return status;
}

/* ---- Unrolling, and the whole ---- */

/* A kernel for each value of --block. */
struct form {
    int block;
    qp_launcher *launch;
    enum qp_status (*tell)(const struct qp_launch *l, struct qp_launch_blocks *out);
};

/* Kernels by the depth. */
template <int DEPTH>
constexpr form deep = {DEPTH, launch_tiles<usual, ROLLED, DEPTH>, tell_tiles<usual, ROLLED, DEPTH>};
constexpr form depths[] = {deep<8>, deep<4>, deep<2>, deep<1>};

/* Shapes by 100 times the unknowns across, which are the block's threads, and those up; with 10000
 * times the threads where these are more. */
template <int ACROSS, int UP, int THREADS = ACROSS>
constexpr form shape = {(THREADS > ACROSS ? 10000 * THREADS : 0) + 100 * ACROSS + UP,
                        launch_tiles<tile<float, ACROSS, UP, THREADS>, ALL, ALL>,
                        tell_tiles<tile<float, ACROSS, UP, THREADS>, ALL, ALL>};
constexpr form shapes[] = {shape<64, 8>, shape<16, 8>,  shape<16, 8, 64>,
                           shape<32, 8>, shape<128, 8>, shape<256, 8>,
                           shape<64, 4>, shape<64, 16>, shape<64, 32>};

/* The recipe lists the same blocks. */
template <int COUNT> const form &form_of(const form (&forms)[COUNT], const struct qp_launch *l)
{
    int k = 0;
    while (k + 1 < COUNT && forms[k].block != l->block)
        k++;
    return forms[k];
}

template <const auto &FORMS> enum qp_status launch_form(struct qp_launch *l)
{
    return form_of(FORMS, l).launch(l);
}

template <const auto &FORMS>
enum qp_status tell_form(const struct qp_launch *l, struct qp_launch_blocks *out)
{
    return form_of(FORMS, l).tell(l, out);
}

/* A launch by shape, after which the host waits for the device. */
enum qp_status launch_and_wait(struct qp_launch *l)
{
    const enum qp_status status = launch_form<shapes>(l);
    return status == QP_OK ? qp_cuda_check(cudaStreamSynchronize(stream_of(l)), "wait for a step")
                           : status;
}

/* ---- Prefetching ---- */

/* The words that figure 6 deals to a thread: its column, and one of the fringes left and right. */
struct held {
    float column[usual::UP + 2], fringe;
};

__device__ held fetch(const step<float> &s, corner c)
{
    constexpr int UP = usual::UP;
    const int t = threadIdx.x, i = c.i + t;
    const int beside = c.i + (t < UP ? -1 : usual::ACROSS), j = c.j + t % UP;
    held h;
#pragma unroll
    for (int r = 0; r < UP + 2; r++) {
        const int row = c.j + r - 1;
        h.column[r] = i <= s.width && row <= s.height ? s.x[(long)row * s.pitch + i] : 0.0f;
    }
    const bool is_there = t < 2 * UP && beside <= s.width && j < s.height;
    h.fringe = is_there ? s.x[(long)j * s.pitch + beside] : 0.0f;
    return h;
}

__device__ void put(usual &tile, const held &h)
{
    constexpr int UP = usual::UP;
    const int t = threadIdx.x;
#pragma unroll
    for (int r = 0; r < UP + 2; r++)
        tile.put(r, t + 1, h.column[r]);
    if (t < 2 * UP)
        tile.put(t % UP + 1, t < UP ? 0 : usual::ACROSS + 1, h.fringe);
}

constexpr int ABOVE = 4; /* blocks of unknowns that a thread block takes, one above the other */

/* The next block's words are fetched into registers while this one is computed from shared
 * memory. */
__global__ void __launch_bounds__(usual::ACROSS) prefetch(step<float> s, int across)
{
    __shared__ usual tile;
    corner c = corner_of<usual>(across);
    c.j *= ABOVE;
    held h = fetch(s, c);
    for (int k = 0; k < ABOVE && c.j < s.height; k++) {
        put(tile, h);
        __syncthreads();
        const corner next = {c.i, c.j + usual::UP};
        if (k + 1 < ABOVE && next.j < s.height)
            h = fetch(s, next);
        relax_tile<usual, ALL>(tile, s, c);
        __syncthreads(); /* before the next block's words */
        c = next;
    }
}

int groups_of(const struct qp_launch *l)
{
    return blocks_across<usual>(l) * blocks_in(l->height, usual::UP * ABOVE);
}

enum qp_status launch_prefetch(struct qp_launch *l)
{
    prefetch<<<groups_of(l), usual::ACROSS, 0, stream_of(l)>>>(step_of<float>(l),
                                                               blocks_across<usual>(l));
    return qp_cuda_check_launch("prefetch");
}

enum qp_status tell_prefetch(const struct qp_launch *l, struct qp_launch_blocks *out)
{
    return tell_components(l, (const void *)prefetch, groups_of(l), usual::ACROSS, out);
}

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_shared = tiles_kernel<usual, ROLLED, ROLLED>;
const struct qp_cuda_kernel qp_kernel_poisson5_shared_fringe_threads = {
    .launch = launch_fringe_threads, .by_rows = true, .components = tell_fringe_threads};
const struct qp_cuda_kernel qp_kernel_poisson5_shared_one_grid = {
    .launch = launch_tiles<usual, ROLLED, ROLLED>,
    .steps = take_steps_in_place,
    .components = tell_tiles<usual, ROLLED, ROLLED>};
const struct qp_cuda_kernel qp_kernel_poisson5_unrolled = {
    .launch = launch_form<depths>, .by_rows = true, .components = tell_form<depths>};
const struct qp_cuda_kernel qp_kernel_poisson5_tuned_sync = {
    .launch = launch_form<shapes>, .by_rows = true, .components = tell_form<shapes>};
const struct qp_cuda_kernel qp_kernel_poisson5_tuned_sync_waits = {.launch = launch_and_wait,
                                                                   .components = tell_form<shapes>};
const struct qp_cuda_kernel qp_kernel_poisson5_prefetch = {
    .launch = launch_prefetch, .by_rows = true, .components = tell_prefetch};
