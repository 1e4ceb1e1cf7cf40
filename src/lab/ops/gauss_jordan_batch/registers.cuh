/* SPDX-License-Identifier: MIT */
/* Many small systems on CUDA: T neighbouring threads have one system, N / T of its rows each, all
 * of it in registers.
 *
 *     for every column k
 *         p = the row without a pivot yet whose a_pk is largest      (shuffles: the threads vote)
 *         for all other rows i without a pivot yet, and all j > k
 *             a_ij = a_ij - a_ik / a_pk a_pj                  (row p comes from shared memory)
 *     for every column k from the last one back, with its row p
 *         x_k = b_p / a_pk                                           (a shuffle gives x_k)
 *         for all rows i: b_i = b_i - a_ik x_k
 *
 * Rows are never exchanged, for registers have no addresses (implicit pivoting): a row is
 * remembered by the column whose pivot it was, and is no candidate any more. Gauss-Jordan would
 * spare the second loop by eliminating upwards, but divides there by pivots that may be much
 * smaller than the numbers they divide.
 *
 * This text includes nothing: NVRTC compiles it for UNKNOWNS, a system's number of unknowns, and
 * TEAM, its threads (exact.c), and nvcc for a few sizes (registers.cu). */
#ifndef QP_OPS_GAUSS_JORDAN_BATCH_REGISTERS_CUH
#define QP_OPS_GAUSS_JORDAN_BATCH_REGISTERS_CUH

namespace
{

constexpr unsigned ALL = 0xffffffff; /* a warp's lanes */

/* Division a / p, right but for the last bit, of an a that may be as small or as large as floats
 * are, and so may p: p is scaled to about 1 by a power of two. */
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
 * indices of registers are constants once the loops are unrolled: over all columns k = k0 + q up to
 * 24 of them; from there on over fours of columns, whose inner loop over q takes a column's values
 * from four registers. */
template <int N, int T> struct part {
    static constexpr int ROWS = (N + T - 1) / T, WIDE = (N + 4) / 4 * 4;
    static constexpr bool UNROLLED = N <= 24;
    float a[ROWS][WIDE];
    int column[ROWS]; /* column whose pivot this row was; -1: none yet; N: row does not exist */
    int thread = threadIdx.x % T;
    int failed = 0; /* the first column without a pivot, from 1 */
    float *rows;    /* shared memory of the system: two rows of pivots, in turn */

    __device__ void load(const float *system, int n, bool live)
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const int i = r * T + thread;
            const bool real = live && i < n;
#pragma unroll
            for (int j = 0; j < WIDE; j++)
                a[r][j] = real && j < n ? system[i * (n + 1) + j] : 0.0f;
            a[r][N] = real ? system[i * (n + 1) + n] : 0.0f;
            column[r] = i < n ? -1 : N;
        }
    }

    /* Column k0 + q of a row of this thread. */
    __device__ float at(int r, int k0, int q) const
    {
        float value = a[r][k0];
#pragma unroll
        for (int i = 1; i < 4 && k0 + i < N; i++)
            value = q == i ? a[r][k0 + i] : value;
        return value;
    }

    /* Column j of a row that is known when this runs; it takes a look at each. */
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

    /* Finds the pivot of a column: the first thread with the largest candidate owns it. Returns
     * this thread's best row. */
    __device__ int vote(int k0, int q, int *owner)
    {
        float best = -1.0f;
        int row = 0;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float value = fabsf(at(r, k0, q));
            const bool better = column[r] < 0 && value > best;
            best = better ? value : best;
            row = better ? r : row;
        }
        float most = best;
#pragma unroll
        for (int apart = 1; apart < T; apart *= 2)
            most = fmaxf(most, __shfl_xor_sync(ALL, most, apart));
        *owner = who(best == most);
        if (!(most > 0.0f && isfinite(most)) && failed == 0)
            failed = k0 + q + 1;
        return row;
    }

    /* Copies the pivot's row, from column k0 on, to where all threads of the system read it. */
    __device__ void share(int row, int k0, float *to) const
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (row != r)
                continue;
