/* SPDX-License-Identifier: MIT */
/* Many small systems on CUDA: T neighbouring threads have one system, N / T of its rows each, all
 * of it in registers.
 *
 *     for every column k
 *         p = the row without a pivot yet whose a_pk is largest      (shuffles: the threads vote)
 *         for all other rows i without a pivot yet, and all j > k
 *             a_ij = a_ij - a_ik / a_pk a_pj                         (a shuffle gives each a_pj)
 *     for every column k from the last one back, with its row p
 *         x_k = b_p / a_pk                                           (a shuffle gives x_k)
 *         for all rows i: b_i = b_i - a_ik x_k
 *
 * Rows are never exchanged, for registers have no addresses (implicit pivoting): a row is
 * remembered by the column whose pivot it was, and is no candidate any more. Gauss-Jordan would
 * spare the second loop by eliminating upwards, but divides there by pivots that may be much
 * smaller than the numbers they divide. */
#ifndef QP_OPS_GAUSS_JORDAN_BATCH_REGISTERS_CUH
#define QP_OPS_GAUSS_JORDAN_BATCH_REGISTERS_CUH

#include "lab/ops/gauss_jordan_batch/kernels.h"

#include <cooperative_groups.h>
#include <cuda/barrier>

#include "lab/engines/launch.cuh"

namespace
{

constexpr int THREADS = 128;           /* threads of a block, or fewer where memory is short */
constexpr int SHARED_BYTES = 48 << 10; /* every device has them for a block */
constexpr unsigned ALL = 0xffffffff;   /* a warp's lanes */

using barrier = cuda::barrier<cuda::thread_scope_block>;

/* Division a / p of several a not larger than p, which may be as small or as large as floats are: p
 * is scaled to about 1 by a power of two, and its reciprocal is right but for the last bit. */
struct divisor {
    float scale, inverse;
    __device__ explicit divisor(float p)
    {
        const int exponent = __float_as_int(p) & 0x7f800000;
        scale = __int_as_float(max(0x7f000000 - exponent, 0x00800000));
        inverse = __fdividef(1.0f, p * scale);
    }
    __device__ float divide(float a) const
    {
        return a * scale * inverse;
    }
};

/* Part of a system of n unknowns, n <= N, in one of its T threads: every T-th row of [A | b]. All
 * indices of registers are constants once the loops are unrolled. */
template <int N, int T> struct part {
    static constexpr int ROWS = N / T;
    float a[ROWS][N + 1];
    int column[ROWS]; /* column whose pivot this row was; -1: none yet; N: row does not exist */
    int thread = threadIdx.x % T;
    int failed = 0; /* the first column without a pivot, from 1 */

    __device__ void load(const float *system, int n, bool live)
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const int i = r * T + thread;
            const bool real = live && i < n;
#pragma unroll
            for (int j = 0; j < N; j++)
                a[r][j] = real && j < n ? system[i * (n + 1) + j] : 0.0f;
            a[r][N] = real ? system[i * (n + 1) + n] : 0.0f;
            column[r] = i < n ? -1 : N;
        }
    }

    /* Column j of this thread's row `row`. */
    __device__ float pick(int row, int j) const
    {
        float value = a[0][j];
#pragma unroll
        for (int r = 1; r < ROWS; r++)
            value = row == r ? a[r][j] : value;
        return value;
    }

    /* The first of the T threads whose `yes` is true; any thread where none is: then all of them
     * have the same value. */
    __device__ static int who(bool yes)
    {
        const unsigned all = __ballot_sync(ALL, yes) >> (threadIdx.x % 32 / T * T);
        return (__ffs(all) - 1) % T;
    }

    /* Finds the pivot of column k: the first thread with the largest candidate owns it. Returns
     * this thread's best row. */
    __device__ int vote(int k, int *owner)
    {
        float best = -1.0f;
        int row = 0;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const bool better = column[r] < 0 && fabsf(a[r][k]) > best;
            best = better ? fabsf(a[r][k]) : best;
            row = better ? r : row;
        }
        float most = best;
