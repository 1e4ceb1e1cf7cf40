/* SPDX-License-Identifier: MIT */
/* Our fastest rows of Poisson on CUDA. Rows of an array begin at multiples of 128 bytes, so that 16
 * bytes of them are read and written at once; the cells are surrounded by zeros, the rim. */
#include "ops/poisson5/kernels.h"
#include "ops/poisson5/poisson5.h"

/* A row in float and one in double. */
#define SINGLE(name, ...)                              \
    const struct qp_recipe qp_poisson5_cuda_##name = { \
        QP_POISSON5_IN_ROWS(QP_R32F, 32), .kernel = &qp_kernel_poisson5_##name, __VA_ARGS__}
#define DOUBLE(name, ...)                                                                \
    const struct qp_recipe qp_poisson5_cuda_##name##_double = {                          \
        QP_POISSON5_IN_ROWS(QP_R64F, 16), .kernel = &qp_kernel_poisson5_##name##_double, \
        __VA_ARGS__}
#define BOTH(name, ...)        \
    SINGLE(name, __VA_ARGS__); \
    DOUBLE(name, __VA_ARGS__)

/* Rows of a thread (sweep.cu). */
static const int sweep_rows[] = {4, 2, 8, 0};
static const struct qp_block_rule sweep_blocks = {.listed = sweep_rows, .counts = "rows a thread"};

/* Steps in one launch (temporal_steps.cuh). */
#define AT_ONCE "steps at once"
static const int steps_at_once[] = {12, 8, 4, 16, 0}, steps_at_once_double[] = {8, 4, 0};
static const int sweeps_at_once[] = {6, 4, 2, 0}, sweeps_at_once_double[] = {4, 2, 0};

/* The lower a grid, the lower are the chunks that all multiprocessors share, and the larger is the
 * part that is computed twice, three rows a step: on an H200 12 steps are 1.17 times as fast as 8
 * at n = 16384, and 0.82 times at 4096. Weighted steps compute twice as much, and memory holds
 * nothing up: there 8 at once waste less of a strip, and are 1.09 times as fast at 16384. */
static int usual_steps(const struct qp_recipe *recipe, int rows)
{
    enum { HIGH = 6144 };
    (void)recipe;
    return rows >= HIGH ? 12 : 8;
}

static const struct qp_block_rule steps_blocks = {.listed = steps_at_once,
                                                  .counts = AT_ONCE,
                                                  .usual = usual_steps,
                                                  .weighted = 8},
                                  steps_blocks_double = {.listed = steps_at_once_double,
                                                         .counts = AT_ONCE};
static const struct qp_block_rule sweeps_blocks = {.listed = sweeps_at_once, .counts = AT_ONCE},
                                  sweeps_blocks_double = {.listed = sweeps_at_once_double,
                                                          .counts = AT_ONCE};

static const struct qp_poisson5_row red_black = {.order = QP_POISSON5_RED_BLACK};

BOTH(sweep, .blocks = &sweep_blocks);
SINGLE(temporal, .blocks = &steps_blocks);
DOUBLE(temporal, .blocks = &steps_blocks_double);

/* The same with half steps: red cells, then black ones. */
SINGLE(red_black, .own = &red_black, .blocks = &sweeps_blocks);
DOUBLE(red_black, .own = &red_black, .blocks = &sweeps_blocks_double);

/* The grid on the chip for many steps, where it fits there; tiles exchange their rims every eighth
 * step. */
BOTH(resident, .blocks = NULL);
BOTH(red_black_resident, .own = &red_black);
