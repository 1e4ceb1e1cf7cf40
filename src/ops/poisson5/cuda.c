/* SPDX-License-Identifier: MIT */
/* Poisson on CUDA (paper 5, section 3.2): the recipe says where the grids are in memory, the kernel
 * how a step computes with them. The cells are surrounded by zeros, the rim. */
#include "ops/poisson5/async_rows.h"
#include "ops/poisson5/kernels.h"

/* Each row's first cell at a multiple of this number of values: of 256 bytes, which the thesis pads
 * to, or of 512, which a texture in linear memory begins at. */
#define PADDED        QP_POISSON5_IN_ROWS(QP_R32F, 64)
#define PADDED_DOUBLE QP_POISSON5_IN_ROWS(QP_R64F, 32)
#define LINEAR        QP_POISSON5_IN_ROWS(QP_R32F, 128)

#define ROW(name, entry, ...)                                      \
    const struct qp_recipe qp_poisson5_cuda_##name = {__VA_ARGS__, \
                                                      .kernel = &qp_kernel_poisson5_##entry}

/* ---- The ladder of section 3.2 ---- */

/* A thread an unknown. */
static const struct qp_block_rule threads = {
    .listed = (const int[]){3208, 1616, 3204, 3216, 3232, 6404, 12802, 25601, 1608, 808, 0},
    .counts = "threads, 100 times those across and those up"};
ROW(naive, naive, QP_POISSON5_IN_ROWS(QP_R32F, 0), .blocks = &threads);
ROW(naive_double, naive_double, QP_POISSON5_IN_ROWS(QP_R64F, 0), .blocks = &threads);

/* + rows at 256 bytes: a warp's accesses straight below, here and above begin with a line. */
ROW(padded, naive, PADDED, .blocks = &threads);
ROW(padded_double, naive_double, PADDED_DOUBLE, .blocks = &threads);

/* cuda_padded with x through textures. */
ROW(texture, texture, LINEAR);

/* cuda_naive + shared memory: an unknown is read from global memory 1.28 times in place of 4, 64
 * threads for a block of 64 x 8. */
ROW(shared, shared, QP_POISSON5_IN_ROWS(QP_R32F, 0));

/* cuda_shared with two more threads a block, for the fringes left and right. */
ROW(shared_fringe_threads, shared_fringe_threads, QP_POISSON5_IN_ROWS(QP_R32F, 0));

/* cuda_shared without the second grid: blocks race, which its judge takes into account as that of
 * `chaotic`. */
ROW(shared_one_grid, shared_one_grid, QP_POISSON5_IN_ROWS(QP_R32F, 0),
    .not_kinds = 1u << QP_POISSON5_FIELD,
    .own = &(const struct qp_poisson5_row){.order = QP_POISSON5_CHAOTIC});

/* cuda_shared + rows at 256 bytes. */
ROW(shared_padded, shared, PADDED);

/* + the computation unrolled. */
static const struct qp_block_rule depths = {.listed = (const int[]){8, 4, 2, 1, 0},
                                            .counts = "rows unrolled"};
ROW(unrolled, unrolled, PADDED, .blocks = &depths);

/* + the reading unrolled, and the best of many blocks: the thesis's is 64 x 8; its 16 x 8 took 1.7
 * times as long. */
static const struct qp_block_rule shapes = {
    .listed = (const int[]){6408, 1608, 641608, 3208, 12808, 25608, 6404, 6416, 6432, 0},
    .counts =
        "unknowns, 100 times those across and those up, with 10000 times the threads if more"};
ROW(tuned_sync, tuned_sync, PADDED, .blocks = &shapes);

/* + waiting after each step, the "global synchronization" that chapter V wants to save. */
ROW(tuned_sync_waits, tuned_sync_waits, PADDED, .blocks = &shapes);

/* + the next block fetched while this one is computed: of no use in section 3.4. */
ROW(prefetch, prefetch, PADDED);

/* cuda_tuned_sync in double; + low and high words apart in shared memory. */
ROW(double_plain, double_plain, PADDED_DOUBLE);
ROW(double_hilo, double_hilo, PADDED_DOUBLE);

/* ---- Chapter V: grids as cuda_tuned_sync has them ---- */

#define LAUNCHED(name, heights, update_order, ...)                        \
    ROW(name, name, PADDED, QP_ASYNC_LAUNCH(heights, 65534, __VA_ARGS__), \
        .own = &(const struct qp_poisson5_row){.order = update_order})
#define ASYNC(number, ...) LAUNCHED(async##number, qp_async_heights, __VA_ARGS__)

QP_ASYNC_ROWS(ASYNC);

/* Ours, after Async 3: in registers, a warp a tile; pairs of columns are read as they are
 * stored. */
static const int tile_heights[] = {16, 8, 32, 0};
LAUNCHED(async_tiles, tile_heights, QP_POISSON5_ASYNC_BLOCKS, QP_ASYNC_RACES);
