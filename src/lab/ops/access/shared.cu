/* SPDX-License-Identifier: MIT */
/* Access to shared memory: a thread block keeps a tile of x there, and each of its cells sums up 64
 * values of the tile. Shared memory has 32 banks of 4 bytes, side by side (16 before Fermi); a warp
 * is served at once unless its threads want different words of one bank. */
#include "lab/ops/access/access.cuh"
#include "lab/ops/access/banks.h"

namespace
{

/* Sums 64 words in a row; words of pairs in the order even, then odd, since the compiler would read
 * two neighbours as one word (hence volatile). */
template <qp_access_kind Kind, qp_access_form Form>
__device__ unsigned sum(const unsigned *tile, unsigned first)
{
    unsigned sum = 0;
    if (Form == QP_ACCESS_TWOS) {
        const uint2 *pairs = (const uint2 *)(tile + first);
#pragma unroll
        for (unsigned k = 0; k < QP_ACCESS_TILE_READS / 2; k++)
            sum += pairs[k].x + pairs[k].y;
    } else if (Kind == QP_ACCESS_PAIRS) {
        const volatile unsigned *words = tile;
#pragma unroll
        for (unsigned k = 0; k < QP_ACCESS_TILE_READS; k++)
            sum += words[qp_access_word(Form, first + 2 * k % QP_ACCESS_TILE_READS +
                                                  2 * k / QP_ACCESS_TILE_READS)];
    } else {
#pragma unroll
        for (unsigned k = 0; k < QP_ACCESS_TILE_READS; k++)
            sum += tile[qp_access_word(Form, first + k)];
    }
    return sum;
}

/* Sums over a tile in shared memory, whose first words are repeated after its last, so that no
 * index wraps. */
template <qp_access_kind Kind, qp_access_form Form>
__global__ void sums(const float *x, float *out, unsigned cells, unsigned parameter)
{
    constexpr unsigned WORDS_KEPT = QP_ACCESS_TILE + QP_ACCESS_TILE_READS;
    __shared__ __align__(16) unsigned tile[WORDS_KEPT + WORDS_KEPT / QP_ACCESS_WARP];
    unsigned origin = blockIdx.x * QP_ACCESS_TILE;
    for (unsigned t = threadIdx.x; t < WORDS_KEPT; t += BLOCK) {
        unsigned i = origin + t % QP_ACCESS_TILE;
        tile[qp_access_word(Form, t)] = i < cells ? (unsigned)x[i] : 0;
    }
    __syncthreads();
    for (unsigned t = threadIdx.x; t < QP_ACCESS_TILE && origin + t < cells; t += BLOCK) {
        unsigned first = qp_access_first(Kind, t, parameter);
        out[origin + t] = (float)(sum<Kind, Form>(tile, first) & QP_ACCESS_BITS_24);
    }
}

template <qp_access_form Form> enum qp_status run(struct qp_launch *l)
{
    unsigned cells = (unsigned)cells_of(l);
    void (*kernel)(const float *, float *, unsigned, unsigned) =
        l->kind == QP_ACCESS_BANKS       ? sums<QP_ACCESS_BANKS, Form>
        : l->kind == QP_ACCESS_MULTICAST ? sums<QP_ACCESS_MULTICAST, Form>
                                         : sums<QP_ACCESS_PAIRS, Form>;
    kernel<<<blocks_in(cells, QP_ACCESS_TILE), BLOCK, 0, stream_of(l)>>>(l->x, l->out, cells,
                                                                         (unsigned)l->parameter);
    return qp_cuda_check_launch("sums");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_access_shared = {.launch = run<QP_ACCESS_WORDS>};
const struct qp_cuda_kernel qp_kernel_access_padded = {.launch = run<QP_ACCESS_PADDED>};
const struct qp_cuda_kernel qp_kernel_access_pairs = {.launch = run<QP_ACCESS_TWOS>};