#pragma unroll
        for (int apart = 1; apart < T; apart *= 2)
            most = fmaxf(most, __shfl_xor_sync(ALL, most, apart));
        *owner = who(best == most);
        if (!(most > 0.0f && isfinite(most)) && failed == 0)
            failed = k + 1;
        return row;
    }

    __device__ void eliminate(int k)
    {
        int owner;
        const int row = vote(k, &owner);
        const divisor pivot(__shfl_sync(ALL, pick(row, k), owner, T));
        float factor[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            column[r] = thread == owner && row == r ? k : column[r];
            factor[r] = column[r] < 0 ? pivot.divide(a[r][k]) : 0.0f;
        }
#pragma unroll
        for (int j = k + 1; j <= N; j++) {
            const float of_pivot = __shfl_sync(ALL, pick(row, j), owner, T);
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                a[r][j] = fmaf(-factor[r], of_pivot, a[r][j]);
        }
    }

    /* Substitutes x_k. Rows that own a later pivot are already substituted; their b may be
     * overwritten. */
    __device__ float substitute(int k)
    {
        float b = 0.0f, pivot = 1.0f;
        bool mine = false;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            b = column[r] == k ? a[r][N] : b;
            pivot = column[r] == k ? a[r][k] : pivot;
            mine = mine || column[r] == k;
        }
        const float x = __shfl_sync(ALL, b / pivot, who(mine), T);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            a[r][N] = fmaf(-a[r][k], x, a[r][N]);
        return x;
    }

    /* Solves a system. Every thread of a warp calls it, for all take part in shuffles; threads
     * without a system are not `live`. */
    __device__ void solve(float *answer, int n, bool live)
    {
        float x[ROWS] = {};
#pragma unroll
        for (int k = 0; k < N; k++) {
            if (k >= n)
                break;
            eliminate(k);
        }
#pragma unroll
        for (int k = N - 1; k >= 0; k--) {
            const float found = substitute(k);
            x[k / T] = k % T == thread ? found : x[k / T];
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (live && r * T + thread < n)
                answer[r * T + thread] = failed == 0 ? x[r] : 0.0f;
        }
        if (live && thread == 0)
            answer[n] = (float)failed;
    }
};

/* Copies a thread block's systems to shared memory as one piece, since their rows are no multiple
 * of words that threads could read together; from compute capability 9.0 on by one instruction
 * (bulk copy), past the registers. All but the last values are whole fours. */
__device__ void fetch(float *to, const float *from, int count)
{
    __shared__ __align__(alignof(barrier)) char memory[sizeof(barrier)];
    barrier &arrived = *(barrier *)memory;
    const auto block = cooperative_groups::this_thread_block();
    const int fours = count / 4 * 4;
    if (threadIdx.x == 0)
        init(&arrived, blockDim.x);
    block.sync();
    if (fours > 0) /* a single system of one unknown has none */
        cuda::memcpy_async(block, to, from, cuda::aligned_size_t<16>(fours * sizeof *to), arrived);
    for (int i = fours + threadIdx.x; i < count; i += blockDim.x)
        to[i] = from[i];
    arrived.arrive_and_wait();
}

/* FIXED: n = N is known when this is compiled. */
template <int N, int T, bool FIXED>
__global__ void __launch_bounds__(THREADS)
    registers(const float *systems, float *answers, int unknowns, int count)
{
    extern __shared__ float4 shared[];
    const int n = FIXED ? N : unknowns, values = n * (n + 1);
    const int room = blockDim.x / T, local = threadIdx.x / T; /* systems of a block */
    const size_t first = (size_t)blockIdx.x * room;
    const int here = min(room, (int)(count - first));
    fetch((float *)shared, systems + first * values, here * values);
    part<N, T> own;
    own.load((float *)shared + local * values, n, local < here);
    own.solve(answers + (first + local) * (n + 1), n, local < here);
}

template <int N, int T, bool FIXED = false> void start(const struct qp_launch *l, int n, int count)
{
    const int bytes = n * (n + 1) * (int)sizeof(float); /* a system's */
    int threads = THREADS;
    while (threads / T * bytes > SHARED_BYTES)
        threads /= 2;
    const int room = threads / T;
    registers<N, T, FIXED><<<blocks_in(count, room), threads, (size_t)room * bytes, stream_of(l)>>>(
        l->input[0], l->out, n, count);
}

} // namespace

/* Starts the kernel for systems of more than 32 unknowns, in a file of its own, for these take long
 * to compile. */
void qp_gauss_jordan_batch_start_large(const struct qp_launch *l, int n, int count);

#endif
