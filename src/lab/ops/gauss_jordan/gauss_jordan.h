/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan: its one field, its kinds of problem, and what its variants share. */
#ifndef QP_OPS_GAUSS_JORDAN_GAUSS_JORDAN_H
#define QP_OPS_GAUSS_JORDAN_GAUSS_JORDAN_H

#include <stdint.h>

#include "lab/plan/op.h"

/* The augmented matrix [A | b], one row of it a row of the grid: N + m columns, N rows. The answer
 * has the same size, and x in its last m columns; the columns left of them are the variant's
 * own. */
enum qp_gauss_jordan_field { QP_GAUSS_JORDAN_AUGMENTED, QP_GAUSS_JORDAN_STORED };

/* Kinds of problem, and the operation's table of them (matrices.c). */
enum qp_matrix_kind {
    QP_MATRIX_DOMINANT, /* random, every row strictly diagonally dominant: needs no pivoting */
    QP_MATRIX_INVERSE,  /* the same with the identity on the right: the answer is the inverse */
    /* I + u v', |u_i| = |v_i| = 1: its elimination rounds nothing, in 16 bits either. */
    QP_MATRIX_EXACT,
    QP_MATRIX_GENERAL,    /* random, uniform in [-1, 1]; without exchanges some pivots are 2^-24 */
    QP_MATRIX_ORTHOGONAL, /* random rotations: condition 1 */
    QP_MATRIX_ILL,        /* singular values from 1 down to 1 / condition, geometrically */
    QP_MATRIX_PERMUTED,   /* the rows of an identity shuffled: every leading pivot may be zero */
    QP_MATRIX_HILBERT,    /* a[i][j] = c / (i + j + 1): condition e^(3.5 N) */
    QP_MATRIX_WILKINSON,  /* partial pivoting lets its last column grow to 2^(N-1) */
    QP_MATRIX_KINDS
};

extern const struct qp_kind qp_matrix_kinds[];

/* Kinds that have no use for variants without pivoting, as recipe.not_kinds. */
enum {
    QP_MATRIX_NEEDS_PIVOTING = 1 << QP_MATRIX_GENERAL | 1 << QP_MATRIX_ORTHOGONAL |
                               1 << QP_MATRIX_ILL | 1 << QP_MATRIX_PERMUTED |
                               1 << QP_MATRIX_HILBERT | 1 << QP_MATRIX_WILKINSON
};

extern const struct qp_op qp_op_gauss_jordan;
extern struct qp_lent qp_lent_gauss_jordan_sgesv;
extern struct qp_lent qp_lent_gauss_jordan_cusolver;

/* True for recipes with pivoting, which take such kinds. */
bool qp_gauss_jordan_exchanges_rows(const struct qp_recipe *recipe);

/* QP_BAD_INPUT and a sentence: a variant with or without pivoting found no pivot in this column,
 * counted from 1. */
enum qp_status qp_gauss_jordan_fail(bool pivoted, int column);

/* True if `pivot` is large enough for elimination without exchanges, compared with A's row at the
 * start. */
bool qp_gauss_jordan_carries(const float *row, int unknowns, float pivot);

/* Partial pivoting in double: exchanges row k with the one at or below it whose magnitude in column
 * k is largest, the first of equals, and returns that row's number. */
int qp_gauss_jordan_exchange(double *a, int width, int height, int k);

/* Advice in sentences of variants without pivoting. */
#define QP_TAKE_PIVOTING "take one that pivots, such as gauss_jordan/blocked"

/* N and m. */
static inline int qp_gauss_jordan_unknowns(const struct qp_problem *problem)
{
    return problem->height;
}

static inline int qp_gauss_jordan_sides(const struct qp_problem *problem)
{
    return problem->width - problem->height;
}

/* Cost of an element's update in an elimination of `flops` flops. A variant without a byte count
 * moves each element `moves` times in a step. */
