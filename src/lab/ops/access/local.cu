/* SPDX-License-Identifier: MIT */
/* An array of a thread's own: a step reads a word of it and writes it anew. */
#include "lab/ops/access/access.cuh"

namespace
{

__device__ unsigned mix(unsigned u, unsigned word)
{
    return (QP_ACCESS_CHAIN_FACTOR * u + word) & QP_ACCESS_BITS_31;
}

/* An array with a variable index: the compiler does not know which register it would be, so it
 * stores the array in local memory. Threads of a warp have the same index, and local memory keeps
 * their words of one index side by side: accesses are coalesced. */
__global__ void local(const float *x, float *out, unsigned cells, unsigned words)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned word[QP_ACCESS_LOCAL_WORDS];
    if (i >= cells)
        return;
    unsigned u = (unsigned)x[i], j = 0;
#pragma unroll 1
    for (unsigned k = 0; k < words; k++)
        word[k] = k;
#pragma unroll 4
    for (unsigned k = 0; k < QP_ACCESS_LOCAL_STEPS; k++) {
        word[j] = u = mix(u, word[j]);
        j = j + 1 < words ? j + 1 : 0;
    }
    out[i] = (float)(u >> 7);
}

/* The same array with constant indices: it is kept in registers. */
template <unsigned Words> __global__ void registers(const float *x, float *out, unsigned cells)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned word[Words];
    if (i >= cells)
        return;
    unsigned u = (unsigned)x[i];
#pragma unroll
    for (unsigned k = 0; k < Words; k++)
        word[k] = k;
#pragma unroll 1
    for (unsigned k = 0; k < QP_ACCESS_LOCAL_STEPS; k += Words) {
#pragma unroll
        for (unsigned j = 0; j < Words; j++)
            word[j] = u = mix(u, word[j]);
    }
    out[i] = (float)(u >> 7);
}

enum qp_status run_local(struct qp_launch *l)
{
    const unsigned cells = (unsigned)cells_of(l);
    local<<<blocks_in(cells, BLOCK), BLOCK, 0, stream_of(l)>>>(l->x, l->out, cells,
                                                               (unsigned)l->parameter);
    return qp_cuda_check_launch("local");
}

/* The parameter is a power of two up to QP_ACCESS_LOCAL_WORDS. */
enum qp_status run_registers(struct qp_launch *l)
{
    static void (*const kernels[])(const float *, float *, unsigned) = {
        registers<1>,  registers<2>,  registers<4>, registers<8>,
        registers<16>, registers<32>, registers<64>};
    const unsigned cells = (unsigned)cells_of(l);
    int log = 0;
    while (l->parameter >> log > 1)
        log++;
    kernels[log]<<<blocks_in(cells, BLOCK), BLOCK, 0, stream_of(l)>>>(l->x, l->out, cells);
    return qp_cuda_check_launch("registers");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_access_local = {.launch = run_local};
const struct qp_cuda_kernel qp_kernel_access_registers = {.launch = run_registers};
