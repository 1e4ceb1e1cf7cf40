/* SPDX-License-Identifier: MIT */
/* A panel of blocked elimination: COLUMNS columns, one after the other, each with a search for its
 * pivot, an exchange and an update. There are N searches in all, each of which must end before the
 * next one begins, and so it is latency that counts here and nothing else.
 *
 * A thread holds its row's part in registers from the first to the last column. Rows are not moved:
 * a thread knows the position of its row, and an exchange changes two positions. For each column
 * the row is shifted one register to the left, so that the pivot's column is always in the first,
 * though registers cannot be indexed; the value shifted out, a factor of L or an element of U,
 * comes in again on the right (a rotation). After COLUMNS columns all values are in their first
 * registers again.
 *
 * Each thread block finds its best row and sends it to all others; one barrier later each knows the
 * best of all. In a cluster they write to each other's shared memory; where a panel is higher than
 * a cluster, or clusters are unknown, to global memory, with a barrier of the grid. */
#include <cooperative_groups.h>
#include <cuda/ptx>
#include <limits.h>

#include "lab/ops/gauss_jordan/blocked.cuh"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

namespace gauss_jordan
{

constexpr int MOST_RANKS = 16;   /* blocks of a cluster */
constexpr int MOST_BLOCKS = 256; /* blocks of a grid that synchronises, at most */
constexpr int WARPS = ROWS / 32;
[[maybe_unused]] constexpr int PIECES = COLUMNS / 4; /* pieces of a row, 16 bytes each */
constexpr unsigned ALL = 0xffffffff;

/* A magnitude's bits have the order of magnitudes. The upper of equal rows is better, as in
 * LAPACK. */
struct candidate {
    unsigned size;
    int position;
};

struct board {
    /* Candidates of odd and of even columns, for a fast block is a column ahead. */
    candidate found[2][MOST_BLOCKS];
    float row[2][MOST_BLOCKS][COLUMNS];
};

size_t board_bytes()
{
    return sizeof(board);
}

namespace
{

__device__ unsigned magnitude(float value)
{
    return __float_as_uint(fabsf(value));
}

/* The worst candidate: any row, even one of zeros, is better. */
__device__ candidate nobody()
{
    return {0, INT_MAX};
}

__device__ candidate best_of_warp(candidate c)
{
#if __CUDA_ARCH__ >= 800
    const unsigned size = __reduce_max_sync(ALL, c.size);
    return {size, __reduce_min_sync(ALL, c.size == size ? c.position : INT_MAX)};
#else
    for (int distance = 16; distance > 0; distance /= 2) {
        const candidate other = {__shfl_xor_sync(ALL, c.size, distance),
                                 __shfl_xor_sync(ALL, c.position, distance)};
        if (other.size > c.size || (other.size == c.size && other.position < c.position))
            c = other;
    }
    return c;
#endif
}

/* A warp's best, for all of the block to see after the next barrier. */
__device__ void nominate(candidate c, candidate (&warps)[WARPS])
{
    c = best_of_warp(c);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = c;
}

/* Writes a row from the present column on, and zeros after it, which leave the values rotated in on
 * the right as they are. */
__device__ void write_row(const float (&a)[COLUMNS], int left, float *to)
{
#pragma unroll
    for (int c = 0; c < COLUMNS; c += 4)
        *(float4 *)(to + c) = make_float4(c < left ? a[c] : 0, c + 1 < left ? a[c + 1] : 0,
                                          c + 2 < left ? a[c + 2] : 0, c + 3 < left ? a[c + 3] : 0);
}

/* ---- Messages between thread blocks ---- */

enum way { BLOCK, CLUSTER, GRID };

/* The best of all blocks, and where shared memory has the pivot's row, for one column. */
struct agreement {
    candidate best;
    const float *row;
};

/* The best candidate of all lanes; *from is the block that found it. */
__device__ candidate best_of_blocks(candidate found, int *from)
{
    const candidate best = best_of_warp(found);
    *from = __shfl_sync(ALL, *from, __ffs(__ballot_sync(ALL, found.position == best.position)) - 1);
    return best;
}

/* Mailbox: shared memory of a thread block, written by all blocks of its cluster. A barrier
 * (mbarrier) beside it counts the bytes that arrive, so a wait there ends when the message is
 * complete; a barrier of the cluster would make every thread wait until all its stores have
 * arrived, those to device memory too. */
struct mailbox {
    alignas(16) float row[2][MOST_RANKS][COLUMNS];
    candidate found[2][MOST_RANKS];
    uint64_t arrived[2];
};

[[maybe_unused]] constexpr int LETTER =
    sizeof(float) * COLUMNS + sizeof(candidate); /* bytes, from each block */

__device__ void open_mailbox(mailbox &s)
{
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&s.arrived[0], 1);
        ptx::mbarrier_init(&s.arrived[1], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cg::this_cluster().sync();
#endif
}

__device__ agreement agree_in_block(const float (&a)[COLUMNS], candidate best, bool is_mine, int j,
                                    mailbox &s)
{
    float *row = s.row[j % 2][0];
    if (is_mine)
        write_row(a, COLUMNS - j, row);
    __syncthreads();
    return {best, row};
}

/* Agreement on a pivot within a cluster. Each block has COLUMNS rows at least, and so a candidate
 * for every column. A block that writes for column j + 2 has read all of column j + 1, which others
 * wrote when they were done with column j: two mailboxes are enough. */
__device__ agreement agree_in_cluster(const float (&a)[COLUMNS], candidate best, bool is_mine,
                                      int j, mailbox &s)
{
    agreement result = {};
#if __CUDA_ARCH__ >= 900
    cg::cluster_group cluster = cg::this_cluster();
    const int lane = threadIdx.x % 32, rank = blockIdx.x, ranks = gridDim.x, odd = j % 2;
    __shared__ alignas(16) float row[COLUMNS];
    if (threadIdx.x == 0)
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &s.arrived[odd], ranks * LETTER);
    if (is_mine)
        write_row(a, COLUMNS - j, row);
    if (__any_sync(ALL, is_mine)) {
        __syncwarp();
        const int piece = 4 * (lane % PIECES);
        const float values[4] = {row[piece], row[piece + 1], row[piece + 2], row[piece + 3]};
        for (int to = lane / PIECES; to < ranks; to += 32 / PIECES)
            ptx::st_async(cluster.map_shared_rank(&s.row[odd][rank][piece], to), values,
                          cluster.map_shared_rank(&s.arrived[odd], to));
    }
    if (threadIdx.x < ranks) {
        const int values[2] = {(int)best.size, best.position};
        ptx::st_async((int *)cluster.map_shared_rank(&s.found[odd][rank], threadIdx.x), values,
                      cluster.map_shared_rank(&s.arrived[odd], threadIdx.x));
    }
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &s.arrived[odd],
                                          j / 2 % 2)) {
    }
    int from = lane;
    result.best = best_of_blocks(lane < ranks ? s.found[odd][lane] : nobody(), &from);
    result.row = s.row[odd][from];
