/* SPDX-License-Identifier: MIT */
/* A panel of blocked elimination: COLUMNS columns, one after the other, each with a search for its
 * pivot, an exchange and an update. There are N searches in all, each of which must end before the
 * next one begins, and so it is latency that counts here and nothing else.
 *
 * A thread holds its row's part in registers from the first to the last column. Rows are not moved:
 * a thread knows the position of its row, and an exchange changes two positions.
 *
 * A panel is taken in strips of STRIP columns. While a strip is eliminated, only its own columns
 * are updated, so a pivot's row is short; the columns to its right are updated at the end of the
 * strip, by all its pivots at once and in the same order. For each column a strip's values are
 * shifted one register to the left, so that the pivot's column is always in the first, though
 * registers cannot be indexed; the value shifted out, a factor of L or an element of U, comes in
 * again on the right (a rotation). At the end of a strip all columns are rotated likewise.
 *
 * Each thread block finds its best row and sends it to all others; a wait later each knows the best
 * of all. In a cluster they write to each other's shared memory; where a panel is higher than a
 * cluster, or clusters are unknown, to global memory, with a barrier of the grid. */
#include <cooperative_groups.h>
#include <cuda/ptx>

#include "lab/ops/gauss_jordan/blocked.cuh"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

namespace gauss_jordan
{

constexpr int STRIP = 16;
constexpr int STRIPS = COLUMNS / STRIP;
constexpr int MOST_RANKS = 16;      /* blocks of a cluster */
constexpr int MOST_BLOCKS = 256;    /* blocks of a grid that synchronises, at most */
constexpr int PIECES = COLUMNS / 4; /* pieces of a row, 16 bytes each */
constexpr int SHORT = STRIP / 4;    /* pieces of a strip's row */
constexpr unsigned ALL = 0xffffffff;

/* A candidate for the pivot: the bits of its magnitude, which have the order of magnitudes; then
 * its position, so that the upper of equal rows is better, as in LAPACK; then the block that has
 * it. The largest is the best; 0 is no candidate. */
using candidate = unsigned long long;

constexpr unsigned MOST_POSITION = 0xffffff;

struct board {
    /* Candidates of odd and of even columns, for a fast block is a column ahead. */
    candidate found[2][MOST_BLOCKS];
    float row[2][MOST_BLOCKS][STRIP];
    float whole[STRIP][COLUMNS]; /* the rows of a strip's pivots */
};

size_t board_bytes()
{
    return sizeof(board);
}

namespace
{

__device__ candidate candidate_of(float value, int position)
{
    const unsigned place = (MOST_POSITION - position) << 8 | blockIdx.x;
    return (candidate)__float_as_uint(fabsf(value)) << 32 | place;
}

/* Counted from the panel's first row. */
__device__ int position_of(candidate c)
{
    return (int)(MOST_POSITION - ((unsigned)c >> 8));
}

__device__ int block_of(candidate c)
{
    return (int)(c & 0xff);
}

__device__ candidate best_of_warp(candidate c)
{
#if __CUDA_ARCH__ >= 800
    const unsigned size = __reduce_max_sync(ALL, (unsigned)(c >> 32));
    const unsigned place = __reduce_max_sync(ALL, (unsigned)(c >> 32) == size ? (unsigned)c : 0);
    return (candidate)size << 32 | place;
#else
    for (int distance = 16; distance > 0; distance /= 2)
        c = max(c, __shfl_xor_sync(ALL, c, distance));
    return c;
#endif
}

/* The best of COUNT candidates in shared memory; no thread waits for another here. */
template <int COUNT> __device__ candidate best_of(const candidate *from, int step)
{
    if constexpr (COUNT == 2) {
        const ulonglong2 both = *(const ulonglong2 *)from;
        return max(both.x, both.y);
    } else {
        return max(best_of<COUNT / 2>(from, step),
                   best_of<COUNT / 2>(from + COUNT / 4 * step, step));
    }
}

/* ---- Messages between thread blocks ---- */

enum way { BLOCK, CLUSTER, GRID };

/* The best of all blocks, and where shared memory has its row, for one column. */
struct agreement {
    candidate best;
    const float *row;
};

constexpr int MOST_THREADS = 2 * ROWS;

/* Shared memory of a thread block. In a cluster all blocks write to its mailbox; a barrier
 * (mbarrier) beside it counts the bytes that arrive, so a wait there ends when the message is
 * complete. A barrier of the cluster would make every thread wait until all its stores have
 * arrived, those to device memory too. */
struct shared {
    alignas(16) float row[2][MOST_RANKS][STRIP]; /* the mailbox, of odd and of even columns */
    alignas(16) candidate found[2][MOST_RANKS];
    uint64_t arrived[2];
    alignas(16) float own[STRIP];
    alignas(16) candidate rows[2][MOST_THREADS]; /* a fast warp is a column ahead */
    alignas(16) float given[STRIP][COLUMNS];     /* rows of this block's pivots, in a cluster */
    alignas(16) float u[STRIP][COLUMNS];         /* rows of the strip's pivots */
    float4 logged[COLUMNS]; /* copied out at the end: barriers wait for global stores */
    int owner[STRIP];
};

constexpr unsigned LETTER = sizeof(float) * STRIP + sizeof(candidate); /* bytes, from each block */

__device__ void write_row(const float (&a)[COLUMNS], float *to)
{
#pragma unroll
    for (int c = 0; c < COLUMNS; c += 4)
        *(float4 *)(to + c) = make_float4(a[c], a[c + 1], a[c + 2], a[c + 3]);
}

/* Piece `piece`, of 16 bytes, of the best row of the warp, after `is_mine` has shown it: from the
 * present column on, and zeros after it, which leave the values rotated in on the right as they
 * are. */
__device__ float4 piece_to_send(const float (&a)[COLUMNS], bool is_mine, int piece, int j,
                                shared &s)
{
    const int left = STRIP - j % STRIP - 4 * piece;
    if (is_mine) {
#pragma unroll
        for (int i = 0; i < STRIP; i += 4)
            *(float4 *)(s.own + i) = make_float4(a[i], a[i + 1], a[i + 2], a[i + 3]);
    }
    __syncwarp();
    const float4 v = four(s.own + 4 * piece);
    return make_float4(left > 0 ? v.x : 0, left > 1 ? v.y : 0, left > 2 ? v.z : 0,
                       left > 3 ? v.w : 0);
}

__device__ agreement agree_in_block(const float (&a)[COLUMNS], candidate best, bool is_mine, int j,
                                    shared &s)
{
    const int lane = threadIdx.x % 32;
    float *row = s.row[j % 2][0];
    if (__any_sync(ALL, is_mine)) {
        const float4 v = piece_to_send(a, is_mine, lane % SHORT, j, s);
        if (lane < SHORT)
            *(float4 *)(row + 4 * lane) = v;
    }
    __syncthreads();
    return {best, row};
}

/* ---- Clusters ---- */

/* Address of the same place in block `rank`'s shared memory. */
__device__ unsigned address_in(const void *here, int rank)
{
    unsigned there = 0;
#if __CUDA_ARCH__ >= 900
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"((unsigned)__cvta_generic_to_shared(here)), "r"(rank));
#endif
    return there;
}

/* Addresses in other blocks' shared memory: of the pieces that a lane sends, and its candidate. */
struct addresses {
    unsigned piece[MOST_RANKS * SHORT / 32], found;
};

__device__ addresses addresses_of(shared &s)
{
    addresses to;
    const int lane = threadIdx.x % 32, ranks = gridDim.x;
#pragma unroll
    for (int i = 0; i < MOST_RANKS * SHORT / 32; i++)
        to.piece[i] = address_in(&s, min(i * (32 / SHORT) + lane / SHORT, ranks - 1));
    to.found = address_in(&s, min(lane, ranks - 1));
    return to;
}

__device__ unsigned offset_in(const shared &s, const void *place)
{
    return (unsigned)((const char *)place - (const char *)&s);
}

__device__ void open_mailbox(shared &s)
{
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x < 2)
        ptx::mbarrier_init(&s.arrived[threadIdx.x], 1);
    if (threadIdx.x < 2)
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    if (threadIdx.x < 2 * MOST_RANKS)
        s.found[threadIdx.x / MOST_RANKS][threadIdx.x % MOST_RANKS] = 0;
    cg::this_cluster().sync();
#endif
}

/* Agreement on a pivot within a cluster. Each block has COLUMNS rows at least, and so a candidate
 * for every column. A block that writes for column j + 2 has read all of column j + 1, which others
 * wrote when they were done with column j: two mailboxes are enough. */
__device__ agreement agree_in_cluster(const float (&a)[COLUMNS], candidate best, bool is_mine,
                                      int j, shared &s, const addresses &to)
{
    agreement result = {};
#if __CUDA_ARCH__ >= 900
    const int lane = threadIdx.x % 32, rank = blockIdx.x, ranks = gridDim.x, odd = j % 2;
    if (threadIdx.x == 0)
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &s.arrived[odd], ranks * LETTER);
    if (__any_sync(ALL, is_mine)) {
        const int piece = lane % SHORT;
        const unsigned arrived = offset_in(s, &s.arrived[odd]);
        if (lane < ranks)
            asm volatile(
                "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::
                    "r"(to.found + offset_in(s, &s.found[odd][rank])),
                "l"(best), "r"(to.found + arrived)
                : "memory");
        const float4 v = piece_to_send(a, is_mine, piece, j, s);
        const unsigned place = offset_in(s, &s.row[odd][rank][4 * piece]);
#pragma unroll
        for (int i = 0; i < MOST_RANKS * SHORT / 32; i++) {
            if (i * (32 / SHORT) + lane / SHORT < ranks)
                asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 "
                             "[%0], {%1, %2, %3, %4}, [%5];" ::"r"(to.piece[i] + place),
                             "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "r"(to.piece[i] + arrived)
                             : "memory");
        }
    }
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &s.arrived[odd],
                                          j / 2 % 2)) {
    }
    result.best = best_of<MOST_RANKS>(s.found[odd], 2);
    result.row = s.row[odd][block_of(result.best)];
