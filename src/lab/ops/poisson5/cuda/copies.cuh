/* SPDX-License-Identifier: MIT */
/* Copies from device to shared memory that pass registers by: cp.async, from compute capability 8.0
 * on. Before it there are loads and stores, and nothing to wait for. */
#ifndef QP_OPS_POISSON5_COPIES_CUH
#define QP_OPS_POISSON5_COPIES_CUH

namespace poisson5
{

#if __CUDA_ARCH__ >= 800

/* Starts to copy 16 bytes: the first `bytes` of them, and zeros after them. Both places are
 * multiples of 16 bytes. */
__device__ __forceinline__ void copy_16(void *shared, const void *from, int bytes)
{
    const unsigned to = (unsigned)__cvta_generic_to_shared(shared);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes)
                 : "memory");
}

/* Copies started since the last mark are a group of their own. */
__device__ __forceinline__ void mark_copies()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until this thread's copies are done, but for those of its latest `GROUPS` groups. */
template <int GROUPS> __device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory");
}

#else

__device__ __forceinline__ void copy_16(void *shared, const void *from, int bytes)
{
    for (int k = 0; k < 4; k++)
        ((int *)shared)[k] = 4 * k < bytes ? ((const int *)from)[k] : 0;
}

__device__ __forceinline__ void mark_copies()
{
}

template <int GROUPS> __device__ __forceinline__ void wait_for_copies()
{
}

#endif

} // namespace poisson5

#endif