#endif
    return result;
}

__device__ agreement agree_in_grid(const float (&a)[COLUMNS], candidate best, bool is_mine, int j,
                                   mailbox &s, board *told)
{
    const int lane = threadIdx.x % 32, rank = blockIdx.x, odd = j % 2;
    candidate found = nobody();
    int from = 0;
    if (is_mine)
        write_row(a, COLUMNS - j, told->row[odd][rank]);
    if (threadIdx.x == 0)
        told->found[odd][rank] = best;
    cg::this_grid().sync();
    for (int r = lane; r < gridDim.x; r += 32) {
        const candidate other = told->found[odd][r];
        if (other.size > found.size ||
            (other.size == found.size && other.position < found.position)) {
            found = other;
            from = r;
        }
    }
    found = best_of_blocks(found, &from);
    if (threadIdx.x < COLUMNS)
        s.row[odd][0][threadIdx.x] = told->row[odd][from][threadIdx.x];
    __syncthreads();
    return {found, s.row[odd][0]};
}

/* ---- A panel ---- */

/* Reads a row from column k on, in pieces of 16 bytes. */
__device__ void read_row(const matrix &m, int row, int k, float (&a)[COLUMNS])
{
    const float4 *from = (const float4 *)(m.a + (size_t)row * m.pitch + k);
#pragma unroll
    for (int c = 0; c < COLUMNS; c += 4) {
        const float4 v = row < m.rows ? from[c / 4] : make_float4(0, 0, 0, 0);
        a[c] = v.x, a[c + 1] = v.y, a[c + 2] = v.z, a[c + 3] = v.w;
    }
}

/* a := a - factor u from the second column on, shifted one register to the left; `left` columns of
 * the panel are still to come, and the others only move. */
__device__ void update_row(float (&a)[COLUMNS], float factor, const float *u, int left, float last)
{
#pragma unroll
    for (int group = 0; group < COLUMNS; group += 16) {
        if (group == 0 || group < left) {
#pragma unroll
            for (int c = group; c < group + 16; c += 4) {
                const float4 v = *(const float4 *)(u + c);
                if (c > 0)
                    a[c - 1] = a[c] - factor * v.x;
                a[c] = a[c + 1] - factor * v.y;
                a[c + 1] = a[c + 2] - factor * v.z;
                a[c + 2] = a[c + 3] - factor * v.w;
            }
        } else {
#pragma unroll
            for (int c = group; c < group + 16; c++)
                a[c - 1] = a[c];
        }
    }
    a[COLUMNS - 1] = last;
}

