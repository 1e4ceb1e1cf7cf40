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

/* Chapter V: alpha + 1 steps a launch. The thesis finds its best Async 2 at alpha = 6. Bits of `unjudged`: where f has
 * both signs chaotic answers have no bounds. */
#define ASYNC(number, of, rule)                                               \
    const struct qp_recipe qp_poisson5_cuda_async##number = {                 \
        STANDS(QP_R32F),                                                      \
        .kernel = &qp_kernel_poisson5_async##number,                          \
        .blocks = &async_blocks,                                              \
        .alpha = &rule,                                                       \
        .unjudged = (of) == QP_POISSON5_BLOCKS ? 0 : 1u << QP_POISSON5_FIELD, \
        .own = &(const struct qp_poisson5_row){.order = (of)}}

static const int async_rows[] = {8, 4, 16, 32, 0};
static const struct qp_block_rule async_blocks = {.listed = async_rows};
static const struct qp_alpha_rule pairs = {.usual = 6, .most = 65534, .even = true};
static const struct qp_alpha_rule any = {.usual = 6, .most = 65534};

ASYNC(0, QP_POISSON5_ASYNC_BLOCKS, pairs); /* fringes meet at every step */
ASYNC(1, QP_POISSON5_ASYNC_BLOCKS, pairs); /* - 4 of 6 barriers */
ASYNC(2, QP_POISSON5_BLOCKS, pairs);       /* - the exchange of fringes */
ASYNC(3, QP_POISSON5_ASYNC_COLUMNS, any);  /* with it, - all barriers and a block */
