/* The reduction of paper 4; its constants are the choices of its author's own tuner. With the first
 * values of them a thread adds 2^24 values as reduce/cuda_cascaded does, two at a time as long as
 * there are any. */
/*@ tune threads = 256 64 128 512 1024 */ /* threads of a block */
/*@ tune each = 24 4 16 64 256 */         /* values that a thread adds before its block does */
/*@ tune vector = 1 2 4 */                /* values that a thread reads at a time */
/*@ tune near = 0 1 */    /* a block's values are neighbours; 0: blocks take turns */
/*@ tune shuffle = 0 1 */ /* the last warp exchanges registers; 0: shared memory */
/*@ tune atomic = 0 1 */  /* blocks add their sums by atomic additions; 0: another launch does */
/*@ term bytes = 1 + 1 / threads / each */
/*@ term fetches = 1 / vector */
/*@ term arithmetic = 1 + 5 / each */
/*@ term launches = 2 + threads * each / 65536 */

enum { WARP = 32, PIECES = EACH / VECTOR, AT_ONCE = PIECES > 1 ? 2 : 1 };

struct __align__(4 * VECTOR) piece
{
    float value[VECTOR];
};

/* The sum of a piece; beyond the n-th value all are 0. */
static __device__ float add_piece(const float *v, size_t i, size_t n)
{
    piece p = {};
    if (VECTOR * (i + 1) <= n)
        p = *(const piece *)(v + VECTOR * i);
    else
        for (int k = 0; k < VECTOR - 1; k++)
            if (VECTOR * i + k < n)
                p.value[k] = v[VECTOR * i + k];
    float sum = p.value[0];
    for (int k = 1; k < VECTOR; k++)
        sum += p.value[k];
    return sum;
}

/* Halves are added to halves: by the block, and at last by a warp. */
static __device__ float add_block(float sum)
{
    __shared__ float all[THREADS];
    const int own = threadIdx.x;
    all[own] = sum;
    __syncthreads();
#pragma unroll
    for (int half = THREADS / 2; half >= WARP; half /= 2) {
        if (own < half)
            all[own] = sum = sum + all[own + half];
        __syncthreads();
    }
#pragma unroll
    for (int half = WARP / 2; half > 0 && own < WARP; half /= 2) {
        sum += SHUFFLE ? __shfl_down_sync(0xffffffffu, sum, half) : all[own + half];
        __syncwarp();
        all[own] = sum;
        __syncwarp();
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(THREADS) tuned(const float *v, size_t n, float *out)
{
    const size_t block = blockIdx.x, all = (n + VECTOR - 1) / VECTOR,
                 step = (size_t)THREADS * AT_ONCE * (NEAR ? 1 : gridDim.x),
                 first = block * THREADS * (NEAR ? PIECES : AT_ONCE),
                 end = NEAR && all > first + THREADS * PIECES ? first + THREADS * PIECES : all;
    float sum = 0.0f;
    for (size_t i = first + threadIdx.x; i < end; i += step)
        sum += add_piece(v, i, n) + (AT_ONCE > 1 ? add_piece(v, i + THREADS, n) : 0.0f);
    sum = add_block(sum);
    if (threadIdx.x > 0)
        return;
    if (ATOMIC)
        atomicAdd(out, sum);
    else
        out[block] = sum;
}