#endif
    return result;
}

__device__ agreement agree_in_grid(const float (&a)[COLUMNS], candidate best, bool is_mine, int j,
                                   shared &s, board *told)
{
    const int lane = threadIdx.x % 32, rank = blockIdx.x, odd = j % 2;
    candidate found = 0;
    if (__any_sync(ALL, is_mine)) {
        const float4 v = piece_to_send(a, is_mine, lane % SHORT, j, s);
        if (lane < SHORT)
            *(float4 *)&told->row[odd][rank][4 * lane] = v;
        if (lane == 0)
            told->found[odd][rank] = best;
    }
    cg::this_grid().sync();
    for (int r = lane; r < gridDim.x; r += 32)
        found = max(found, told->found[odd][r]);
    found = best_of_warp(found);
    if (threadIdx.x < STRIP)
        s.row[odd][0][threadIdx.x] = told->row[odd][block_of(found)][threadIdx.x];
    __syncthreads();
    return {found, s.row[odd][0]};
}

/* Shows all blocks the rows of a strip's pivots, in s.u. `won` is the column of the strip in which
 * this thread's row became a pivot's, or -1. */
template <way WAY>
__device__ void share_rows(const float (&a)[COLUMNS], int won, shared &s, board *told)
{
    float(*to)[COLUMNS] = WAY == CLUSTER ? s.given : WAY == GRID ? told->whole : s.u;
    if (won >= 0)
        write_row(a, to[won]);
    if (WAY == BLOCK)
        __syncthreads();
    if (WAY == GRID)
        cg::this_grid().sync();
#if __CUDA_ARCH__ >= 900
    if (WAY == CLUSTER)
        cg::this_cluster().sync();
#endif
    for (int t = threadIdx.x; WAY != BLOCK && t < STRIP * PIECES; t += blockDim.x) {
        const int row = t / PIECES, piece = t % PIECES * 4;
#if __CUDA_ARCH__ >= 900
        if (WAY == CLUSTER)
            *(float4 *)&s.u[row][piece] = *(const float4 *)cg::this_cluster().map_shared_rank(
                &s.given[row][piece], s.owner[row]);
#endif
        if (WAY == GRID)
            *(float4 *)&s.u[row][piece] = __ldcg((const float4 *)&told->whole[row][piece]);
    }
    if (WAY != BLOCK)
        __syncthreads();
}

