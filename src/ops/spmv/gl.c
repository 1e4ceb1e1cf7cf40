/* SPDX-License-Identifier: MIT */
/* Sparse products in fragment shaders. The engine in engines/gl.c runs them. */
#include "ops/spmv/spmv.h"

#define ONE_VALUE         \
    {                     \
        .format = QP_R32F \
    }
#define FOUR_VALUES                           \
    {                                         \
        .format = QP_RGBA32F, .neighbours = 4 \
    }
#define FOUR_WORDS                             \
    {                                          \
        .format = QP_RGBA32UI, .neighbours = 4 \
    }

#define ROW(name, ...) const struct qp_recipe qp_spmv_##name = {.state = FOUR_VALUES, __VA_ARGS__}

/* An entry is its value; a row of texels of padding lies beside x, for cells after a row's last. */
ROW(diagonals,
    .input = {QP_ARRAY("x", QP_SPMV_X, {.format = QP_R32F, .pad_x = 2}),
              QP_ARRAY("diagonals", QP_SPMV_DIAGONALS, FOUR_VALUES),
              QP_ARRAY("offsets", QP_SPMV_OFFSETS, FOUR_VALUES)},
    .draw = {{.fragment = "spmv/diagonals.frag"}}, .bytes = 4.0);

ROW(ell_rgba,
    .input = {QP_ARRAY("x", QP_SPMV_X, ONE_VALUE),
              QP_ARRAY("value", QP_SPMV_ELL_VALUE, FOUR_VALUES),
              QP_ARRAY("column", QP_SPMV_ELL_COLUMN, FOUR_WORDS),
              QP_ARRAY("slots", QP_SPMV_ELL_SLOTS, ONE_VALUE)},
    .draw = {{.fragment = "spmv/ell_rgba.frag"}});

/* + slices as wide as their own longest row. */
#define SLICED                                                       \
    .input = {QP_ARRAY("x", QP_SPMV_X, ONE_VALUE),                   \
              QP_ARRAY("value", QP_SPMV_SLICED_VALUE, FOUR_VALUES),  \
              QP_ARRAY("column", QP_SPMV_SLICED_COLUMN, FOUR_WORDS), \
              QP_ARRAY("head", QP_SPMV_SLICED_HEAD, FOUR_VALUES)}

ROW(sliced_ell, SLICED, .draw = {{.fragment = "spmv/sliced_ell.frag"}});
