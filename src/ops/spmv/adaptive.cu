/* SPDX-License-Identifier: MIT */
/* A warp a share (shares.h): one launch, without barriers, and the same answer bit for bit on every
 * run and every device. */
#include <quadpass/problem.h>

#include "base/sparse.h"
#include "engines/launch.cuh"
#include "ops/spmv/kernels.h"
#include "ops/spmv/shares.h"

namespace
{

constexpr int THREADS = 256, WARP = QP_SHARE_WARP;
constexpr int ROUND = 9; /* slots whose loads are under way together: the nine bands of a grid */
constexpr unsigned ALL = 0xffffffffu;

struct arrays {
    const struct qp_share *share;
    const float *value;
    const int *column;
    const struct qp_share_rule *rule;
    const int *row;
    const struct qp_share_piece *piece;
    float *part;      /* of each piece: its sum */
    unsigned *ticket; /* of each row's first piece: how many have ended; 0 between launches */
    int shares, rows;
};

/* ---- Loads, by a condition without a branch, so that all of a round are under way ---- */

/* What is read once takes no place in the cache that x is read through. */
__device__ float once_if(bool there, const float *from)
{
    float value;
    asm("{ .reg .pred p; setp.ne.s32 p, %2, 0; mov.f32 %0, 0f00000000;"
        " @p ld.global.nc.L1::no_allocate.f32 %0, [%1]; }"
        : "=f"(value)
        : "l"(from), "r"((int)there));
    return value;
}

__device__ int once_if(bool there, const int *from)
{
    return __float_as_int(once_if(there, (const float *)from));
}

__device__ float cached_if(bool there, const float *from)
{
    float value;
    asm("{ .reg .pred p; setp.ne.s32 p, %2, 0; mov.f32 %0, 0f00000000;"
        " @p ld.global.nc.f32 %0, [%1]; }"
        : "=f"(value)
        : "l"(from), "r"((int)there));
    return value;
}

/* ---- Sums ---- */

template <bool RULED>
__device__ float add_slots(const arrays &a, const struct qp_share &s, int lane, const float *x)
{
    const float *value = a.value + (size_t)s.values * WARP + lane;
    const int *column = a.column + (RULED ? 0 : (size_t)s.columns * WARP + lane);
    const struct qp_share_rule *rule = a.rule + (RULED ? ~s.columns : 0);
    float sum = 0.0f;
    for (int k = 0; k < s.width; k += ROUND) {
        float v[ROUND];
        int c[ROUND];
#pragma unroll
        for (int j = 0; j < ROUND; j++) {
            const int slot = k + j;
            v[j] = once_if(slot < s.width, value + slot * WARP);
            c[j] = RULED ? qp_share_column(rule[min(slot, s.width - 1)], lane, a.rows)
                         : once_if(slot < s.width, column + slot * WARP);
        }
#pragma unroll
        for (int j = 0; j < ROUND; j++)
            sum += v[j] * cached_if(k + j < s.width, x + c[j]);
    }
    return sum;
}

__device__ float add_lanes(float sum)
{
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL, sum, offset);
    return sum;
}

/* True in all lanes of the warp whose piece of the row is the last to end, when the others' sums
 * can be seen. */
__device__ bool ends_row(const arrays &a, const struct qp_share_piece &piece, int lane)
{
    bool last = false;
    if (lane == 0) {
        __threadfence();
        last = atomicInc(&a.ticket[piece.first], piece.pieces - 1) == piece.pieces - 1;
        __threadfence();
    }
    __syncwarp();
    return __shfl_sync(ALL, last, 0);
}

/* Row of a piece, whose sum lane 0 has. The last piece to end adds all, in their order. */
__device__ void put_piece(const arrays &a, int number, float sum, int lane, float *out)
{
    const struct qp_share_piece piece = a.piece[number];
    if (piece.pieces > 1) {
        if (lane == 0)
            a.part[number] = sum;
        if (!ends_row(a, piece, lane))
            return;
        sum = 0.0f;
#pragma unroll 8
        for (int k = lane; k < piece.pieces; k += WARP)
            sum += __ldcg(&a.part[piece.first + k]);
        sum = add_lanes(sum);
    }
    if (lane == 0)
        out[piece.row] = sum;
}

