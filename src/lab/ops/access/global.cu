/* SPDX-License-Identifier: MIT */
/* Access to global memory: thread i copies a cell to cell i, and the kind says which cell. Arrays
 * are flat, their first cell at a multiple of 256 bytes. */
#include "lab/ops/access/access.cuh"
#include "lab/ops/access/indices.h"

namespace
{

/* Ways to load a value: through L1 and L2; through L2 alone; through the read-only cache, which was
 * the textures' own from Kepler to Pascal and is L1 again since Volta. */
enum load { THROUGH_L1, THROUGH_L2, READ_ONLY };

struct walk {
    const float *x, *u, *v;
    float *out;
    unsigned width;
    struct qp_access_indices order;
};

template <int Load> __device__ float fetch(const float *from)
{
    return Load == THROUGH_L2 ? __ldcg(from) : Load == READ_ONLY ? __ldg(from) : *from;
}

/* The cell that thread i reads. */
template <qp_access_kind Kind> __device__ unsigned place(const walk &w, unsigned i)
{
    if (Kind == QP_ACCESS_GATHER)
        return (unsigned)w.v[i] * w.width + (unsigned)w.u[i];
    return qp_access_cell(Kind, &w.order, i);
}

template <int Load, qp_access_kind Kind> __device__ float value(const walk &w, unsigned i)
{
    if (Kind == QP_ACCESS_IDLE && i % QP_ACCESS_WARP >= QP_ACCESS_WARP - w.order.parameter)
        return 0.0f;
    return fetch<Load>(w.x + place<Kind>(w, i));
}

/* `Each` cells a thread at a time, a thread block's width apart: all their loads are under way
 * before the first value is needed. */
template <int Load, qp_access_kind Kind, int Each> __global__ void copy(walk w)
{
    const unsigned at_once = gridDim.x * blockDim.x * Each;
    unsigned first = blockIdx.x * blockDim.x * Each + threadIdx.x;
    for (; first < w.order.cells; first += at_once) {
        float values[Each];
#pragma unroll
        for (unsigned k = 0; k < Each; k++) {
            unsigned i = first + k * blockDim.x;
            values[k] = i < w.order.cells ? value<Load, Kind>(w, i) : 0.0f;
        }
#pragma unroll
        for (unsigned k = 0; k < Each; k++) {
            unsigned i = first + k * blockDim.x;
            if (i < w.order.cells)
                w.out[i] = values[k];
        }
    }
}

/* ---- Launching ---- */

walk make_walk(const struct qp_launch *l)
{
    const unsigned cells = (unsigned)cells_of(l), width = (unsigned)l->width;
    return {l->x,        l->input[0],
            l->input[1], l->out,
            width,       qp_access_indices_make(l->kind, cells, width, (unsigned)l->parameter)};
}

typedef void copy_kernel(walk);

template <int Load, int Each> copy_kernel *kernel_of(int kind)
{
    static copy_kernel *const kernels[] = {
        copy<Load, QP_ACCESS_OFFSET, Each>,   copy<Load, QP_ACCESS_STRIDE, Each>,
        copy<Load, QP_ACCESS_COLUMNS, Each>,  copy<Load, QP_ACCESS_PERMUTED, Each>,
        copy<Load, QP_ACCESS_IDLE, Each>,     copy<Load, QP_ACCESS_GATHER, Each>,
        copy<Load, QP_ACCESS_OCCUPANCY, Each>};
    return kernels[kind];
}

/* Threads of a block where occupancy is looked at: 32 of them fill a multiprocessor of 2048
 * threads. Each goes through its share of the cells in a loop, since such small blocks would take
 * longer to start than to run. */
constexpr unsigned SMALL_BLOCK = 64;

template <int Load, int Each> enum qp_status prepare(struct qp_launch *l)
{
    if (l->kind == QP_ACCESS_OCCUPANCY)
        return allow_shared_bytes((const void *)kernel_of<Load, Each>(l->kind),
                                  shared_bytes_of(l, l->parameter), cudaSharedmemCarveoutMaxShared);
    return QP_OK;
}

template <int Load, int Each> enum qp_status run(struct qp_launch *l)
{
    copy_kernel *kernel = kernel_of<Load, Each>(l->kind);
    if (l->kind == QP_ACCESS_OCCUPANCY)
        kernel<<<l->cuda->multiprocessors * l->parameter, SMALL_BLOCK,
                 shared_bytes_of(l, l->parameter), stream_of(l)>>>(make_walk(l));
    else
        kernel<<<blocks_in(cells_of(l), BLOCK * Each), BLOCK, 0, stream_of(l)>>>(make_walk(l));
    return qp_cuda_check_launch("copy");
}

template <int Load, int Each> constexpr struct qp_cuda_kernel make_kernel()
{
    return {.launch = run<Load, Each>, .prepare = prepare<Load, Each>};
}

} // namespace

const struct qp_cuda_kernel qp_kernel_access_simple = make_kernel<THROUGH_L1, 1>();
const struct qp_cuda_kernel qp_kernel_access_no_l1 = make_kernel<THROUGH_L2, 1>();
const struct qp_cuda_kernel qp_kernel_access_ldg = make_kernel<READ_ONLY, 1>();
const struct qp_cuda_kernel qp_kernel_access_four = make_kernel<THROUGH_L1, 4>();
