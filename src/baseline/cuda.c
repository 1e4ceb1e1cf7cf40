/* SPDX-License-Identifier: MIT */
#include "baseline/cuda.h"
#include "baseline/baseline.h"
#include "have.h"

#include "ops/gauss_jordan/gauss_jordan.h"
#include "ops/reduce/reduce.h"

int baseline_cub_version(void)
{
#if QP_HAVE_CUDA
    return baseline_cub_number;
#else
    return 0;
#endif
}

void baseline_lend_cub(void)
{
#if QP_HAVE_CUDA
    qp_lent_reduce_cub.kernel = &baseline_kernel_cub;
#endif
}

void baseline_lend_cusolver(void)
{
#if QP_HAVE_CUDA
    qp_lent_gauss_jordan_cusolver.kernel = &baseline_kernel_cusolver;
#endif
}
