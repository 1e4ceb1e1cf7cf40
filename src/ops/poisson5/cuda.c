/* SPDX-License-Identifier: MIT */
/* Poisson on CUDA (paper 5, section 3.2). Around the cells stand zeros, the rim. */
#include "ops/poisson5/kernels.h"
#include "ops/poisson5/poisson5.h"

#define STANDS(values)                                                                         \
    .state = {.format = values, .pad_x = 1, .pad_y = 1},                                       \
    .input = {QP_ARRAY("h^2 f", QP_POISSON5_RHS, {.format = values, .pad_x = 1, .pad_y = 1})}, \
    .flops = 5

/* A thread an unknown. */
const struct qp_recipe qp_poisson5_cuda_naive = {STANDS(QP_R32F),
                                                 .kernel = &qp_kernel_poisson5_naive};
const struct qp_recipe qp_poisson5_cuda_naive_double = {STANDS(QP_R64F),
                                                        .kernel = &qp_kernel_poisson5_naive_double};
