/* SPDX-License-Identifier: MIT */
/* Our fastest rows of Poisson on CUDA. Rows of an array begin at multiples of 128 bytes, so that 16 bytes of them are read
 * and written at once; around the cells stand zeros, the rim. */
#include "ops/poisson5/kernels.h"
#include "ops/poisson5/poisson5.h"

#define STANDS(values, line)                                                        \
    .state = {.format = values, .pad_x = 1, .pad_y = 1, .align = line},             \
    .input = {QP_ARRAY("h^2 f", QP_POISSON5_RHS,                                    \
                       {.format = values, .pad_x = 1, .pad_y = 1, .align = line})}, \
    .flops = 5
#define STANDS_SINGLE STANDS(QP_R32F, 32)
#define STANDS_DOUBLE STANDS(QP_R64F, 16)

/* Rows that a thread goes up; thousands choose rows that are loaded at once, and stores past the caches (sweep.cu). */
static const int sweep_rows[] = {16,   8,    32,   64,   128,  1016, 1032, 1064, 2016, 2032,
                                 2064, 3016, 3032, 3064, 4008, 4016, 4032, 4064, 0};
static const struct qp_block_rule sweep_blocks = {.listed = sweep_rows};

/* Steps in one launch; hundreds choose strips of twice as many columns (temporal.cu). */
static const int steps_at_once[] = {12, 4, 8, 16, 108, 0};
static const int steps_at_once_double[] = {8, 4, 12, 0};
static const int sweeps_at_once[] = {6, 4, 2, 0}, sweeps_at_once_double[] = {4, 2, 0};
static const struct qp_block_rule steps_blocks = {.listed = steps_at_once},
                                  steps_blocks_double = {.listed = steps_at_once_double};

static const struct qp_block_rule sweeps_blocks = {.listed = sweeps_at_once},
                                  sweeps_blocks_double = {.listed = sweeps_at_once_double};

static const struct qp_poisson5_row red_black = {.order = QP_POISSON5_RED_BLACK};

const struct qp_recipe qp_poisson5_cuda_sweep = {STANDS_SINGLE, .kernel = &qp_kernel_poisson5_sweep,
                                                 .blocks = &sweep_blocks};
const struct qp_recipe qp_poisson5_cuda_sweep_double = {
    STANDS_DOUBLE, .kernel = &qp_kernel_poisson5_sweep_double, .blocks = &sweep_blocks};
const struct qp_recipe qp_poisson5_cuda_temporal = {
    STANDS_SINGLE, .kernel = &qp_kernel_poisson5_temporal, .blocks = &steps_blocks};
const struct qp_recipe qp_poisson5_cuda_temporal_double = {
    STANDS_DOUBLE, .kernel = &qp_kernel_poisson5_temporal_double, .blocks = &steps_blocks_double};

/* The same with half steps: red cells, then black ones. */
const struct qp_recipe qp_poisson5_cuda_red_black = {STANDS_SINGLE, .own = &red_black,
                                                     .kernel = &qp_kernel_poisson5_red_black,
                                                     .blocks = &sweeps_blocks};
const struct qp_recipe qp_poisson5_cuda_red_black_double = {
    STANDS_DOUBLE, .own = &red_black, .kernel = &qp_kernel_poisson5_red_black_double,
    .blocks = &sweeps_blocks_double};

/* The grid on the chip for many steps, where it fits there; tiles exchange their rims every eighth step. */
const struct qp_recipe qp_poisson5_cuda_resident = {STANDS_SINGLE,
                                                    .kernel = &qp_kernel_poisson5_resident};
const struct qp_recipe qp_poisson5_cuda_resident_double = {
    STANDS_DOUBLE, .kernel = &qp_kernel_poisson5_resident_double};
const struct qp_recipe qp_poisson5_cuda_red_black_resident = {
    STANDS_SINGLE, .own = &red_black, .kernel = &qp_kernel_poisson5_red_black_resident};
const struct qp_recipe qp_poisson5_cuda_red_black_resident_double = {
    STANDS_DOUBLE, .own = &red_black, .kernel = &qp_kernel_poisson5_red_black_resident_double};
