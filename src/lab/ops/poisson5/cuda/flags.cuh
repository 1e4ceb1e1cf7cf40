/* SPDX-License-Identifier: MIT */
/* Flags by which blocks of one launch wait for each other: numbers in device memory that only
 * rise. */
#ifndef QP_OPS_POISSON5_FLAGS_CUH
#define QP_OPS_POISSON5_FLAGS_CUH

namespace poisson5
{

/* Raises a flag: all that this thread's block has written before its last barrier is visible to
 * whoever sees the number. */
__device__ __forceinline__ void raise_flag(unsigned *flag, unsigned number)
{
    __threadfence();
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(number) : "memory");
}

__device__ __forceinline__ void wait_for_flag(const unsigned *flag, unsigned number)
{
    unsigned seen;
    do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    while (seen < number);
}

} // namespace poisson5

#endif