/* ---- A panel ---- */

/* a := a - factor u from the second column of a strip on, shifted one register to the left. */
__device__ void update_strip(float (&a)[COLUMNS], float factor, const float *u, float last)
{
#pragma unroll
    for (int c = 0; c < STRIP; c += 4) {
        const float4 v = four(u + c);
        if (c > 0)
            a[c - 1] = a[c] - factor * v.x;
        a[c] = a[c + 1] - factor * v.y;
        a[c + 1] = a[c + 2] - factor * v.z;
        a[c + 2] = a[c + 3] - factor * v.w;
    }
    a[STRIP - 1] = last;
}

/* The columns to the right of a strip: its pivots' rows become rows of U, a thread a column, and
 * then each row subtracts its factors times these. A row that became a pivot's has factors before
 * that column alone, one that was a pivot's before has none. `left` strips are to the right. */
__device__ void update_right(float (&a)[COLUMNS], int factors, int left, shared &s)
{
    if (threadIdx.x < left * STRIP) {
        float v[STRIP];
#pragma unroll
        for (int i = 0; i < STRIP; i++)
            v[i] = s.u[i][STRIP + threadIdx.x];
#pragma unroll
        for (int j = 0; j < STRIP; j++) {
#pragma unroll
            for (int i = j + 1; i < STRIP; i++)
                v[i] -= s.u[i][j] * v[j];
        }
#pragma unroll
        for (int i = 0; i < STRIP; i++)
            s.u[i][STRIP + threadIdx.x] = v[i];
    }
    __syncthreads();
#pragma unroll
    for (int strip = 1; strip < STRIPS; strip++) {
        if (strip <= left) {
#pragma unroll
            for (int i = 0; i < STRIP; i++) {
                const float factor = i < factors ? a[i] : 0;
#pragma unroll
                for (int c = strip * STRIP; c < (strip + 1) * STRIP; c += 4) {
                    const float4 v = four(&s.u[i][c]);
                    a[c] -= factor * v.x;
                    a[c + 1] -= factor * v.y;
                    a[c + 2] -= factor * v.z;
                    a[c + 3] -= factor * v.w;
                }
            }
        }
    }
}

