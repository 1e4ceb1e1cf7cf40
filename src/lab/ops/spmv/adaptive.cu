/* SPDX-License-Identifier: MIT */
/* A warp a share (shares.h): one launch, without barriers, and the same answer bit for bit on every
 * run and every device. */
#include <quadpass/problem.h>

#include "lab/engines/launch.cuh"
#include "lab/ops/spmv/kernels.h"
#include "lab/ops/spmv/shares.h"
#include "toolkit/base/sparse.h"

namespace
{

constexpr int THREADS = 256, LANES = QP_SHARE_LANES;
constexpr int ROUND = 9; /* slots whose loads are under way together: the nine bands of a grid */
constexpr unsigned ALL = 0xffffffffu;

static_assert(sizeof(struct qp_share) == 2 * sizeof(int4), "a share is two loads");
static_assert(sizeof(struct qp_share_rule) == sizeof(int2), "a rule is a load");

struct matrix {
    void *array[QP_SHARE_ARRAYS]; /* by enum qp_share_array */
    float *part;                  /* each piece's sum */
    int shares, rows;

    template <class T> __device__ T *of(enum qp_share_array which) const
    {
        return (T *)array[which];
    }
};

/* Loads what is read once, so that it takes no place in the cache that x is read through. */
__device__ float load_once(const float *from)
{
    float value;
    asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(from));
    return value;
}

/* A lane's first slot of those that are left; columns are stored, or rules are. */
struct slots {
    const float *value, *column;
    const int2 *rule; /* base, step */
    const float *x;
    int lane;
};

/* Sum of so many slots, whose loads are under way together. */
template <bool RULED, int WIDTH> __device__ float add_slots(const slots &s)
{
    float value[WIDTH], sum = 0.0f;
    int column[WIDTH];
#pragma unroll
    for (int k = 0; k < WIDTH; k++) {
        value[k] = load_once(s.value + k * LANES);
        const int2 rule = RULED ? __ldg(s.rule + k) : make_int2(0, 0);
        column[k] =
            RULED ? rule.x + rule.y * s.lane : __float_as_int(load_once(s.column + k * LANES));
    }
#pragma unroll
    for (int k = 0; k < WIDTH; k++)
        sum += value[k] * __ldg(s.x + column[k]);
    return sum;
}

/* Sum of up to WIDTH slots. */
template <bool RULED, int WIDTH> __device__ float add_rest(const slots &s, int width)
{
    if constexpr (WIDTH == 0)
        return 0.0f;
    else
        return width == WIDTH ? add_slots<RULED, WIDTH>(s) : add_rest<RULED, WIDTH - 1>(s, width);
}

template <bool RULED> __device__ float add_all(slots s, int width)
{
    float sum = 0.0f;
    for (; width > ROUND; width -= ROUND) {
        sum += add_slots<RULED, ROUND>(s);
        s.value += ROUND * LANES;
        s.column += ROUND * LANES;
        s.rule += ROUND;
    }
    return sum + add_rest<RULED, ROUND>(s, width);
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
    const slots of = {a.of<float>(QP_SHARE_VALUES) + (size_t)s.x * LANES + lane,
                      a.of<float>(QP_SHARE_COLUMNS) + (ptrdiff_t)s.y * LANES + lane,
                      a.of<int2>(QP_SHARE_RULES) + ~s.y, x, lane};
    float sum = s.y < 0 ? add_all<true>(of, s.w) : add_all<false>(of, s.w);
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
