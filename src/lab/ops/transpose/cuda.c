/* SPDX-License-Identifier: MIT */
/* Transposition on CUDA (paper 4, matrix transposition): the recipe says where matrices are in
 * memory, the kernel how they are read and written (ladder.cu). */
#include "lab/ops/transpose/kernels.h"
#include "lab/ops/transpose/transpose.h"

/* Values of 256 bytes: two lines, which newer devices would rather fetch together, so that rows of
 * a tile of 64 should not begin between them. */
enum { LINES = 64 };

/* Rows of threads that divide every tile they are tried with; the slides' best is 32 x 8. */
static const int rows_of_16[] = {8, 2, 4, 16, 0}, rows_of_32[] = {8, 2, 4, 16, 32, 0},
                 rows_of_48[] = {8, 2, 4, 16, 0};
static const struct qp_block_rule of_16 = {.listed = rows_of_16}, of_32 = {.listed = rows_of_32},
                                  of_48 = {.listed = rows_of_48};

#define RUNS(entry, kinds, rows, ...)                                                             \
    .backend = QP_CUDA, QP_TRANSPOSE_STANDS(__VA_ARGS__), .kernel = &qp_kernel_transpose_##entry, \
    .blocks = rows, .not_kinds = QP_TRANSPOSE_ONLY_##kinds

/* Matrices without gaps, as cudaMalloc aligns them: the slides'. */
#define SLIDE(entry, kinds, rows) \
    .layout = "one matrix", RUNS(entry, kinds, rows, QP_FLAT_FROM(LINES))

/* Pitched rows: each row begins at two lines, and a column meets all parts of memory: were rows 258
 * times 256 bytes apart, an H100 would lose nothing or 4 %, depending on the answer's address. */
#define PITCHED                                        \
    {                                                  \
        .format = QP_R32F, .align = LINES, .odd = true \
    }
#define OURS(entry) .layout = "rows at multiples of 256 bytes", RUNS(entry, TURNS, NULL, PITCHED)

const struct qp_recipe qp_transpose_cuda[] = {
    /* ---- Copies: the roof (upper bound), and copies between it and the variants below ---- */

    /* The roof: a copy with sixteen bytes a thread; and cudaMemcpy. */
    {.name = "transpose/cuda_copy",
     .place = "ours: the roof of today",
     .sentence = "the roof, on the problem of that name: sixteen bytes a thread, blocks in the "
                 "order of memory",
     SLIDE(copy, COPIES, NULL)},

    {.name = "transpose/cuda_copy_memcpy",
     .place = "ours: the device's own copy",
     .sentence = "cudaMemcpy from device memory to device memory: what copies are measured against",
     SLIDE(copy_memcpy, COPIES, NULL)},

    /* cuda_naive as a copy: all accesses are coalesced. */
    {.name = "transpose/cuda_copy_simple",
     .place = "paper 4, transposition: copy instead of transpose",
     .sentence = "the naive kernel without the turn: four bytes a thread",
     SLIDE(copy_simple, COPIES, &of_32)},

    /* cuda_copy_simple with warps along columns: neither side is coalesced. */
    {.name = "transpose/cuda_copy_interleaved",
     .after = "transpose/cuda_copy_simple",
     .place = "paper 4, transposition: both sides interleaved",
     .sentence = "a warp is a column of 32 rows: reads and writes of 4 bytes in 32 lines each",
     SLIDE(copy_interleaved, COPIES, &of_32)},

    /* ---- The ladder ---- */

    /* Reads rows and writes columns: a warp's write goes to 32 lines. */
    {.name = "transpose/cuda_naive",
     .place = "paper 4, transposition: naive",
     .sentence = "a warp reads a line and writes into 32: interleaved on one side",
     SLIDE(naive, TURNS, &of_32)},

    /* + a tile in shared memory: both sides are coalesced, in pieces as wide as the tile. Shows
     * bank conflicts: a column of a tile 16, 32 or 48 wide is in 2, 1 or 2 of the 32 banks. */
    {.name = "transpose/cuda_tiled_16",
     .after = "transpose/cuda_naive",
     .place = "paper 4, transposition: tiles",
     .sentence = "a tile of 16 x 16 in shared memory: lines on both sides, bank conflicts between",
     SLIDE(tiled_16, TURNS, &of_16)},

    {.name = "transpose/cuda_tiled_32",
     .after = "transpose/cuda_naive",
     .place = "paper 4, transposition: tiles",
     .sentence = "a tile of 32 x 32: the slides' best, with 8 rows of threads",
     SLIDE(tiled_32, TURNS, &of_32)},

    {.name = "transpose/cuda_tiled_48",
     .after = "transpose/cuda_naive",
     .place = "paper 4, transposition: tiles",
     .sentence = "a tile of 48 x 48: half a warp reads into the next line",
     SLIDE(tiled_48, TURNS, &of_48)},

    /* + the way through shared memory: shows the cost of the detour and its barrier by themselves.
     * */
    {.name = "transpose/cuda_copy_shared",
     .after = "transpose/cuda_copy_simple",
     .place = "paper 4, transposition: copy within the blocks",
     .sentence =
         "tiled_32 without the turn: the cost of tiles and the barrier, without bank conflicts",
     SLIDE(copy_shared, COPIES, &of_32)},

    /* + a value of padding a row of the tile: its columns are spread over all banks, without
     * conflicts. */
    {.name = "transpose/cuda_padded",
     .after = "transpose/cuda_tiled_32",
     .place = "paper 4, transposition: padding",
     .sentence = "tiled_32 with one value of padding a row: a column of the tile lies in 32 banks",
     SLIDE(padded, TURNS, &of_32)},

    /* ---- Ours ---- */

    /* + sixteen bytes a thread on both sides, turned in registers: removes three of four loads and
     * stores;
     * - shared memory and its barrier. */
    {.name = "transpose/cuda_registers",
     .after = "transpose/cuda_padded",
     .place = "ours: no shared memory",
     .sentence = "a thread turns 4 x 4 values: sixteen bytes at a time on both sides, whole "
                 "sectors, no barrier",
     OURS(registers)},

    /* + shared memory again, but of fours of values, in tiles of 64 x 64: pieces of 256 bytes on
     * both sides, where registers alone read pieces of 64. */
    {.name = "transpose/cuda_vectors",
     .after = "transpose/cuda_registers",
     .place = "ours: the fastest",
     .sentence = "registers, and tiles of 64 x 64 whose fours change threads in shared memory, "
                 "free of conflicts without padding",
     OURS(vectors)},

    {0},
};