/* Shifts a row's values by a strip; the first come in again on the right. */
__device__ void rotate(float (&a)[COLUMNS])
{
    float first[STRIP];
#pragma unroll
    for (int c = 0; c < STRIP; c++)
        first[c] = a[c];
#pragma unroll
    for (int c = 0; c + STRIP < COLUMNS; c++)
        a[c] = a[c + STRIP];
#pragma unroll
    for (int c = 0; c < STRIP; c++)
        a[COLUMNS - STRIP + c] = first[c];
}

__device__ void write_panel(const matrix &m, int k, int row, int position,
                            const float (&a)[COLUMNS], exchanges *moved)
{
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        m.lower[(size_t)c * m.lower_pitch + position] = a[c];
    if (position < COLUMNS) {
        write_row(a, m.a + (size_t)(k + position) * m.pitch + k);
        moved->from[position] = k + row;
    }
    if (row < COLUMNS)
        moved->to[row] = position < COLUMNS ? -1 : k + position;
}

template <way WAY, int THREADS>
__global__ void __launch_bounds__(THREADS, WAY == GRID ? 2 : 1)
    factor(matrix m, int k, exchanges *moved, float4 *log, board *told)
{
    extern __shared__ float4 on_chip[];
    shared &s = *(shared *)on_chip;
    const int row = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32;
    const bool exists = k + row < m.rows;
    bool live = exists; /* no pivot yet */
    int position = row;
    float a[COLUMNS];
    addresses to;
    if (WAY == CLUSTER) {
        open_mailbox(s);
        to = addresses_of(s);
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; c++)
        a[c] = exists ? m.lower[(size_t)c * m.lower_pitch + row] : 0;
    for (int j = 0; j < COLUMNS;) {
        int won = -1;
        const bool began = live;
        candidate own = live ? candidate_of(a[0], position) : 0;
        s.rows[j % 2][threadIdx.x] = own;
        do {
            __syncthreads();
            const candidate best =
                best_of_warp(best_of<THREADS / 32>(s.rows[j % 2] + 2 * lane, 64));
            const bool is_mine = own == best;
            const agreement all = WAY == CLUSTER ? agree_in_cluster(a, best, is_mine, j, s, to)
                                  : WAY == GRID  ? agree_in_grid(a, best, is_mine, j, s, told)
                                                 : agree_in_block(a, best, is_mine, j, s);
            const float *u = all.row;
            const bool wins = own == all.best, goes_on = live && !wins;
            const float part = goes_on ? a[0] / u[0] : 0, last = goes_on ? part : a[0];
            position = wins ? j : goes_on && position == j ? position_of(all.best) : position;
            won = wins ? j % STRIP : won;
            live = goes_on;
            own = live ? candidate_of(a[1] - part * u[1], position) : 0;
            s.rows[(j + 1) % 2][threadIdx.x] = own;
            update_strip(a, part, u, last);
            if (threadIdx.x == 0) {
                s.logged[j] = make_float4(u[0], 0, (float)(position_of(all.best) - j), 0);
                s.owner[j % STRIP] = block_of(all.best);
            }
            j++;
        } while (j % STRIP != 0);
        if (j < COLUMNS) {
            share_rows<WAY>(a, won, s, told);
            update_right(a, won >= 0 ? won : began ? STRIP : 0, (COLUMNS - j) / STRIP, s);
        }
        rotate(a);
    }
    if (exists)
        write_panel(m, k, row, position, a, moved);
    __syncthreads();
    if (row < COLUMNS && k + row < m.n)
        log[k + row] = s.logged[threadIdx.x];
}