struct qp_cost qp_gauss_jordan_cost(const struct qp_recipe *recipe,
                                    const struct qp_problem *problem, int moves, double flops);

/* Residual that roundings may leave in this many systems. */
double qp_gauss_jordan_tolerance(const struct qp_problem *problem, int unknowns, int systems);

/* Tolerance of variants with back substitution (LU and Gaussian elimination), which never work
 * above the pivots. */
double qp_gauss_jordan_tolerance_lu(const struct qp_recipe *recipe,
                                    const struct qp_problem *problem);

/* The same where products are those of floats split into two numbers of 11 bits. */
double qp_gauss_jordan_tolerance_split(const struct qp_recipe *recipe,
                                       const struct qp_problem *problem);

/* Pivot that column k was eliminated with, in the order of rows at that step. */
struct qp_pivot {
    float value;
    int row;
};

struct qp_plan;
struct qp_surface;

/* A plan's pivots, column by column, after readback; NULL where none were logged. */
const struct qp_pivot *qp_gauss_jordan_pivots(const struct qp_plan *plan);

/* Stage 7: fills the plan's pivots, of the first system, from the texels of the log (the value in
 * r; with pivoting, rows from row k down to it in b; without, one system a channel). Errors:
 * QP_BAD_INPUT, naming the column that has no pivot, or one too small to divide by. */
enum qp_status qp_gauss_jordan_take_pivots(struct qp_plan *plan, const float *texels, bool pivoted);

/* Reads and fills them with pivoting: a surface's texels from row y on hold each column's exchanged
 * row, the next ones its pivot. */
enum qp_status qp_gauss_jordan_read_exchanges(struct qp_plan *plan, const struct qp_surface *log,
                                              enum qp_format format, int y, int columns);

/* The judge's explain: a kernel's log is such texels. */
enum qp_status qp_gauss_jordan_explain(struct qp_plan *plan, const void *log);

/* ---- From files (from_matrix.c) ---- */

/* Exponents of two that scale A exactly: 2^row[i] a_ij 2^column[j] is eliminated, whose rows and
 * then columns have a largest element in [1/2, 1). NULL for no scaling. */
struct qp_scaling {
    int *row, *column;
};

enum { QP_SCALING_NO_EXPONENT = -100000 }; /* exponent of zero */

/* Errors: QP_BAD_INPUT for a column of zeros, QP_NO_MEMORY; destroy it in any case. */
enum qp_status qp_scaling_create(const struct qp_market *matrix, struct qp_scaling *out);
/* The same of a positive definite matrix, which remains symmetric: its diagonal, the largest of
 * each row, is in [1/4, 2). Errors: QP_NO_MEMORY. */
enum qp_status qp_scaling_create_symmetric(const struct qp_market *matrix, struct qp_scaling *out);
void qp_scaling_destroy(struct qp_scaling *scaling);

/* QP_BAD_INPUT unless the matrix is square, not empty and finite; the next function checks
 * right-hand sides. */
enum qp_status qp_dense_check(const struct qp_market *matrix);
enum qp_status qp_dense_check_sides(const struct qp_market *matrix, const double *b, int sides);

/* Fill [A | b]: its part A, and column `side` of b, scaled with A's rows, then divided by
 * 2^exponent. */
void qp_augmented_fill_matrix(const struct qp_market *matrix, const struct qp_scaling *scaling,
                              struct qp_problem *problem);
void qp_augmented_fill_side(const double *b, const struct qp_scaling *scaling, int exponent,
                            int side, struct qp_problem *problem);

/* Fills A, n x n in row-major order; `condition` is QP_MATRIX_ILL's (matrices.c). */
void qp_matrix_fill(enum qp_matrix_kind kind, int n, double condition, uint64_t *state, double *a);

/* Unknowns for such a matrix: uniform in [-1, 1], or those that keep QP_MATRIX_EXACT exact. */
void qp_matrix_fill_unknowns(enum qp_matrix_kind kind, int n, const double *a, uint64_t *state,
                             double *x);

#endif
