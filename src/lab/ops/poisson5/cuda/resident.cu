/* SPDX-License-Identifier: MIT */
/* Ours: launches of tiles that stay on the chip (resident.cuh). */
#include "lab/ops/poisson5/cuda/resident.cuh"

#include "lab/engines/launch.cuh"
#include "lab/ops/poisson5/cuda/kernels.h"
#include "lab/ops/poisson5/spike.h"

namespace
{

using namespace poisson5;

/* A form of tiles: the lowest with which the multiprocessors cover the grid, which puts most of
 * them to work. */
struct fit {
    const void *kernel;
    int height; /* a tile's; 0: none fits */
    int bytes;  /* shared memory */
    dim3 tiles;
};

template <typename T, int ROWS, bool RED_BLACK> fit fit_of(const struct qp_launch *l)
{
    const bool array = l->input[0] != NULL;
    return {array ? (const void *)reside<T, ROWS, true, RED_BLACK>
                  : (const void *)reside<T, ROWS, false, RED_BLACK>,
            WARPS * ROWS,
            array ? residence_bytes<T, ROWS, true>() : residence_bytes<T, ROWS, false>(),
            dim3(blocks_in(l->width, TILE_USEFUL), blocks_in(l->height, WARPS * ROWS - 2 * HALO))};
}

bool fits(const struct qp_launch *l, const fit &f)
{
    return (double)f.tiles.x * f.tiles.y <= l->cuda->multiprocessors &&
           f.bytes <= l->cuda->shared_bytes;
}

template <typename T, bool RED_BLACK> fit choose(const struct qp_launch *l)
{
    fit f = fit_of<T, 2, RED_BLACK>(l);
    if (!fits(l, f))
        f = fit_of<T, 4, RED_BLACK>(l);
    if (!fits(l, f))
        f = fit_of<T, 6, RED_BLACK>(l);
    if (!fits(l, f))
        f = fit_of<T, 8, RED_BLACK>(l);
    if constexpr (sizeof(T) == sizeof(float)) { /* for which doubles leave no registers */
        if (!fits(l, f))
            f = fit_of<T, 12, RED_BLACK>(l);
        if (!fits(l, f))
            f = fit_of<T, 16, RED_BLACK>(l);
        if (!fits(l, f))
            f = fit_of<T, 24, RED_BLACK>(l);
    }
    return f;
}

/* ---- Scratch memory: the exchanged grids, the flags, the weights ---- */

constexpr int MOST_STEPS = 1024; /* as the engine asks for at most */

size_t shared_pitch(const struct qp_launch *l)
{
    return (size_t)blocks_in(l->width, CELLS) * CELLS;
}

template <typename T> size_t grids_bytes(const struct qp_launch *l)
{
    return blocks_in(2 * shared_pitch(l) * (size_t)l->height * sizeof(T), 256) * (size_t)256;
}

size_t flags_bytes(const fit &f)
{
    return blocks_in(f.tiles.x * f.tiles.y * sizeof(unsigned), 256) * (size_t)256;
}

template <typename T, bool RED_BLACK> double scratch_of(const struct qp_launch *l)
{
    const fit f = choose<T, RED_BLACK>(l);
    return (double)(grids_bytes<T>(l) + flags_bytes(f) + MOST_STEPS * sizeof(double));
}

/* ---- Launching ---- */

template <typename T, bool RED_BLACK> enum qp_status takes(struct qp_launch *l)
{
    const fit f = choose<T, RED_BLACK>(l);
    if (fits(l, f))
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "keeps %d x %d cells on a multiprocessor, of which this device has %d with %d "
                   "bytes of shared memory; %d x %d are too many",
                   TILE_USEFUL, f.height - 2 * HALO, l->cuda->multiprocessors,
                   l->cuda->shared_bytes, l->width, l->height);
}

template <typename T, bool RED_BLACK> enum qp_status prepare(struct qp_launch *l)
{
    const fit f = choose<T, RED_BLACK>(l);
    return allow_shared_bytes(f.kernel, f.bytes, cudaSharedmemCarveoutMaxShared);
}

