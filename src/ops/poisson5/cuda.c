/* SPDX-License-Identifier: MIT */
/* Poisson on CUDA (paper 5, section 3.2): the recipe says where the grids stand in memory, the kernel what is done
 * with them. Around the cells stand zeros, the rim. */
#include "ops/poisson5/kernels.h"
#include "ops/poisson5/poisson5.h"

/* Alignments of rows: 256 bytes, which the thesis pads to, and 512, which a texture in linear memory begins at. */
enum { PADDED = 64, PADDED_DOUBLE = 32, LINEAR = 128 };

/* Both grids and h^2 f in one shape, each row's first cell at a multiple of so many values. */
#define STANDS_AT(values, multiple)                                                     \
    .state = {.format = values, .pad_x = 1, .pad_y = 1, .align = multiple},             \
    .input = {QP_ARRAY("h^2 f", QP_POISSON5_RHS,                                        \
                       {.format = values, .pad_x = 1, .pad_y = 1, .align = multiple})}, \
    .flops = 5
#define STANDS(values) STANDS_AT(values, 0)

/* ---- The ladder of section 3.2 ---- */

/* A thread an unknown. */
static const struct qp_block_rule threads = {
    .listed = (const int[]){3208, 1616, 3204, 3216, 3232, 6404, 12802, 25601, 1608, 808, 0},
    .counts = "threads, 100 times those across and those up"};
const struct qp_recipe qp_poisson5_cuda_naive = {
    STANDS(QP_R32F), .kernel = &qp_kernel_poisson5_naive, .blocks = &threads};
const struct qp_recipe qp_poisson5_cuda_naive_double = {
    STANDS(QP_R64F), .kernel = &qp_kernel_poisson5_naive_double, .blocks = &threads};

/* + rows at 256 bytes: a warp's accesses straight below, here and above begin with a line. */
const struct qp_recipe qp_poisson5_cuda_padded = {
    STANDS_AT(QP_R32F, PADDED), .kernel = &qp_kernel_poisson5_naive, .blocks = &threads};
const struct qp_recipe qp_poisson5_cuda_padded_double = {STANDS_AT(QP_R64F, PADDED_DOUBLE),
                                                         .kernel = &qp_kernel_poisson5_naive_double,
                                                         .blocks = &threads};

/* cuda_padded with x through textures. */
const struct qp_recipe qp_poisson5_cuda_texture = {STANDS_AT(QP_R32F, LINEAR),
                                                   .kernel = &qp_kernel_poisson5_texture};

/* cuda_naive + shared memory: an unknown is read from global memory 1.28 times in place of 4, 64 threads for a block
 * of 64 x 8. */
const struct qp_recipe qp_poisson5_cuda_shared = {STANDS(QP_R32F),
                                                  .kernel = &qp_kernel_poisson5_shared};

/* cuda_shared with two more threads a block, for the fringes left and right. */
const struct qp_recipe qp_poisson5_cuda_shared_fringe_threads = {
    STANDS(QP_R32F), .kernel = &qp_kernel_poisson5_shared_fringe_threads};

/* cuda_shared without the second grid: blocks race, which its judge takes into account as that of `chaotic`. */
const struct qp_recipe qp_poisson5_cuda_shared_one_grid = {
    STANDS(QP_R32F),
    .kernel = &qp_kernel_poisson5_shared_one_grid,
    .own = &(const struct qp_poisson5_row){.order = QP_POISSON5_CHAOTIC},
    .not_kinds = 1u << QP_POISSON5_FIELD,
};

/* cuda_shared + rows at 256 bytes. */
const struct qp_recipe qp_poisson5_cuda_shared_padded = {STANDS_AT(QP_R32F, PADDED),
                                                         .kernel = &qp_kernel_poisson5_shared};

/* + the computation unrolled. */
static const struct qp_block_rule depths = {.listed = (const int[]){8, 4, 2, 1, 0},
                                            .counts = "rows unrolled"};