/* More shared memory than a panel needs: no other block comes to its multiprocessor and takes turns
 * with it. */
constexpr int SHARED_BYTES = 160 * 1024;

cudaError_t allow_shared(const void *kernel)
{
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
}

/* Allows a cluster's kernel as large clusters as the device has. */
template <int THREADS> cudaError_t allow_cluster()
{
    const auto kernel = factor<CLUSTER, THREADS>;
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    return error == cudaSuccess ? allow_shared((const void *)kernel) : error;
}

/* Largest cluster, in thread blocks: 0 where device or build has no clusters, 8 where it has, and
 * more on some devices. CUDA's refusal here is no failure, and its error is cleared before the next
 * launch. */
int most_ranks(const struct qp_launch *l)
{
    cudaFuncAttributes attributes;
    cudaLaunchConfig_t config = {};
    int most = 0;
    config.gridDim = MOST_RANKS;
    config.blockDim = MOST_THREADS;
    config.dynamicSmemBytes = SHARED_BYTES;
    if (l->cuda->major < 9 ||
        cudaFuncGetAttributes(&attributes, factor<CLUSTER, ROWS>) != cudaSuccess ||
        attributes.ptxVersion < 90 || allow_cluster<ROWS>() != cudaSuccess ||
        allow_cluster<MOST_THREADS>() != cudaSuccess ||
        cudaOccupancyMaxPotentialClusterSize(&most, factor<CLUSTER, MOST_THREADS>, &config) !=
            cudaSuccess)
        most = 0;
    cudaGetLastError();
    return most < MOST_RANKS ? most : MOST_RANKS;
}

} // namespace

cudaError_t prepare_panel(const struct qp_launch *l, int *ranks)
{
    *ranks = most_ranks(l);
    return allow_shared((const void *)factor<BLOCK, ROWS>);
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

/* A cluster has a thread a row, in blocks of ROWS threads if these are enough. */
cudaError_t launch_panel(cudaStream_t stream, const matrix &m, int k, int ranks, exchanges *moved,
                         float4 *log, board *told)
{
    const int rows = m.rows - k;
    const bool tall = blocks_in(rows, ROWS) > ranks && blocks_in(rows, MOST_THREADS) <= ranks;
    const int threads = tall ? MOST_THREADS : ROWS, blocks = blocks_in(rows, threads);
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = SHARED_BYTES;
    config.stream = stream;
    config.attrs = &together;
    config.numAttrs = 1;
    if (blocks == 1) {
        config.numAttrs = 0;
        return cudaLaunchKernelEx(&config, factor<BLOCK, ROWS>, m, k, moved, log, told);
    }
    if (blocks <= ranks) {
        together.id = cudaLaunchAttributeClusterDimension;
        together.val.clusterDim = {(unsigned)blocks, 1, 1};
        return cudaLaunchKernelEx(&config,
                                  tall ? factor<CLUSTER, MOST_THREADS> : factor<CLUSTER, ROWS>, m,
                                  k, moved, log, told);
    }
    config.dynamicSmemBytes = sizeof(shared);
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    return cudaLaunchKernelEx(&config, factor<GRID, ROWS>, m, k, moved, log, told);
}

} // namespace gauss_jordan
