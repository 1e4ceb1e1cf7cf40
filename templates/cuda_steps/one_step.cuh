/*@ origin */
/* heat.frag as CUDA: one step of a block. */
/*@ end */
#ifndef ONE_STEP_CUH
#define ONE_STEP_CUH

#include "cell.cuh"

/* Rows of a warp. If the values around them are too many for registers, the warp reads them from
 * memory as it needs them. */
constexpr bool IN_REGISTERS = REACH <= 2 && ARRAYS * (UP + 2 * REACH) <= 16;

static __device__ __forceinline__ void step_kept(const struct task &t, int column, int first)
{
    const long place = (long)(first - t.low) * t.pitch + column;
    real rows[ARRAYS][UP + 2 * REACH][WIDE];
#pragma unroll
    for (int k = 0; k < ARRAYS; k++)
#pragma unroll
        for (int j = 0; j < UP + 2 * REACH; j++)
            load_wide(t.from[k] + place + (long)(j - REACH) * t.pitch, rows[k][j]);
#pragma unroll
    for (int u = 0; u < UP; u++) {
        struct piece result[STATES];
#pragma unroll
        for (int v = 0; v < V; v++) {
            struct cell<KEPT> cell = {
                &t, &t.set, v, column + v, first + u, 1
            };
#pragma unroll
            for (int k = 0; k < ARRAYS; k++)
                cell.kept[k] = rows[k] + REACH + u;
            compute<false>(&cell);
#pragma unroll
            for (int k = 0; k < STATES; k++)
                result[k].of[v] = cell.out[k];
        }
#pragma unroll
        for (int k = 0; k < STATES; k++)
            *(struct piece *)(t.to[k] + place + (long)u * t.pitch) = result[k];
    }
}

/* The same from memory, lanes beside each other. */
template <enum way WAY>
static __device__ __forceinline__ void step_far(const struct task &t, int column, int first)
{
#pragma unroll 1
    for (int y = first; y < min(first + UP, t.end); y++) {
#pragma unroll
        for (int v = 0; v < V; v++) {
            struct cell<WAY> cell = {
                &t, &t.set, v, column + v *LANES, WRAPS ? wrapped(y, t.height) : y, 1
            };
            if (cell.x < t.width) {
                compute<false>(&cell);
#pragma unroll
                for (int k = 0; k < STATES; k++)
                    t.to[k][(long)(y - t.low) * t.pitch + cell.x] = cell.out[k];
            }
        }
    }
}

static __device__ __forceinline__ void one_block(const struct task &t)
{
    const int block = t.backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x, lane = threadIdx.x;
    const int column = (block % t.across * blockDim.y + threadIdx.y) * ACROSS;
    const int first = t.begin + (block / t.across * blockDim.z + threadIdx.z) * UP;
    const bool far = column < MIDDLE || column + ACROSS + MIDDLE > t.width ||
                     first - REACH < t.floor || first + UP + REACH > t.ceiling ||
                     first + UP > t.end;
    if (far)
        step_far<FAR_CAREFUL>(t, column + lane, first);
    else if (IN_REGISTERS)
        step_kept(t, column + lane * V, first);
    else
        step_far<FAR>(t, column + lane, first);
}

#endif
