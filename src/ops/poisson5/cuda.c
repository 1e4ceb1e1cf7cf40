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

/* Chapter V: alpha + 1 steps a launch. The thesis finds its best Async 2 at alpha = 6. Where f has both signs answers of
 * rows that race have no bounds. */
#define FACTORS .usual = 6, .most = 65534
#define RACES   .unjudged = 1u << QP_POISSON5_FIELD
#define ASYNC(number, update_order, ...)                                       \
    const struct qp_recipe qp_poisson5_cuda_async##number = {                  \
        STANDS(QP_R32F), .kernel = &qp_kernel_poisson5_async##number,          \
        .blocks =                                                              \
            &(const struct qp_block_rule){                                     \
                .listed = async_rows,                                          \
                .alpha = &(const struct qp_alpha_rule){FACTORS, __VA_ARGS__}}, \
        .own = &(const struct qp_poisson5_row){.order = update_order}}

static const int async_rows[] = {8, 4, 16, 32, 0};

ASYNC(0, QP_POISSON5_ASYNC_BLOCKS, .even = true, RACES); /* fringes meet at every step */
ASYNC(1, QP_POISSON5_ASYNC_BLOCKS, .even = true, RACES); /* - 4 of 6 barriers */
ASYNC(2, QP_POISSON5_BLOCKS, .even = true);              /* - the exchange of fringes */
ASYNC(3, QP_POISSON5_ASYNC_COLUMNS, RACES);              /* with it, - all barriers and a block */

/* Ours, after Async 3: pairs of columns are read as they stand, so rows begin at a cache line. */
#define STANDS_ALIGNED                                                                  \
    .state = {.format = QP_R32F, .pad_x = 1, .pad_y = 1, .align = ALIGNED},             \
    .input = {QP_ARRAY("h^2 f", QP_POISSON5_RHS,                                        \
                       {.format = QP_R32F, .pad_x = 1, .pad_y = 1, .align = ALIGNED})}, \
    .flops = 5

enum { ALIGNED = 32 /* values */ };

static const int tile_rows[] = {16, 8, 32, 0};
static const struct qp_alpha_rule sweeps = {FACTORS, RACES};
static const struct qp_block_rule tiles = {.listed = tile_rows, .alpha = &sweeps};

const struct qp_recipe qp_poisson5_cuda_async_tiles = {
    STANDS_ALIGNED, .kernel = &qp_kernel_poisson5_async_tiles, .blocks = &tiles,
    .own = &(const struct qp_poisson5_row){.order = QP_POISSON5_ASYNC_BLOCKS}};
