/* SPDX-License-Identifier: MIT */
/* Sparse products: the operation's fields and kinds, and what its variants share. */
#ifndef QP_OPS_SPMV_SPMV_H
#define QP_OPS_SPMV_SPMV_H

#include "lab/plan/op.h"
#include "lab/sparse/product.h"
#include "toolkit/base/sparse.h"

/* Stored fields have a cell for each row of the matrix: row i is cell (i % width, i / width). The
 * others are derived, and have sizes of their own (arrays.c). Integers are stored by their bits
 * where a float would be. */
enum qp_spmv_field {
    QP_SPMV_X,
    QP_SPMV_ANSWER,
    QP_SPMV_STORED,

    /* Arrays one after the other in memory, in textures in lines of QP_SPMV_LINE. */
    QP_SPMV_FIRST = QP_SPMV_STORED, /* rows + 1 integers: entries before each row */
    QP_SPMV_COLUMN,                 /* column of each entry, an integer */
    QP_SPMV_VALUE,                  /* value of each entry */
    QP_SPMV_SLICE_FIRST,            /* slices + 1 integers: slots before each slice of 32 rows */
    QP_SPMV_SLICE_COLUMN,           /* column of each slot, an integer */
    QP_SPMV_SLICE_VALUE,            /* value of each slot */

    /* Values of diagonals, and where each begins. The cell of row i = (x, y) in diagonal d of D is
     * (4 (D (x / 4) + d) + x % 4, y): four rows a texel, texels of D diagonals side by side. Cells
     * 4 d to 4 d + 3 of the offsets: the places to the right and above that it lies, and D. */
    QP_SPMV_DIAGONALS,
    QP_SPMV_OFFSETS,

    /* ELL, sliced: a slice is the four rows of a texel, with as many slots as the longest of them
     * has entries. Slots are texels side by side, in lines of QP_SPMV_LINE; no slice goes on in the
     * next. Columns are words, see QP_SPMV_WORD. Cells of a slice's head: the first slot's texel
     * (x, y), and how many there are. In ELL all slices are as wide as the longest row of all. */
    QP_SPMV_SLICED_VALUE,
    QP_SPMV_SLICED_COLUMN,
    QP_SPMV_SLICED_HEAD,
    QP_SPMV_ELL_VALUE,
    QP_SPMV_ELL_COLUMN,
    QP_SPMV_ELL_HEAD,

    /* Rows sorted by length (parts.c). A texel is an entry of four cells: value, and x's cell
     * (x, y); entries of a row lie side by side, in lines of QP_SPMV_LINE texels. Four cells of
     * each part, in lines of QP_SPMV_ACROSS texels: its first entry's texel. Four cells of each row
     * of the matrix: its first part's texel, and how many parts it has. */
    QP_SPMV_SORTED_ENTRIES,
    QP_SPMV_SORTED_POINTERS,
    QP_SPMV_SORTED_ROWS,
    QP_SPMV_FIELDS
};

enum {
    QP_SPMV_LINE = 4096,   /* texels of a line of entries, and the longest row of a slice */
    QP_SPMV_ACROSS = 2048, /* texels of a line of parts */
    QP_SPMV_PART = 1024,   /* entries of a part at most */
    QP_SPMV_DIAGONALS_MOST = 64
};

/* Cell of x in an entry's column, as a word: 0 for the first. */
#define QP_SPMV_WORD(x, y) ((unsigned)(x) | (unsigned)(y) << 16)

/* Kinds in the order of the table. */
enum qp_spmv_kind {
    QP_SPMV_NINE,
    QP_SPMV_SEVEN,
    QP_SPMV_RANDOM,
    QP_SPMV_POWER_LAW,
    QP_SPMV_EMPTY_ROWS,
    QP_SPMV_FULL_ROW,
    QP_SPMV_ARROW,
    QP_SPMV_IDENTITY,
    QP_SPMV_KINDS
};

/* Data of a variant that the operation reads: recipe->own. */
struct qp_spmv_variant {
    bool twofold;                  /* sums are pairs of floats, rounded once at the end */
    enum qp_product_layout layout; /* layout of variants that multiply as solves do */
};

/* Fills in the matrix of the problem's kind. Errors: QP_NO_MEMORY. */
enum qp_status qp_spmv_make_kind(const struct qp_problem *problem, unsigned long long seed);

/* Sizes and values of derived fields (arrays.c). */
struct qp_size qp_spmv_field_size(const struct qp_problem *problem, int field);
enum qp_status qp_spmv_derive(const struct qp_problem *problem, int field,
                              enum qp_precision precision, size_t room, void *values);

/* Rows sorted by length, each whole or, where it is longer than QP_SPMV_PART, in equally long
 * parts. Lengths above 16 are rounded up to one of 8 in each octave, so that there are 64 classes
 * at most. Parts of a row follow each other in the order. */
struct qp_spmv_parts {
    int count;
    int *row;                  /* row of each part */
    size_t *first;             /* its first entry */
    struct qp_by_length order; /* order of the parts */
    size_t *texel;             /* texel of the entries of the part at each place of the order */
    size_t texels;
};

/* Errors: QP_NO_MEMORY. Owner: the caller, by qp_spmv_parts_destroy. */
enum qp_status qp_spmv_parts_make(const struct qp_sparse *matrix, struct qp_spmv_parts *out);
void qp_spmv_parts_destroy(struct qp_spmv_parts *parts);

/* Variants whose parts are added by a second pass (engine.c). */
extern const struct qp_engine qp_engine_spmv;

/* Shares of 32 invocations in compute shaders (compute.c). */
extern const struct qp_engine qp_engine_spmv_shares;

/* Diagonals, in one draw or several (diagonals.c). */
extern const struct qp_engine qp_engine_spmv_diagonals;

/* Variants that multiply as solves do, by a recorded list of passes (product.c). */
extern const struct qp_engine qp_engine_spmv_product;

/* QP_UNSUPPORTED where the matrix does not suit the layout of a variant on OpenGL. */
enum qp_status qp_spmv_takes(const struct qp_recipe *recipe, const struct qp_problem *problem);

extern struct qp_lent qp_lent_spmv_cusparse;
extern const struct qp_op qp_op_spmv;

#endif