__device__ void write_panel(const matrix &m, int k, int row, int position,
                            const float (&a)[COLUMNS], exchanges *moved)
{
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        m.lower[(size_t)c * m.lower_pitch + position - k] = a[c];
    if (position < k + COLUMNS) {
        write_row(a, COLUMNS, m.a + (size_t)position * m.pitch + k);
        moved->from[position - k] = row;
    }
    if (row < k + COLUMNS)
        moved->to[row - k] = position < k + COLUMNS ? -1 : position;
}

template <way WAY>
__global__ void __launch_bounds__(ROWS, 2)
    factor(matrix m, int k, exchanges *moved, float4 *log, board *told)
{
    __shared__ candidate warps[2][WARPS]; /* a fast warp is a column ahead */
    __shared__ mailbox s;
    __shared__ float4 logged[COLUMNS]; /* copied out at the end: barriers wait for global stores */
    const int row = k + blockIdx.x * ROWS + threadIdx.x;
    bool live = row < m.rows; /* no pivot yet */
    int position = row;
    float a[COLUMNS];
    if (WAY == CLUSTER)
        open_mailbox(s);
    read_row(m, row, k, a);
    nominate(live ? candidate{magnitude(a[0]), position} : nobody(), warps[0]);
    for (int j = 0; j < COLUMNS; j++) {
        __syncthreads();
        const int lane = threadIdx.x % 32;
        const candidate best = best_of_warp(lane < WARPS ? warps[j % 2][lane] : nobody());
        const bool is_mine = live && position == best.position;
        const agreement all = WAY == CLUSTER ? agree_in_cluster(a, best, is_mine, j, s)
                              : WAY == GRID  ? agree_in_grid(a, best, is_mine, j, s, told)
                                             : agree_in_block(a, best, is_mine, j, s);
        const candidate pivot = all.best;
        const float *u = all.row;
        float last = a[0], part = 0;
        if (live && position == pivot.position) {
            live = false;
            position = k + j;
        } else if (live) {
            last = part = a[0] / u[0];
            position = position == k + j ? pivot.position : position;
        }
        if (threadIdx.x == 0)
            logged[j] = make_float4(u[0], 0, (float)(pivot.position - k - j), 0);
        nominate(live ? candidate{magnitude(a[1] - part * u[1]), position} : nobody(),
                 warps[(j + 1) % 2]);
        update_row(a, part, u, COLUMNS - j, last);
    }
    if (row < m.rows)
        write_panel(m, k, row, position, a, moved);
    __syncthreads();
    if (row < k + COLUMNS && row < m.n)
        log[row] = logged[threadIdx.x];
}

} // namespace

/* Largest cluster, in thread blocks: 0 where device or build has no clusters, 8 where it has, and
 * more on some devices. CUDA's refusal here is no failure, and its error is cleared before the next
 * launch. */
int most_ranks(const struct qp_launch *l)
{
    cudaFuncAttributes attributes;
    cudaLaunchConfig_t config = {};
    int most = 0;
    config.gridDim = MOST_RANKS;
    config.blockDim = ROWS;
    if (l->cuda->major >= 9 && cudaFuncGetAttributes(&attributes, factor<CLUSTER>) == cudaSuccess &&
        attributes.ptxVersion >= 90) {
        cudaFuncSetAttribute(factor<CLUSTER>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
        if (cudaOccupancyMaxPotentialClusterSize(&most, factor<CLUSTER>, &config) != cudaSuccess)
            most = 0;
    }
    cudaGetLastError();
    return most < MOST_RANKS ? most : MOST_RANKS;
}

enum qp_status check_panel(const struct qp_launch *l, int rows)
{
    const int resident = 2 * l->cuda->multiprocessors,
              most = resident < MOST_BLOCKS ? resident : MOST_BLOCKS;
    if (blocks_in(rows, ROWS) <= most)
        return QP_OK;
    return qp_fail(
        QP_UNSUPPORTED,
        "searches a column with a thread a row, and this device runs %d at a time; %d rows "
        "are too many",
        most * ROWS, rows);
}

cudaError_t launch_panel(const struct qp_launch *l, const matrix &m, int k, int ranks,
                         exchanges *moved, float4 *log, board *told)
{
    const int blocks = blocks_in(m.rows - k, ROWS);
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = ROWS;
    config.stream = stream_of(l);
    config.attrs = &together;
    config.numAttrs = 1;
    if (blocks == 1) {
        config.numAttrs = 0;
        return cudaLaunchKernelEx(&config, factor<BLOCK>, m, k, moved, log, told);
    }
    if (blocks <= ranks) {
        together.id = cudaLaunchAttributeClusterDimension;
        together.val.clusterDim = {(unsigned)blocks, 1, 1};
        return cudaLaunchKernelEx(&config, factor<CLUSTER>, m, k, moved, log, told);
    }
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    return cudaLaunchKernelEx(&config, factor<GRID>, m, k, moved, log, told);
}

} // namespace gauss_jordan
