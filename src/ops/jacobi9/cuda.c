/* SPDX-License-Identifier: MIT */
/* Nine-band Jacobi on CUDA (paper 3, sections 6 to 8): the recipe says where x and the bands are in
 * memory, the kernel how a step computes with them. Flops and bytes are the paper's own counts
 * where it has some: 33 and 48 with a texture, 30 and 56 (three reads of x) with shared memory. */
#include "ops/jacobi9/jacobi9.h"
#include "ops/jacobi9/kernels.h"

/* Alignments of arrays, in values: the segment that half a warp of 2008 moved at once, the line
 * that a warp moves today, and the alignment of textures in linear memory. */
enum { SEGMENT = 16, LINE = 32, LINEAR = 128 };

#define ALIGNED QP_FLAT_FROM(SEGMENT)
#define TEXTURE QP_FLAT_FROM(LINEAR)
#define PITCHED                                                  \
    {                                                            \
        .format = QP_R32F, .pad_x = 1, .pad_y = 1, .align = LINE \
    }
#define DOUBLE                                                   \
    {                                                            \
        .format = QP_R64F, .pad_x = 1, .pad_y = 1, .align = LINE \
    }

#define EIGHT_BANDS(...)                                                                        \
    QP_ARRAY("DD", QP_JACOBI9_DD, __VA_ARGS__), QP_ARRAY("LL", QP_JACOBI9_LL, __VA_ARGS__),     \
        QP_ARRAY("LD", QP_JACOBI9_LD, __VA_ARGS__), QP_ARRAY("LU", QP_JACOBI9_LU, __VA_ARGS__), \
        QP_ARRAY("DU", QP_JACOBI9_DU, __VA_ARGS__), QP_ARRAY("UL", QP_JACOBI9_UL, __VA_ARGS__), \
        QP_ARRAY("UD", QP_JACOBI9_UD, __VA_ARGS__), QP_ARRAY("UU", QP_JACOBI9_UU, __VA_ARGS__), \
        QP_ARRAY("b", QP_JACOBI9_B, __VA_ARGS__)
#define NINE_BANDS(...) EIGHT_BANDS(__VA_ARGS__), QP_ARRAY("DL", QP_JACOBI9_DL, __VA_ARGS__)

#define ROW(name, stands, entry, operations, ...)     \
    const struct qp_recipe qp_jacobi9_cuda_##name = { \
        .state = stands, .kernel = &qp_kernel_jacobi9_##entry, .flops = operations, __VA_ARGS__}

/* ---- Section 6 ---- */

/* The CPU's loop and arrays, one thread a cell. Shows the cost of nx + 1 ghost cells in front of x:
 * hardly any access to it is coalesced. */
ROW(simple, QP_FLAT, flat, 33, .input = {NINE_BANDS(ALIGNED)}, .own = &qp_jacobi9_wraps);

/* + an offset that is a multiple of 16 words: the write and the read of x[i] are coalesced. */
ROW(aligned, ALIGNED, flat, 33, .input = {NINE_BANDS(ALIGNED)}, .own = &qp_jacobi9_wraps);

/* + aligned rows, whatever the width: the reads of the cells straight below and above are coalesced
 * too. The padding between rows cuts the ends of rows from each other. */
ROW(2d, PITCHED, pitched, 33, .input = {NINE_BANDS(PITCHED)});

/* + shared memory: x is read three times in place of nine, and neighbours come from the chip. */
ROW(shared, PITCHED, shared, 30, .input = {NINE_BANDS(PITCHED)}, .bytes = 56);

/* cuda_aligned with x through the texture cache, where nothing needs to be coalesced. */
ROW(texture, TEXTURE, texture, 33, .input = {NINE_BANDS(ALIGNED)}, .own = &qp_jacobi9_wraps);

/* ---- Section 8 ---- */

static const struct qp_jacobi9_row symmetric = {.needs_symmetry = true};

/* cuda_shared with DU staged too, which is DL of the next cell: one band less is read. */
ROW(shared_diagonal, PITCHED, shared_diagonal, 30, .input = {EIGHT_BANDS(PITCHED)},
    .own = &symmetric, .bytes = 52);

/* + all upper bands, in blocks of two dimensions: the four lower ones are not read. */
ROW(symmetric, PITCHED, symmetric, 30,
    .input = {QP_ARRAY("DD", QP_JACOBI9_DD, PITCHED), QP_ARRAY("DU", QP_JACOBI9_DU, PITCHED),
              QP_ARRAY("UL", QP_JACOBI9_UL, PITCHED), QP_ARRAY("UD", QP_JACOBI9_UD, PITCHED),
              QP_ARRAY("UU", QP_JACOBI9_UU, PITCHED), QP_ARRAY("b", QP_JACOBI9_B, PITCHED)},
    .own = &symmetric);

/* cuda_2d with every word twice as long: half as many cells for the same bytes. */
ROW(double, DOUBLE, double, 33, .input = {NINE_BANDS(DOUBLE)});

/* ---- Ours ---- */

/* cuda_2d with four cells a thread, bands past the caches and every other step backwards: removes
 * too few bytes under way, the cost that keeps a step below the memory's rate. 1/DD spares a
 * division. */
ROW(streaming, PITCHED, streaming, 20,
    .input = {QP_JACOBI9_BANDS(QP_JACOBI9_LL, "", PITCHED), QP_ARRAY("b", QP_JACOBI9_B, PITCHED),
              QP_ARRAY("1/DD", QP_JACOBI9_INVERSE_DD, PITCHED)});

/* + divided by the diagonal beforehand: a band less. */
ROW(streaming_divided, PITCHED, streaming_divided, 20,
    .input = {QP_JACOBI9_BANDS(QP_JACOBI9_PRE_LL, "/DD", PITCHED),
              QP_ARRAY("b/DD", QP_JACOBI9_PRE_B, PITCHED)});

/* The same arrays, read once for many steps. Bytes are those that single steps would move, so that
 * GB/s beyond the memory's rate show how much is gained by staying on the chip. */
ROW(resident, PITCHED, resident, 20,
    .input = {QP_JACOBI9_BANDS(QP_JACOBI9_PRE_LL, "/DD", PITCHED),
              QP_ARRAY("b/DD", QP_JACOBI9_PRE_B, PITCHED)});
