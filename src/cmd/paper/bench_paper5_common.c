/* SPDX-License-Identifier: MIT */
/* What the parts of paper 5's tables share. */
#include "cmd/paper/bench_paper5.h"
#include "cuda/device.h"

const double paper5_flops = 5.0, paper5_bytes = 9.125, paper5_least_bytes = 8.0;

static const char *first_there(const char *name, const char *else_name)
{
    return qp_variant_find(name) != NULL ? name : else_name;
}

const char *paper5_tuned(void)
{
    return first_there("poisson5/cuda_tuned_sync", "poisson5/cuda_naive");
}

const char *paper5_tuned_double(void)
{
    return first_there("poisson5/cuda_double_hilo", "poisson5/cuda_naive_double");
}

int paper5_devices(void)
{
    return qp_cuda_look(0) != QP_OK ? 0 : qp_cuda_look(1) != QP_OK ? 1 : 2;
}
