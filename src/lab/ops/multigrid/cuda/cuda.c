/* SPDX-License-Identifier: MIT */
/* Multigrid on CUDA: a variant is a scheme and a precision. */
#include "lab/ops/multigrid/cuda/kernels.h"
#include "lab/ops/multigrid/multigrid.h"

#define BY_SCHEME(values, entry, number)                                              \
    .backend = QP_CUDA, .kernel = &qp_kernel_multigrid_##entry,                       \
    .layout = "bands in rows, equal rows once", .place = "ours: after Brandt (1977)", \
    .state = {.format = (values), .pad_x = 1, .pad_y = 1, .align = 32},               \
    .own = &(const struct qp_multigrid_variant)                                       \
    {                                                                                 \
        .scheme = (number)                                                            \
    }

const struct qp_recipe qp_multigrid_cuda[] = {
    {.name = "multigrid/cuda",
     .after = "multigrid/openmp",
     .sentence = "V cycles, Chebyshev's smoother of degree 3; its steps, the residual and the "
                 "restriction of a tile in shared memory, small grids in one launch",
     BY_SCHEME(QP_R32F, float, QP_MULTIGRID_CHEBYSHEV3)},

    {.name = "multigrid/cuda_refined",
     .after = "multigrid/cuda",
     .sentence = "x and its residual in double, the cycle of that residual in float",
     BY_SCHEME(QP_R64F, float, QP_MULTIGRID_REFINED)},

    {.name = "multigrid/cuda_full",
     .after = "multigrid/cuda",
     .sentence = "full multigrid in double: one step reaches the discretisation's own error",
     BY_SCHEME(QP_R64F, double, QP_MULTIGRID_FULL_CYCLE)},

    {0},
};
