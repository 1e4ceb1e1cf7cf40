/* SPDX-License-Identifier: MIT */
/* Sparse products in fragment and compute shaders. The engine in lab/engines/gl.c runs those of one
 * draw, that in engine.c those of two passes, that in product.c those of solves, and that in
 * compute.c shares in a compute shader. */
#include "lab/ops/spmv/spmv.h"

#define ONE_VALUE   .format = QP_R32F
#define FOUR_VALUES .format = QP_RGBA32F, .neighbours = 4
#define FOUR_WORDS  .format = QP_RGBA32UI, .neighbours = 4

/* An entry is its value; a row of texels of padding lies beside x, for cells after a row's last.
 * All are in one draw, unless --block says how many. */
static const struct qp_block_rule drawn = {
    .listed = (const int[]){QP_SPMV_DIAGONALS_MOST, 32, 16, 8, 4, 2, 1, 0},
    .counts = "diagonals a draw"};

/* Products of solves: vectors of four values a texel, in lines of the matrix's own width. */
static const struct qp_spmv_variant by_diagonals = {.layout = QP_PRODUCT_DIAGONALS},
                                    in_slices = {.layout = QP_PRODUCT_SLICED_ELL};

/* Four rows are a slice; of ELL all are as wide as the longest row, else as their own longest. */
#define SLICED(width)                                                                             \
    .state = {FOUR_VALUES}, .input = {QP_ARRAY("x", QP_SPMV_X, {ONE_VALUE}),                      \
                                      QP_ARRAY("value", QP_SPMV_##width##_VALUE, {FOUR_VALUES}),  \
                                      QP_ARRAY("column", QP_SPMV_##width##_COLUMN, {FOUR_WORDS}), \
                                      QP_ARRAY("head", QP_SPMV_##width##_HEAD, {FOUR_VALUES})}

const struct qp_recipe qp_spmv_gl[] = {
    /* Bolz and others: an entry is its value and the texel of x, 16 bytes with the channel left
     * over. */
    {.name = "spmv/csr_sorted",
     .backend = QP_GL,
     .layout = "CSR, rows sorted by length",
     .place = "ours, after Bolz, Farmer, Grinspun and Schroeder 2003",
     .sentence = "a draw for each length of rows, and one that puts sums in their places; ours are "
                 "lengths rounded up above 16, and parts of rows with over 1024 entries",
     .engine = &qp_engine_spmv,
     .state = {ONE_VALUE},
     .input = {QP_ARRAY("x", QP_SPMV_X, {ONE_VALUE}),
               QP_ARRAY("entries", QP_SPMV_SORTED_ENTRIES, {FOUR_VALUES}),
               QP_ARRAY("pointers", QP_SPMV_SORTED_POINTERS, {FOUR_VALUES}),
               QP_ARRAY("rows", QP_SPMV_SORTED_ROWS, {FOUR_VALUES})},
     .draw = {{.fragment = "spmv/csr_sorted.frag"}, {.fragment = "spmv/csr_rows.frag"}},
     .bytes = 16.0},

    {.name = "spmv/diagonals",
     .backend = QP_GL,
     .layout = "diagonals side by side in RGBA",
     .place = "ours, after Krueger and Westermann 2003",
     .sentence =
         "up to 64 diagonals in one draw, for which theirs took a texture each, or --block 1 to 32 "
         "a draw, which the blender adds; shifts by any offset, with a carry at row ends",
     .engine = &qp_engine_spmv_diagonals,
     .blocks = &drawn,
     .state = {FOUR_VALUES},
     .input = {QP_ARRAY("x", QP_SPMV_X, {ONE_VALUE, .pad_x = 2}),
               QP_ARRAY("diagonals", QP_SPMV_DIAGONALS, {FOUR_VALUES}),
               QP_ARRAY("offsets", QP_SPMV_OFFSETS, {FOUR_VALUES})},
     .draw = {{.fragment = "spmv/diagonals.frag"}},
     .bytes = 4.0},

    {.name = "spmv/diagonals_printed",
     .backend = QP_GL,
     .layout = "diagonals side by side in RGBA",
     .place = "ours",
     .sentence = "the product of solves: a shader for one matrix of up to 28 diagonals, offsets in "
                 "its text, each texel of x fetched once",
     .engine = &qp_engine_spmv_product,
     .state = {FOUR_VALUES},
     .draw = {{.fragment = "sparse/diagonals.frag"}},
     .bytes = 4.0,
     .own = &by_diagonals},

    {.name = "spmv/ell_rgba",
     .backend = QP_GL,
     .layout = "ELL, four rows a texel",
     .place = "ours",
     .sentence = "every row has as many slots as the longest; a fragment computes four rows, a "
                 "column is a word of two texel coordinates",
     SLICED(ELL),
     .draw = {{.fragment = "spmv/sliced_ell.frag"}}},

    {.name = "spmv/sliced_ell",
     .after = "spmv/ell_rgba",
     .backend = QP_GL,
     .layout = "sliced ELL, four rows a slice",
     .place = "ours",
     .sentence = "+ slices as wide as their own longest row",
     SLICED(SLICED),
     .draw = {{.fragment = "spmv/sliced_ell.frag"}}},

    /* The same with sums that are pairs of floats. */
    {.name = "spmv/sliced_ell_twofold",
     .after = "spmv/sliced_ell",
     .backend = QP_GL,
     .layout = "sliced ELL, four rows a slice",
     .place = "ours",
     .sentence = "+ products and sums as pairs of floats: rounded once, however long the row",
     .needs = QP_CAN_PRECISE,
     SLICED(SLICED),
     .draw = {{.fragment = "spmv/sliced_ell_twofold.frag"}},
     .own = &(const struct qp_spmv_variant){.twofold = true}},

    {.name = "spmv/sliced_ell_sorted",
     .backend = QP_GL,
     .layout = "sliced ELL, four rows a slice",
     .place = "ours",
     .sentence =
         "the product of solves: rows sorted by length within windows of 4096, long rows in "
         "pieces whose sums are added in further draws",
     .engine = &qp_engine_spmv_product,
     .state = {FOUR_VALUES},
     .draw = {{.fragment = "sparse/slices.frag"}},
     .own = &in_slices},

    /* ---- Compute shaders ---- */

    {.name = "spmv/compute",
     .backend = QP_GL,
     .layout = "shares of 32 invocations",
     .place = "ours",
     .sentence =
         "slices of rows that are sorted by length where that saves slots; no columns where "
         "a rule gives them; long rows in pieces, which the last to end adds in their order",
     .engine = &qp_engine_spmv_shares,
     .state = {ONE_VALUE},
     .draw = {{.compute = "spmv/compute_shares.comp"}}},

    {0},
};
