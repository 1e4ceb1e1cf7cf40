/* SPDX-License-Identifier: MIT */
/* What the parts of paper 5's tables share. */
#include "cmd/paper/bench_paper5.h"
#include "cuda/device.h"

const char paper5_tuned[] = "poisson5/cuda_tuned_sync";
const double paper5_flops = 5.0, paper5_bytes = 9.125, paper5_least_bytes = 8.0;

int paper5_devices(void)
{
    return qp_cuda_look(0) != QP_OK ? 0 : qp_cuda_look(1) != QP_OK ? 1 : 2;
}
