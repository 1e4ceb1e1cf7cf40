/* SPDX-License-Identifier: MIT */
/* Layout of the scratch memory of eliminations on CUDA. */
#ifndef QP_OPS_GAUSS_JORDAN_MEMORY_CUH
#define QP_OPS_GAUSS_JORDAN_MEMORY_CUH

#include "lab/engines/launch.cuh"

namespace gauss_jordan
{

/* Cuts arrays from one piece of memory (a bump allocator), each 256 bytes aligned. From NULL it
 * only counts bytes. */
class cutter
{
  public:
    explicit cutter(void *block) : block_((char *)block)
    {
    }

    template <class T> T *take(size_t count)
    {
        T *array = block_ != nullptr ? (T *)(block_ + bytes_) : nullptr;
        bytes_ += (count * sizeof(T) + 255) / 256 * 256;
        return array;
    }

    double bytes() const
    {
        return (double)bytes_;
    }

  private:
    char *block_;
    size_t bytes_ = 0;
};

/* Arrays that all of them have: the log, at the beginning (kernel.h), and [A | b] at the start. The
 * first of the log's four values for each column k is the pivot, the third the number of rows from
 * row k down to it. */
struct begin {
    float4 *log;
    float *start;
};

inline int unknowns(const struct qp_launch *l)
{
    return l->height;
}

inline int sides(const struct qp_launch *l)
{
    return l->width - l->height;
}

inline double log_bytes(const struct qp_launch *l)
{
    return (double)unknowns(l) * sizeof(float4);
}

inline begin cut_begin(const struct qp_launch *l, cutter &memory)
{
    begin b;
    b.log = memory.take<float4>((size_t)unknowns(l));
    b.start = memory.take<float>(cells_of(l));
    return b;
}

/* qp_kernel.start of these kernels: keeps a copy of [A | b]. */
inline enum qp_status keep_start(struct qp_launch *l)
{
    cutter memory(l->scratch);
    return qp_cuda_check(cudaMemcpyAsync(cut_begin(l, memory).start, l->x,
                                         cells_of(l) * sizeof(float), cudaMemcpyDeviceToDevice,
                                         stream_of(l)),
                         "copy [A | b]");
}

} // namespace gauss_jordan

#endif
