/* SPDX-License-Identifier: MIT */
#include "baseline/cusolver.h"
#include "baseline/baseline.h"
#include "have.h"

#include "ops/gauss_jordan/gauss_jordan.h"

void baseline_lend_cusolver(void)
{
#if QP_HAVE_CUDA
    qp_lent_gauss_jordan_cusolver.kernel = &baseline_kernel_cusolver;
#endif
}