/* Copies the steps' weights to the device, unless one is all of theirs. */
template <typename T>
enum qp_status set_weights(const struct qp_launch *l, int count, double *to, residence<T> *t)
{
    bool same = true;
    for (int k = 1; k < count; k++)
        same = same && l->weights[k] == l->weights[0];
    t->weight = l->weights[0];
    t->weights = same ? NULL : to;
    return same ? QP_OK
                : qp_cuda_check(cudaMemcpyAsync(to, l->weights, (size_t)count * sizeof(double),
                                                cudaMemcpyHostToDevice, stream_of(l)),
                                "copy the steps' weights");
}

template <typename T, bool RED_BLACK> enum qp_status go(struct qp_launch *l, int count)
{
    const fit f = choose<T, RED_BLACK>(l);
    char *scratch = (char *)l->scratch, *flags = scratch + grids_bytes<T>(l);
    residence<T> t = {.x = (const T *)l->x,
                      .rhs = (const T *)l->input[0],
                      .out = (T *)l->out,
                      .shared = (T *)scratch,
                      .flags = (unsigned *)flags,
                      .width = l->width,
                      .height = l->height,
                      .pitch = l->pitch,
                      .rhs_pitch = l->input_pitch[0],
                      .shared_pitch = (int)shared_pitch(l),
                      .steps = RED_BLACK ? 2 * count : count};
    qp_poisson5_spike(l->problem, &t.spike_x, &t.spike_y);
    const enum qp_status status = set_weights(l, count, (double *)(flags + flags_bytes(f)), &t);
    void *arguments[] = {&t};
    return status != QP_OK
               ? status
               : qp_cuda_check(cudaLaunchCooperativeKernel(f.kernel, f.tiles, dim3(TILE_THREADS),
                                                           arguments, f.bytes, stream_of(l)),
                               "launch a kernel for the whole grid");
}

/* Takes all flags down. */
template <typename T, bool RED_BLACK> enum qp_status start(struct qp_launch *l)
{
    const fit f = choose<T, RED_BLACK>(l);
    return qp_cuda_check(
        cudaMemsetAsync((char *)l->scratch + grids_bytes<T>(l), 0, flags_bytes(f), stream_of(l)),
        "take the flags down");
}

template <typename T, bool RED_BLACK> enum qp_status take_steps(struct qp_launch *l, int count)
{
    const size_t pitch = (size_t)l->pitch * sizeof(T), bytes = (size_t)l->width * sizeof(T);
    if (RED_BLACK || count == 1 || !l->changes)
        return go<T, RED_BLACK>(l, count);
    struct qp_launch last = *l;
    last.weights += count - 1;
    enum qp_status status = go<T, RED_BLACK>(l, count - 1);
    if (status == QP_OK)
        status = qp_cuda_check(cudaMemcpy2DAsync((void *)l->x, pitch, l->out, pitch, bytes,
                                                 (size_t)l->height, cudaMemcpyDeviceToDevice,
                                                 stream_of(l)),
                               "copy the iterate before the last");
    return status == QP_OK ? go<T, RED_BLACK>(&last, 1) : status;
}

template <typename T, bool RED_BLACK> enum qp_status launch(struct qp_launch *l)
{
    return go<T, RED_BLACK>(l, 1);
}

/* Jacobi's step, by which variants in red-black order measure. */
template <typename T> enum qp_status together(struct qp_launch *l)
{
    return (sizeof(T) == sizeof(float) ? qp_kernel_poisson5_sweep : qp_kernel_poisson5_sweep_double)
        .launch(l);
}

} // namespace

#define RESIDES(T, RED_BLACK)                                                                     \
    .launch = launch<T, RED_BLACK>, .scratch = scratch_of<T, RED_BLACK>,                          \
    .takes = takes<T, RED_BLACK>, .prepare = prepare<T, RED_BLACK>, .start = start<T, RED_BLACK>, \
    .steps = take_steps<T, RED_BLACK>

const struct qp_cuda_kernel qp_kernel_poisson5_resident = {RESIDES(float, false)};
const struct qp_cuda_kernel qp_kernel_poisson5_resident_double = {RESIDES(double, false)};
const struct qp_cuda_kernel qp_kernel_poisson5_red_black_resident = {RESIDES(float, true),
                                                                     .together = together<float>};
const struct qp_cuda_kernel qp_kernel_poisson5_red_black_resident_double = {
    RESIDES(double, true), .together = together<double>};
