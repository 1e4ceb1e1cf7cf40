/* SPDX-License-Identifier: MIT */
#include "baseline/cub.h"
#include "baseline/baseline.h"
#include "have.h"

#include "ops/reduce/reduce.h"

void baseline_lend_cub(void)
{
#if QP_HAVE_CUDA
    qp_lent_reduce_cub.kernel = &baseline_kernel_cub;
#endif
}
