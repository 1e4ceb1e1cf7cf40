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

constexpr int THREADS = 256, LANES = QP_SHARE_LANES;
constexpr int ROUND = 9; /* slots whose loads are under way together: the nine bands of a grid */
constexpr unsigned ALL = 0xffffffffu;

struct matrix {
    void *array[QP_SHARE_ARRAYS]; /* by enum qp_share_array */
    float *part;                  /* of each piece: its sum */
    int shares, rows;

    template <class T> __device__ T *of(enum qp_share_array which) const
    {
        return (T *)array[which];
    }
};

/* A load by a condition, but without a branch, so that all of a round are under way. What is read
 * ONCE takes no place in the cache that x is read through. */
template <bool ONCE> __device__ float load_if(bool there, const float *from)
{
    float value;
    if (ONCE)
        asm("{ .reg .pred p; setp.ne.s32 p, %2, 0; mov.f32 %0, 0f00000000;"
            " @p ld.global.nc.L1::no_allocate.f32 %0, [%1]; }"
            : "=f"(value)
            : "l"(from), "r"((int)there));
    else
        asm("{ .reg .pred p; setp.ne.s32 p, %2, 0; mov.f32 %0, 0f00000000;"
            " @p ld.global.nc.f32 %0, [%1]; }"
            : "=f"(value)
            : "l"(from), "r"((int)there));
    return value;
}

/* Sum of a lane's slots, whose columns are RULED or stored. */
template <bool RULED>
__device__ float add_slots(const matrix &a, int values, int columns, int width, const float *x)
{
    const int lane = threadIdx.x % LANES;
    const float *value = a.of<float>(QP_SHARE_VALUES) + (size_t)values * LANES + lane;
    const float *column =
        a.of<float>(QP_SHARE_COLUMNS) + (RULED ? 0 : (size_t)columns * LANES + lane);
    const struct qp_share_rule *rule =
        a.of<struct qp_share_rule>(QP_SHARE_RULES) + (RULED ? ~columns : 0);
    float sum = 0.0f;
    for (int k = 0; k < width; k += ROUND) {
        float v[ROUND];
        int c[ROUND];
#pragma unroll
        for (int j = 0; j < ROUND; j++) {
            const bool there = k + j < width;
            v[j] = load_if<true>(there, value + (k + j) * LANES);
            c[j] = RULED ? qp_share_column(rule[min(k + j, width - 1)], lane, a.rows)
                         : __float_as_int(load_if<true>(there, column + (k + j) * LANES));
        }
#pragma unroll
        for (int j = 0; j < ROUND; j++)
            sum += v[j] * load_if<false>(k + j < width, x + c[j]);
    }
    return sum;
}

/* Sum of the lanes, in lane 0. */
__device__ float add_lanes(float sum)
{
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL, sum, offset);
    return sum;
}

/* Lane 0 leaves its piece's sum. True in all lanes of the warp that comes last of the row's, when
 * the others' sums can be seen; its ticket is 0 again. */
__device__ bool comes_last(const matrix &a, int share, int first, int pieces, float sum)
{
    bool last = false;
    if (threadIdx.x % LANES == 0) {
        a.part[share] = sum;
        __threadfence();
        last = atomicInc(a.of<unsigned>(QP_SHARE_TICKETS) + first, pieces - 1) == pieces - 1;
        __threadfence();
    }
    __syncwarp();
    return __shfl_sync(ALL, last, 0);
}

/* Sum of a row's pieces in their order, in lane 0. */
__device__ float add_pieces(const matrix &a, int first, int pieces)
{
    float sum = 0.0f;
#pragma unroll 8
    for (int k = threadIdx.x % LANES; k < pieces; k += LANES)
        sum += __ldcg(a.part + first + k);
    return add_lanes(sum);
}

__global__ void __launch_bounds__(THREADS) adaptive(matrix a, const float *x, float *out)
{
    const int number = blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES,
              lane = threadIdx.x % LANES;
    if (number >= a.shares)
        return;
    const int4 *share = a.of<int4>(QP_SHARES) + 2 * number;
    const int4 s = __ldg(share), more = __ldg(share + 1);
    const int rows = s.z, first = more.x, pieces = more.y;
    float sum =
        s.y < 0 ? add_slots<true>(a, s.x, s.y, s.w, x) : add_slots<false>(a, s.x, s.y, s.w, x);
    if (pieces == 0) {
        const int row = rows >= 0 ? rows + lane : a.of<int>(QP_SHARE_ROWS)[~rows * LANES + lane];
        if (row >= 0 && row < a.rows)
            out[row] = sum;
        return;
    }
    sum = add_lanes(sum);
    if (pieces > 1) {
        if (!comes_last(a, number, first, pieces, sum))
            return;
        sum = add_pieces(a, first, pieces);
    }
    if (lane == 0)
        out[rows] = sum;
}

/* ---- Launches ---- */

/* Sums of pieces; a piece alone in its row has more than 32 entries, others 512 or follow such. */
double scratch(const struct qp_launch *l)
{
    return (double)(l->problem->sparse->count / QP_SHARE_LONGEST + 1) * sizeof(float);
}

void release(struct qp_launch *l)
{
    matrix *a = (matrix *)l->own;
    for (int i = 0; a != NULL && i < QP_SHARE_ARRAYS; i++)
        qp_cuda_free((struct qp_cuda *)l->cuda, a->array[i]);
    free(a);
    l->own = NULL;
}

enum qp_status prepare(struct qp_launch *l)
{
    struct qp_cuda *cuda = (struct qp_cuda *)l->cuda;
    struct qp_shares shares;
    matrix *a = (matrix *)(l->own = qp_alloc_zero(1, sizeof *a, "a matrix's shares"));
    enum qp_status status = a != NULL ? qp_shares_make(l->problem->sparse, &shares) : QP_NO_MEMORY;
    if (status != QP_OK)
        return status;
    a->rows = l->problem->sparse->rows;
    a->part = (float *)l->scratch;
    a->shares = (int)(shares.array[QP_SHARES].bytes / sizeof(struct qp_share));
    for (int i = 0; i < QP_SHARE_ARRAYS && status == QP_OK; i++) {
        const size_t bytes = shares.array[i].bytes;
        status = qp_cuda_allocate(cuda, bytes + 1, "a matrix's shares", &a->array[i]);
        if (status == QP_OK)
            status = qp_cuda_upload(cuda, a->array[i], shares.array[i].data, bytes);
    }
    qp_shares_destroy(&shares);
    return status;
}

enum qp_status launch(struct qp_launch *l)
{
    const matrix *a = (const matrix *)l->own;
    adaptive<<<blocks_in(a->shares, THREADS / LANES), THREADS, 0, stream_of(l)>>>(*a, l->input[0],
                                                                                  l->out);
    return qp_cuda_check_launch("spmv/cuda_adaptive");
}

} // namespace

const struct qp_cuda_kernel qp_kernel_spmv_adaptive = {
    .launch = launch, .scratch = scratch, .prepare = prepare, .release = release};