__global__ void __launch_bounds__(THREADS) adaptive(arrays a, const float *x, float *out)
{
    const int number = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP,
              lane = threadIdx.x % WARP;
    if (number >= a.shares)
        return;
    const int4 all = __ldg((const int4 *)a.share + number);
    const struct qp_share s = {(unsigned)all.x, all.y, all.z, (short)all.w, (short)(all.w >> 16)};
    const float sum =
        s.columns < 0 ? add_slots<true>(a, s, lane, x) : add_slots<false>(a, s, lane, x);
    if (s.form == QP_SHARE_OF_ROW) {
        put_piece(a, s.rows, add_lanes(sum), lane, out);
        return;
    }
    const int row = s.form == QP_SHARE_RANGE ? s.rows + lane : __ldg(a.row + s.rows * WARP + lane);
    if (row >= 0 && row < a.rows)
        out[row] = sum;
}

/* ---- Launches ---- */

static_assert(sizeof(struct qp_share) == sizeof(int4), "a share is read by one load");

constexpr int BLOCKS = QP_SHARE_ARRAYS + 2;

struct own {
    struct arrays device;
    void *block[BLOCKS]; /* of memory: the arrays, parts, tickets */
};

void release(struct qp_launch *l)
{
    struct own *own = (struct own *)l->own;
    for (int i = 0; own != NULL && i < BLOCKS; i++)
        qp_cuda_free((struct qp_cuda *)l->cuda, own->block[i]);
    free(own);
    l->own = NULL;
}

enum qp_status upload(struct qp_launch *l, const struct qp_shares *shares, struct own *own)
{
    struct qp_cuda *cuda = (struct qp_cuda *)l->cuda;
    const size_t pieces =
        shares->array[QP_SHARE_PIECES].bytes / sizeof(struct qp_share_piece) * sizeof(float);
    enum qp_status status = QP_OK;
    for (int i = 0; i < BLOCKS && status == QP_OK; i++) {
        const size_t bytes = i < QP_SHARE_ARRAYS ? shares->array[i].bytes : pieces;
        status = qp_cuda_allocate(cuda, bytes + 1, "shares of a matrix", &own->block[i]);
        if (status == QP_OK && i < QP_SHARE_ARRAYS)
            status = qp_cuda_upload(cuda, own->block[i], shares->array[i].data, bytes);
    }
    if (status != QP_OK)
        return status;
    own->device = {(const struct qp_share *)own->block[QP_SHARES],
                   (const float *)own->block[QP_SHARE_VALUES],
                   (const int *)own->block[QP_SHARE_COLUMNS],
                   (const struct qp_share_rule *)own->block[QP_SHARE_RULES],
                   (const int *)own->block[QP_SHARE_ROWS],
                   (const struct qp_share_piece *)own->block[QP_SHARE_PIECES],
                   (float *)own->block[QP_SHARE_ARRAYS],
                   (unsigned *)own->block[QP_SHARE_ARRAYS + 1],
                   (int)(shares->array[QP_SHARES].bytes / sizeof(struct qp_share)),
                   l->problem->sparse->rows};
    return qp_cuda_check(cudaMemsetAsync(own->device.ticket, 0, pieces, stream_of(l)),
                         "set tickets to 0");
}

enum qp_status prepare(struct qp_launch *l)
{
    struct qp_shares shares;
    struct own *own = (struct own *)(l->own = qp_alloc_zero(1, sizeof *own, "a matrix's shares"));
    enum qp_status status =
        own != NULL ? qp_shares_make(l->problem->sparse, &shares) : QP_NO_MEMORY;
    if (status != QP_OK)
        return status;
    status = upload(l, &shares, own);
    qp_shares_destroy(&shares);
    return status;
}

enum qp_status launch(struct qp_launch *l)
{
    const struct arrays &a = ((const struct own *)l->own)->device;
    adaptive<<<blocks_in(a.shares, THREADS / WARP), THREADS, 0, stream_of(l)>>>(a, l->input[0],
                                                                                l->out);
    return qp_cuda_check_launch("spmv/cuda_adaptive");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_spmv_adaptive = {
    .launch = launch, .prepare = prepare, .release = release};