const struct qp_recipe qp_poisson5_cuda_unrolled = {
    STANDS_AT(QP_R32F, PADDED), .kernel = &qp_kernel_poisson5_unrolled, .blocks = &depths};

/* + the reading unrolled, and the best of many blocks: the thesis's is 64 x 8; its 16 x 8 took 1.7 times as long. */
static const struct qp_block_rule shapes = {
    .listed = (const int[]){6408, 1608, 641608, 3208, 12808, 25608, 6404, 6416, 6432, 0},
    .counts =
        "unknowns, 100 times those across and those up, with 10000 times the threads if more"};
const struct qp_recipe qp_poisson5_cuda_tuned_sync = {
    STANDS_AT(QP_R32F, PADDED), .kernel = &qp_kernel_poisson5_tuned_sync, .blocks = &shapes};

/* + waiting after each step, the "global synchronization" that chapter V wants to save. */
const struct qp_recipe qp_poisson5_cuda_tuned_sync_waits = {
    STANDS_AT(QP_R32F, PADDED), .kernel = &qp_kernel_poisson5_tuned_sync_waits, .blocks = &shapes};

/* + the next block fetched while this one is computed: of no use in section 3.4. */
const struct qp_recipe qp_poisson5_cuda_prefetch = {STANDS_AT(QP_R32F, PADDED),
                                                    .kernel = &qp_kernel_poisson5_prefetch};

/* cuda_tuned_sync in double; + low and high words apart in shared memory. */
const struct qp_recipe qp_poisson5_cuda_double_plain = {STANDS_AT(QP_R64F, PADDED_DOUBLE),
                                                        .kernel = &qp_kernel_poisson5_double_plain};
const struct qp_recipe qp_poisson5_cuda_double_hilo = {STANDS_AT(QP_R64F, PADDED_DOUBLE),
                                                       .kernel = &qp_kernel_poisson5_double_hilo};

/* ---- Chapter V ---- */

/* alpha + 1 steps a launch, grids as cuda_tuned_sync has them. The thesis finds its best Async 2 at alpha = 6. Where f
 * has both signs answers of rows that race have no bounds. */
#define FACTORS .usual = 6, .most = 65534
#define RACES   .unjudged = 1u << QP_POISSON5_FIELD

static const struct qp_alpha_rule racing_pairs = {FACTORS, RACES, .even = true},
                                  lone_pairs = {FACTORS, .even = true}, racing = {FACTORS, RACES};

#define ASYNC(name, update_order, rule, ...)                                          \
    const struct qp_recipe qp_poisson5_cuda_##name = {                                \
        STANDS_AT(QP_R32F, PADDED), .kernel = &qp_kernel_poisson5_##name,             \
        .blocks = &(const struct qp_block_rule){.listed = (const int[]){__VA_ARGS__}, \
                                                .counts = "rows of unknowns",         \
                                                .alpha = &rule},                      \
        .own = &(const struct qp_poisson5_row){.order = update_order}}

/* Fringes meet at every step; - 4 of 6 barriers; - the exchange of fringes; with it, - all barriers and a block. */
ASYNC(async0, QP_POISSON5_ASYNC_BLOCKS, racing_pairs, 8, 4, 16, 32, 0);
ASYNC(async1, QP_POISSON5_ASYNC_BLOCKS, racing_pairs, 8, 4, 16, 32, 0);
ASYNC(async2, QP_POISSON5_BLOCKS, lone_pairs, 8, 4, 16, 32, 0);
ASYNC(async3, QP_POISSON5_ASYNC_COLUMNS, racing, 8, 4, 16, 32, 0);

/* Ours, after Async 3: in registers, a warp a tile; pairs of columns are read as they stand. */
ASYNC(async_tiles, QP_POISSON5_ASYNC_BLOCKS, racing, 16, 8, 32, 0);
