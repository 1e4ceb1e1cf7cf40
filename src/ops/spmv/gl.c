/* SPDX-License-Identifier: MIT */
/* Sparse products in fragment and compute shaders. The engine in engines/gl.c runs those of one
 * draw, that in engine.c those of two passes, and that in product.c those of solves. */
#include "ops/spmv/spmv.h"

#define ONE_VALUE      .format = QP_R32F
#define FOUR_VALUES    .format = QP_RGBA32F, .neighbours = 4
#define FOUR_WORDS     .format = QP_RGBA32UI, .neighbours = 4
#define WORDS          .format = QP_R32UI
#define ROW(name, ...) const struct qp_recipe qp_spmv_##name = {__VA_ARGS__}

/* Bolz and others: an entry is its value and the texel of x, 16 bytes with the channel left
 * over. */
ROW(csr_sorted, .engine = &qp_engine_spmv, .state = {ONE_VALUE},
    .input = {QP_ARRAY("x", QP_SPMV_X, {ONE_VALUE}),
              QP_ARRAY("entries", QP_SPMV_SORTED_ENTRIES, {FOUR_VALUES}),
              QP_ARRAY("pointers", QP_SPMV_SORTED_POINTERS, {FOUR_VALUES}),
              QP_ARRAY("rows", QP_SPMV_SORTED_ROWS, {FOUR_VALUES})},
    .draw = {{.fragment = "spmv/csr_sorted.frag"}, {.fragment = "spmv/csr_rows.frag"}},
    .bytes = 16.0);

/* An entry is its value; a row of texels of padding lies beside x, for cells after a row's last.
 * All are in one draw, unless --block says how many. */
static const struct qp_block_rule drawn = {
    .listed = (const int[]){QP_SPMV_DIAGONALS_MOST, 32, 16, 8, 4, 2, 1, 0},
    .counts = "diagonals a draw"};
ROW(diagonals, .engine = &qp_engine_spmv_diagonals, .blocks = &drawn, .state = {FOUR_VALUES},
    .input = {QP_ARRAY("x", QP_SPMV_X, {ONE_VALUE, .pad_x = 2}),
              QP_ARRAY("diagonals", QP_SPMV_DIAGONALS, {FOUR_VALUES}),
              QP_ARRAY("offsets", QP_SPMV_OFFSETS, {FOUR_VALUES})},
    .draw = {{.fragment = "spmv/diagonals.frag"}}, .bytes = 4.0);

/* Products of solves: vectors of four values a texel, in lines of the matrix's own width. */
static const struct qp_spmv_row by_diagonals = {.layout = QP_PRODUCT_DIAGONALS},
                                in_slices = {.layout = QP_PRODUCT_SLICED_ELL};
ROW(diagonals_printed, .engine = &qp_engine_spmv_product, .state = {FOUR_VALUES},
    .draw = {{.fragment = "sparse/diagonals.frag"}}, .bytes = 4.0, .own = &by_diagonals);
ROW(sliced_ell_sorted, .engine = &qp_engine_spmv_product, .state = {FOUR_VALUES},
    .draw = {{.fragment = "sparse/slices.frag"}}, .own = &in_slices);

/* Four rows are a slice; of ELL all are as wide as the longest row, else as their own longest. */
#define SLICED(width)                                                                             \
    .state = {FOUR_VALUES}, .input = {QP_ARRAY("x", QP_SPMV_X, {ONE_VALUE}),                      \
                                      QP_ARRAY("value", QP_SPMV_##width##_VALUE, {FOUR_VALUES}),  \
                                      QP_ARRAY("column", QP_SPMV_##width##_COLUMN, {FOUR_WORDS}), \
                                      QP_ARRAY("head", QP_SPMV_##width##_HEAD, {FOUR_VALUES})}

ROW(ell_rgba, SLICED(ELL), .draw = {{.fragment = "spmv/sliced_ell.frag"}});
ROW(sliced_ell, SLICED(SLICED), .draw = {{.fragment = "spmv/sliced_ell.frag"}});

/* The same with sums that are pairs of floats. */
ROW(sliced_ell_twofold, SLICED(SLICED), .draw = {{.fragment = "spmv/sliced_ell_twofold.frag"}},
    .own = &(const struct qp_spmv_row){.twofold = true});

/* ---- Compute shaders ---- */

ROW(compute, .engine = &qp_engine_spmv, .state = {ONE_VALUE},
    .input = {QP_ARRAY("x", QP_SPMV_X, {ONE_VALUE}), QP_ARRAY("value", QP_SPMV_VALUE, {ONE_VALUE}),
              QP_ARRAY("column", QP_SPMV_BLOCK_COLUMN, {WORDS}),
              QP_ARRAY("first", QP_SPMV_FIRST, {WORDS}),
              QP_ARRAY("blocks", QP_SPMV_BLOCKS, {FOUR_WORDS}),
              QP_ARRAY("rows", QP_SPMV_LONG_ROWS, {FOUR_WORDS})},
    .draw = {{.compute = "spmv/compute_blocks.comp"}, {.compute = "spmv/compute_rows.comp"}});
