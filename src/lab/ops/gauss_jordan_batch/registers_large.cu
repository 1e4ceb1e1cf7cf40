/* SPDX-License-Identifier: MIT */
/* Many systems of up to 64 unknowns on CUDA (registers.cuh). */
#include "lab/ops/gauss_jordan_batch/registers.cuh"

void qp_gauss_jordan_batch_start_large(const struct qp_launch *l, int n, int count)
{
    (n <= 48 ? start<48, 16> : start<64, 32>)(l, n, count);
}
