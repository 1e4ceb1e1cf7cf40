/* SPDX-License-Identifier: MIT */
/* The opponent of all reductions on CUDA: CUB's DeviceReduce::Sum, which the toolkit brings as a
 * header. */
#include "lab/baseline/cuda.h"

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include "lab/engines/launch.cuh"

namespace
{

/* A problem has 2^29 values at most (lab/plan/problem.c), and an int for their number lets CUB
 * compute with offsets of 32 bits: its best. With 64 bits it takes as long where values are many,
 * and 1 % longer at 2^24 of them. */
cudaError_t add(const struct qp_launch *l, void *scratch, size_t *bytes)
{
    return cub::DeviceReduce::Sum(scratch, *bytes, l->input[0], l->out, (int)cells_of(l),
                                  stream_of(l));
}

double scratch(const struct qp_launch *l)
{
    size_t bytes = 0;
    return add(l, NULL, &bytes) == cudaSuccess ? (double)bytes : 0.0;
}

enum qp_status launch(struct qp_launch *l)
{
    size_t enough = SIZE_MAX; /* scratch has the size CUB asked for; CUB only compares */
    return qp_cuda_check(add(l, l->scratch, &enough), "let CUB add");
}

} // namespace

const int baseline_cub_number = CUB_VERSION;
const struct qp_cuda_kernel baseline_kernel_cub = {.launch = launch, .scratch = scratch};
