/* SPDX-License-Identifier: MIT */
/* Nine-band weighted Jacobi: its fields. */
#ifndef QP_OPS_JACOBI9_JACOBI9_H
#define QP_OPS_JACOBI9_JACOBI9_H

#include "lab/engines/parts/parts.h"
#include "lab/engines/shared.h"
#include "lab/ops/jacobi9/bidomain.h"
#include "lab/plan/op.h"

/* Stored fields 0 to 8 are the bands (enum qp_jacobi9_band), named as in paper 1: the first letter
 * is the row of the stencil (Lower, Diagonal, Upper), the second the place in it (Left or Lower,
 * Diagonal, Upper). */
enum qp_jacobi9_field {
    QP_JACOBI9_B = QP_JACOBI9_BANDS, /* right-hand side */
    QP_JACOBI9_X,                    /* start */
    QP_JACOBI9_STORED,

    QP_JACOBI9_INVERSE_DD = QP_JACOBI9_STORED, /* 1 / DD */
    QP_JACOBI9_PRE_LL, /* LL / DD, and so on to UU: in the order of enum qp_jacobi9_band */
    QP_JACOBI9_PRE_UU = QP_JACOBI9_PRE_LL + (QP_JACOBI9_UU - QP_JACOBI9_LL),
    QP_JACOBI9_PRE_B,  /* B / DD */
    QP_JACOBI9_CHANGE, /* DD / (w ||b||); times a step's change: the residual before the step */
    QP_JACOBI9_ALL_FIELDS
};

/* Arrays of the eight bands beside the diagonal, from field `first` on, all in one shape. */
#define QP_JACOBI9_BANDS(first, over, ...)                                                        \
    QP_ARRAY("LL" over, first, __VA_ARGS__), QP_ARRAY("LD" over, first + 1, __VA_ARGS__),         \
        QP_ARRAY("LU" over, first + 2, __VA_ARGS__), QP_ARRAY("DL" over, first + 3, __VA_ARGS__), \
        QP_ARRAY("DU" over, first + 4, __VA_ARGS__), QP_ARRAY("UL" over, first + 5, __VA_ARGS__), \
        QP_ARRAY("UD" over, first + 6, __VA_ARGS__), QP_ARRAY("UU" over, first + 7, __VA_ARGS__)

/* Offset from cell i to the cell that a band multiplies: x[i + dx + dy * width]. */
int qp_band_dx(int band);
int qp_band_dy(int band);

/* True if entry (i, j) of the system's matrix is entry (j, i). */
bool qp_jacobi9_is_symmetric(const struct qp_problem *system);

/* The grid that qp_problem_from_market would find; false and 0 x 0 if there is none. */
bool qp_jacobi9_find_grid(const struct qp_market *matrix, int *width, int *height);

/* QP_BAD_INPUT unless the grid has as many cells as the matrix has rows. */
enum qp_status qp_jacobi9_check_grid(const struct qp_market *matrix, int width, int height);

/* Facts about a variant of this operation; all zero for most. */
struct qp_jacobi9_variant {
    /* First, for the engines that a variant names read theirs there. */
    union {
        struct qp_parts_variant parts;
        struct qp_shared_variant shared;
    } engine;
    bool takes_wraps;    /* right for entries that couple row ends */
    bool needs_symmetry; /* right only where entry (i, j) is entry (j, i) */
    int least_width;     /* least width of a grid with wrap entries; 0 for any */
    int most_cells;      /* where coordinate arithmetic in float ends; 0 for no limit */
};

const struct qp_jacobi9_variant *qp_jacobi9_variant(const struct qp_recipe *recipe);

/* Variants without a limit that take entries which couple row ends. */
extern const struct qp_jacobi9_variant qp_jacobi9_wraps;

/* Lists whose variants parts run. */
extern const struct qp_recipe qp_jacobi9_cpu[], qp_jacobi9_gl[], qp_jacobi9_cuda[];

extern const struct qp_op qp_op_jacobi9;
extern struct qp_lent qp_lent_jacobi9_blas;

#endif