#pragma unroll
            for (int j = k0; j < N; j += 4)
                *(float4 *)(to + j) = make_float4(a[r][j], a[r][j + 1], a[r][j + 2], a[r][j + 3]);
            to[N] = a[r][N];
        }
    }

    __device__ void eliminate(int k0, int q)
    {
        int owner;
        const int row = vote(k0, q, &owner);
        float *const of_pivot = rows + q % 2 * WIDE;
        if (T > 1 && thread == owner)
            share(row, k0, of_pivot);
        __syncwarp();
        const divisor pivot(T > 1 ? of_pivot[k0 + q] : pick(row, k0 + q));
        float factor[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            column[r] = thread == owner && row == r ? k0 + q : column[r];
            factor[r] = column[r] < 0 ? pivot.divide(at(r, k0, q)) : 0.0f;
        }
#pragma unroll
        for (int j0 = k0; j0 <= N; j0 += 4) {
            const float4 four = T > 1 ? *(const float4 *)(of_pivot + j0) : float4();
            const float value[] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int j = j0; j < j0 + 4 && j <= N; j++) {
                if (UNROLLED && j <= k0 + q)
                    continue; /* nothing of these columns is read any more */
                const float p = T > 1 ? value[j - j0] : pick(row, j);
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    a[r][j] = fmaf(-factor[r], p, a[r][j]);
            }
        }
    }

    /* Substitutes x_k. Rows that own a later pivot are already substituted; their b may be
     * overwritten. */
    __device__ float substitute(int k0, int q)
    {
        float b = 0.0f, pivot = 1.0f;
        bool mine = false;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const bool owns = column[r] == k0 + q;
            b = owns ? a[r][N] : b;
            pivot = owns ? at(r, k0, q) : pivot;
            mine = mine || owns;
        }
        const float x = __shfl_sync(ALL, divisor(pivot).divide(b), who(mine), T);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            a[r][N] = fmaf(-at(r, k0, q), x, a[r][N]);
        return x;
    }

    /* Solves a system. Every thread of a warp calls it, for all take part in shuffles; threads
     * without a system are not `live`. */
    __device__ void solve(float *answer, int n, bool live)
    {
        float x[ROWS] = {};
#pragma unroll
        for (int k0 = 0; k0 < N; k0 += 4) {
#pragma unroll UNROLLED ? 4 : 1
            for (int q = 0; q < 4; q++) {
                if (k0 + q < n)
                    eliminate(k0, q);
            }
        }
#pragma unroll
        for (int k0 = (N - 1) / 4 * 4; k0 >= 0; k0 -= 4) {
#pragma unroll UNROLLED ? 4 : 1
            for (int q = 3; q >= 0; q--) {
                if (k0 + q >= n)
                    continue;
                const float found = substitute(k0, q);
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    x[r] = k0 + q == r * T + thread ? found : x[r];
            }
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
__device__ inline void fetch(float *to, const float *from, int count)
{
    const int fours = count / 4 * 4;
    for (int i = fours + threadIdx.x; i < count; i += blockDim.x)
        to[i] = from[i];
#if __CUDA_ARCH__ >= 900
    __shared__ unsigned long long barrier;
    const unsigned arrived = (unsigned)__cvta_generic_to_shared(&barrier);
    unsigned here = 0;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(arrived) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(arrived),
                     "r"(4 * fours)
                     : "memory");
        if (fours > 0) /* a single system of one unknown has none */
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                         "[%0], [%1], %2, [%3];" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                         "l"(from), "r"(4 * fours), "r"(arrived)
                         : "memory");
    }
    __syncthreads();
    while (here == 0)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; "
                     "selp.b32 %0, 1, 0, p; }"
                     : "=r"(here)
                     : "r"(arrived)
                     : "memory");
#else
    for (int i = 4 * threadIdx.x; i < fours; i += 4 * blockDim.x)
        *(float4 *)(to + i) = *(const float4 *)(from + i);
    __syncthreads();
#endif
}

/* Solves a block's systems of n unknowns. A pivot's row is shared where its system was, once the
 * registers have it: fours of neighbouring systems are an odd number of fours apart, so that a
 * warp reads them without conflicts. */
template <int N, int T>
__device__ inline void solve(const float *systems, float *answers, int n, int count)
{
    extern __shared__ float4 shared[];
    const int values = n * (n + 1), room = blockDim.x / T, local = threadIdx.x / T;
    const size_t first = (size_t)blockIdx.x * room;
    const int here = min(room, (int)(count - first));
    fetch((float *)shared, systems + first * values, here * values);
    part<N, T> own;
    own.load((float *)shared + local * values, n, local < here);
    own.rows = (float *)shared + (local * values + 3) / 4 * 4 +
               (values % 8 == 0 ? local * T % 32 / T * 4 : 0);
    __syncwarp();
    own.solve(answers + (first + local) * (n + 1), n, local < here);
}

/* Blocks of a multiprocessor that registers must be left for: so they are no more than fit without
 * a detour by memory, nor than let three or four warps share a scheduler. */
constexpr int THREADS = 64, FEW = 6, MANY = 8;

} // namespace

#ifdef UNKNOWNS
extern "C" __global__ void __launch_bounds__(THREADS, UNKNOWNS <= 24 ? MANY : FEW)
    solve(const float *systems, float *answers, int count)
{
    solve<UNKNOWNS, TEAM>(systems, answers, UNKNOWNS, count);
}
#endif
#endif
