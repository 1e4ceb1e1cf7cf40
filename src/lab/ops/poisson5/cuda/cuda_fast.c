/* SPDX-License-Identifier: MIT */
/* Our fastest variants of Poisson on CUDA. Rows of an array begin at multiples of 128 bytes, so
 * that 16 bytes of them are read and written at once; the cells are surrounded by zeros, the
 * rim. */
#include "lab/ops/poisson5/async_variants.h"
#include "lab/ops/poisson5/cuda/kernels.h"

/* A variant in float and one in double. */
#define SINGLE(entry, ...)                                                                       \
    .backend = QP_CUDA, QP_POISSON5_IN_ROWS(QP_R32F, 32), .kernel = &qp_kernel_poisson5_##entry, \
    __VA_ARGS__
#define DOUBLE(entry, ...)                                \
    .backend = QP_CUDA, QP_POISSON5_IN_ROWS(QP_R64F, 16), \
    .kernel = &qp_kernel_poisson5_##entry##_double, __VA_ARGS__

/* Rows of a thread (sweep.cu). */
static const int sweep_rows[] = {4, 2, 8, 0};
static const struct qp_block_rule sweep_blocks = {.listed = sweep_rows, .counts = "rows a thread"};

/* Steps in one launch (temporal_steps.cuh). */
#define AT_ONCE "steps at once"
static const int steps_at_once[] = {16, 12, 8, 4, 0}, steps_at_once_double[] = {8, 4, 0};
static const int sweeps_at_once[] = {6, 4, 2, 0}, sweeps_at_once_double[] = {4, 2, 0};

/* The lower a grid, the lower are the chunks that all multiprocessors share, and the larger is the
 * part that is computed twice, two rows a step: on an H200 8, 12 and 16 steps make 2720, 2330
 * and 2100 GLUP/s at n = 4096, 3400, 3850 and 3660 at 8192, 3620, 4470 and 4590 at 16384.
 * Weighted steps compute twice as much, and 8 at once waste less of a strip. */
static int usual_steps(const struct qp_recipe *recipe, int rows)
{
    enum { HIGH = 6144, HIGHER = 12288 };
    (void)recipe;
    return rows >= HIGHER ? 16 : rows >= HIGH ? 12 : 8;
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

/* Heights of tiles. */
static const int tile_heights[] = {16, 8, 32, 0};

static const struct qp_poisson5_variant red_black = {.order = QP_POISSON5_RED_BLACK};

const struct qp_recipe qp_poisson5_cuda_fast[] = {
    {.name = "poisson5/cuda_sweep",
     .after = "poisson5/cuda_tuned_sync",
     .layout = "one grid, rows at 128 bytes",
     .place = "ours: the fastest single step",
     .sentence = "16 bytes of four rows a thread, all loaded at once, every other step backwards",
     SINGLE(sweep, .blocks = &sweep_blocks)},

    {.name = "poisson5/cuda_sweep_double",
     .after = "poisson5/cuda_double_hilo",
     .layout = "one grid, rows at 128 bytes, in double",
     .place = "ours: the fastest single step",
     .sentence = "the same in double",
     DOUBLE(sweep, .blocks = &sweep_blocks)},

    {.name = "poisson5/cuda_temporal",
     .after = "poisson5/cuda_sweep",
     .layout = "one grid, rows at 128 bytes",
     .place = "ours: temporal blocking, after AN5D and EBISU",
     .sentence = "up to 16 steps in one go over the grid, all of them in registers; the bits of "
                 "single steps",
     SINGLE(temporal, .blocks = &steps_blocks)},

    {.name = "poisson5/cuda_temporal_double",
     .after = "poisson5/cuda_sweep_double",
     .layout = "one grid, rows at 128 bytes, in double",
     .place = "ours: temporal blocking, after AN5D and EBISU",
     .sentence = "the same in double",
     DOUBLE(temporal, .blocks = &steps_blocks_double)},

    /* The same with half steps: red cells, then black ones. */
    {.name = "poisson5/cuda_red_black",
     .layout = "one grid, rows at 128 bytes",
     .place = "ours: Gauss-Seidel and SOR",
     .sentence = "up to 6 steps of two colours in one go over the grid, all of them in registers",
     SINGLE(red_black, .own = &red_black, .blocks = &sweeps_blocks)},

    {.name = "poisson5/cuda_red_black_double",
     .layout = "one grid, rows at 128 bytes, in double",
     .place = "ours: Gauss-Seidel and SOR",
     .sentence = "the same in double, up to 4 steps",
     DOUBLE(red_black, .own = &red_black, .blocks = &sweeps_blocks_double)},

    /* The grid on the chip for many steps, where it fits there; tiles exchange their rims every
     * eighth step. */
    {.name = "poisson5/cuda_resident",
     .layout = "one grid, in tiles on the chip",
     .place = "ours: a persistent kernel",
     .sentence =
         "the grid in registers for many steps; tiles exchange their rims every eighth step",
     SINGLE(resident, .blocks = NULL)},

    {.name = "poisson5/cuda_resident_double",
     .layout = "one grid, in tiles on the chip, in double",
     .place = "ours: a persistent kernel",
     .sentence = "the same in double",
     DOUBLE(resident, .blocks = NULL)},

    {.name = "poisson5/cuda_red_black_resident",
     .layout = "one grid, in tiles on the chip",
     .place = "ours: Gauss-Seidel and SOR",
     .sentence = "the same with red cells, then black ones; rims every fourth step",
     SINGLE(red_black_resident, .own = &red_black)},

    {.name = "poisson5/cuda_red_black_resident_double",
     .layout = "one grid, in tiles on the chip, in double",
     .place = "ours: Gauss-Seidel and SOR",
     .sentence = "the same in double",
     DOUBLE(red_black_resident, .own = &red_black)},

    /* After Async 3: a warp a tile; pairs of columns are read as they are stored. */
    {.name = "poisson5/cuda_async_tiles",
     .after = "poisson5/cuda_async3",
     .backend = QP_CUDA,
     .layout = "one grid, rows at 256 bytes",
     .place = "ours: after Async 3",
     .sentence =
         "a warp a tile, in registers: Gauss-Seidel in it, up and down, alpha + 1 times a launch",
     QP_POISSON5_IN_ROWS(QP_R32F, 64),
     .kernel = &qp_kernel_poisson5_async_tiles,
     QP_ASYNC_LAUNCH(tile_heights, 65534, QP_ASYNC_RACES),
     .own = &(const struct qp_poisson5_variant){.order = QP_POISSON5_ASYNC_BLOCKS}},

    {0},
};
