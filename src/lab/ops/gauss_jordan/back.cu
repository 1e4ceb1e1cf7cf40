/* SPDX-License-Identifier: MIT */
/* Back substitution of blocked elimination, for all right-hand sides in one launch. A strip
 * (COLUMNS unknowns) can be solved when all strips below it are known; subtracting it from the
 * strips above can be done by many thread blocks at once. So each strip has a thread block to
 * itself, which waits for one known strip after the other. This saves a launch for every strip. */
#include "lab/ops/gauss_jordan/blocked.cuh"

namespace gauss_jordan
{

namespace
{

constexpr unsigned ALL = 0xffffffff; /* all lanes of a warp */

int strips_of(const matrix &m)
{
    return m.rows / COLUMNS;
}

/* Number of groups of right-hand sides. */
int groups_of(const matrix &m)
{
    return (m.width - m.rows) / COLUMNS;
}

constexpr int SOLVERS = 256;                        /* threads of a strip */
constexpr int OWN_SIDES = COLUMNS / (SOLVERS / 32); /* sides that a warp solves for */

/* A tile of U, transposed, and unknowns. */
struct strip {
    alignas(16) float u[COLUMNS][COLUMNS + 4], x[COLUMNS][COLUMNS + 4];
};

/* The tile beside a panel's own is stored apart (blocked.cu). */
__device__ void read_tile(const matrix &m, int row, int column, strip &s)
{
    const bool apart = column == row + COLUMNS;
    const float *from =
        apart ? m.upper + (size_t)row * COLUMNS : m.a + (size_t)row * m.pitch + column;
    const int pitch = apart ? COLUMNS : m.pitch;
#pragma unroll
    for (int h = 0; h < 4; h++) {
        const int i = threadIdx.x / 16 + 16 * h, j = threadIdx.x % 16 * 4;
        float v[4];
        *(float4 *)v = four(from + (size_t)i * pitch + j);
        for (int d = 0; d < 4; d++)
            s.u[j + d][i] = v[d];
    }
}

/* Loads known unknowns past the L1 cache: other thread blocks have written them, and L1 is not
 * coherent. */
__device__ void read_known(const matrix &m, int row, int side, strip &s)
{
#pragma unroll
    for (int h = 0; h < 4; h++) {
        const int i = threadIdx.x / 16 + 16 * h, j = threadIdx.x % 16 * 4;
        *(float4 *)&s.x[i][j] =
            __ldcg((const float4 *)(m.a + (size_t)(row + i) * m.pitch + side + j));
    }
}

__device__ void subtract_tile(const strip &s, int row, int side, float (&rest)[4][4])
{
#pragma unroll 16
    for (int q = 0; q < COLUMNS; q++) {
        float u[4], x[4];
        *(float4 *)u = four(&s.u[q][row]);
        *(float4 *)x = four(&s.x[q][side]);
#pragma unroll
        for (int i = 0; i < 4; i++) {
#pragma unroll
            for (int j = 0; j < 4; j++)
                rest[i][j] -= u[i] * x[j];
        }
    }
}

/* s.x := U^-1 s.x. A warp has a strip's unknowns of some sides, two of each side a thread; from the
 * last to the first, each unknown is divided and sent to the other threads. */
__device__ void solve_strip(strip &s)
{
    const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * OWN_SIDES;
    const float inverse[2] = {1 / s.u[lane][lane], 1 / s.u[lane + 32][lane + 32]};
    float v[2][OWN_SIDES];
#pragma unroll
    for (int i = 0; i < 2 * OWN_SIDES; i++)
        v[i % 2][i / 2] = s.x[lane + i % 2 * 32][first + i / 2];
#pragma unroll
    for (int half = 1; half >= 0; half--) {
#pragma unroll 4
        for (int j = 31; j >= 0; j--) {
            const float *u = s.u[32 * half + j];
            const float above = half == 1 || lane < j ? u[lane] : 0;
            const float below = half == 1 && lane < j ? u[lane + 32] : 0;
#pragma unroll
            for (int side = 0; side < OWN_SIDES; side++) {
                const float x = __shfl_sync(ALL, v[half][side] * inverse[half], j);
                v[0][side] -= above * x;
                if (half == 1)
                    v[1][side] -= below * x;
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 2 * OWN_SIDES; i++)
        s.x[lane + i % 2 * 32][first + i / 2] = v[i % 2][i / 2] * inverse[i % 2];
}

/* Writes a strip's unknowns to the matrix, where other thread blocks read them, and to the
 * answer. */
__device__ void write_strip(const matrix &m, const strip &s, int row, int side, int sides,
                            float *out)
{
    const int width = m.n + sides;
#pragma unroll
    for (int h = 0; h < 4; h++) {
        const int i = threadIdx.x / 16 + 16 * h, j = threadIdx.x % 16 * 4;
        *(float4 *)(m.a + (size_t)(row + i) * m.pitch + side + j) = four(&s.x[i][j]);
        for (int d = 0; d < 4; d++) {
            const int at = side - m.rows + j + d;
            if (row + i < m.n && at < sides)
                out[(size_t)(row + i) * width + m.n + at] = s.x[i][j + d];
        }
    }
    __threadfence();
}

/* Back substitution: a thread block has COLUMNS unknowns of COLUMNS sides. It subtracts known
 * strips from its own right-hand sides, from the last strip up to the one below its own, each as
 * soon as it is known, and then solves. Tickets give out strips from the last one on, so that a
 * block only waits for blocks that began before it. */
__global__ void __launch_bounds__(SOLVERS)
    substitute_back(matrix m, int sides, int groups, int *tickets, float *out)
{
    __shared__ strip s;
    __shared__ int ticket;
    const int t = threadIdx.x, i = t / 16 * 4, j = t % 16 * 4;
    if (t == 0)
        ticket = atomicAdd(tickets, 1);
    __syncthreads();
    const int own = m.rows / COLUMNS - 1 - ticket / groups, group = ticket % groups;
    const int row = own * COLUMNS, side = m.rows + group * COLUMNS;
    volatile int *done = tickets + 1 + group;
    float rest[4][4];
    for (int d = 0; d < 4; d++)
        *(float4 *)rest[d] = four(m.a + (size_t)(row + i + d) * m.pitch + side + j);
    for (int other = m.rows / COLUMNS - 1; other > own; other--) {
        read_tile(m, row, other * COLUMNS, s);
        while (t == 0 && done[other * groups] == 0) {
        }
        __syncthreads();
        __threadfence();
        read_known(m, other * COLUMNS, side, s);
        __syncthreads();
        subtract_tile(s, i, j, rest);
        __syncthreads();
    }
    read_tile(m, row, row, s);
    for (int d = 0; d < 4; d++)
        *(float4 *)&s.x[i + d][j] = *(float4 *)rest[d];
    __syncthreads();
    if (side - m.rows + t / 32 * OWN_SIDES < sides)
        solve_strip(s);
    __syncthreads();
    write_strip(m, s, row, side, sides, out);
    __syncthreads();
    if (t == 0)
        done[own * groups] = 1;
}

} // namespace

size_t back_tickets(const matrix &m)
{
    return 1 + (size_t)strips_of(m) * groups_of(m);
}

cudaError_t launch_back(const struct qp_launch *l, const matrix &m, int *tickets)
{
    cudaError_t error =
        cudaMemsetAsync(tickets, 0, back_tickets(m) * sizeof *tickets, stream_of(l));
    if (error == cudaSuccess)
        substitute_back<<<strips_of(m) * groups_of(m), SOLVERS, 0, stream_of(l)>>>(
            m, sides(l), groups_of(m), tickets, l->out);
    return error == cudaSuccess ? cudaGetLastError() : error;
}

} // namespace gauss_jordan
