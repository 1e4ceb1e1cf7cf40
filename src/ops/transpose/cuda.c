/* SPDX-License-Identifier: MIT */
/* Transposition on CUDA (paper 4, matrix transposition): the recipe says where matrices are in
 * memory, the kernel how they are read and written (ladder.cu). */
#include "ops/transpose/kernels.h"
#include "ops/transpose/transpose.h"

/* Values of 256 bytes: two lines, which newer devices would rather fetch together, so that rows of
 * a tile of 64 should not begin between them. */
enum { LINES = 64 };

/* Rows of threads that divide every tile they are tried with; the slides' best is 32 x 8. */
static const int rows_of_16[] = {8, 2, 4, 16, 0}, rows_of_32[] = {8, 2, 4, 16, 32, 0},
                 rows_of_48[] = {8, 2, 4, 16, 0};
static const struct qp_block_rule of_16 = {.listed = rows_of_16}, of_32 = {.listed = rows_of_32},
                                  of_48 = {.listed = rows_of_48};

#define ROW(rung, kinds, rows, ...)                                                              \
    const struct qp_recipe qp_transpose_cuda_##rung = {                                          \
        QP_TRANSPOSE_STANDS(__VA_ARGS__), .kernel = &qp_kernel_transpose_##rung, .blocks = rows, \
        .not_kinds = QP_TRANSPOSE_ONLY_##kinds}

/* Matrices without gaps, as cudaMalloc aligns them: the slides'. */
#define SLIDE(rung, kinds, rows) ROW(rung, kinds, rows, QP_FLAT_FROM(LINES))

/* ---- Copies: the roof (upper bound), and copies between it and the rows below ---- */

/* The roof: a copy with sixteen bytes a thread; and cudaMemcpy. */
SLIDE(copy, COPIES, NULL);
SLIDE(copy_memcpy, COPIES, NULL);

/* cuda_naive as a copy: all accesses are coalesced. */
SLIDE(copy_simple, COPIES, &of_32);

/* + the way through shared memory: shows the cost of the detour and its barrier by themselves. */
SLIDE(copy_shared, COPIES, &of_32);

/* cuda_copy_simple with warps along columns: neither side is coalesced. */
SLIDE(copy_interleaved, COPIES, &of_32);

/* ---- The ladder ---- */

/* Reads rows and writes columns: a warp's write goes to 32 lines. */
SLIDE(naive, TURNS, &of_32);

/* + a tile in shared memory: both sides are coalesced, in pieces as wide as the tile. Shows bank
 * conflicts: a column of a tile 16, 32 or 48 wide is in 2, 1 or 2 of the 32 banks. */
SLIDE(tiled_16, TURNS, &of_16);
SLIDE(tiled_32, TURNS, &of_32);
SLIDE(tiled_48, TURNS, &of_48);

/* + a value of padding a row of the tile: its columns are spread over all banks, without
 * conflicts. */
SLIDE(padded, TURNS, &of_32);

/* ---- Ours ---- */

/* Pitched rows: each row begins at two lines, and a column meets all parts of memory: were rows 258
 * times 256 bytes apart, an H100 would lose nothing or 4 %, depending on the answer's address. */
#define PITCHED                                        \
    {                                                  \
        .format = QP_R32F, .align = LINES, .odd = true \
    }
#define OURS(rung) ROW(rung, TURNS, NULL, PITCHED)

/* + sixteen bytes a thread on both sides, turned in registers: removes three of four loads and
 * stores;
 * - shared memory and its barrier. */
OURS(registers);

/* + shared memory again, but of fours of values, in tiles of 64 x 64: pieces of 256 bytes on both
 * sides, where registers alone read pieces of 64. */
OURS(vectors);
