/* SPDX-License-Identifier: MIT */
/* Conversion of a sparse or dense matrix and its right-hand sides to [A | b], as given or
 * scaled. */
#include <math.h>
#include <stdlib.h>

#include "base/caller.h"
#include "io/market.h"
#include "ops/gauss_jordan/gauss_jordan.h"
#include "plan/problem.h"

enum qp_status qp_dense_check(const struct qp_market *matrix)
{
    enum qp_status status = qp_market_check(matrix);
    if (status == QP_OK && matrix->rows != matrix->columns)
        return qp_fail(QP_BAD_INPUT, "the matrix is %d x %d; a system to be solved is square",
                       matrix->rows, matrix->columns);
    return status;
}

enum qp_status qp_dense_check_sides(const struct qp_market *matrix, const double *b, int sides)
{
    enum { MOST = 1 << 28 }; /* sides and unknowns: keeps sizes of arrays below the largest int */
    if (sides < 1 || (b == NULL && sides != 1))
        return qp_fail(QP_BAD_USE, "%d right-hand sides cannot be solved%s", sides,
                       b == NULL ? "; without b there is one, A times ones" : "");
    if (sides > MOST || matrix->rows > MOST)
        return qp_fail(QP_BAD_INPUT, "%d unknowns with %d right-hand sides are above the limit %d",
                       matrix->rows, sides, MOST);
    for (size_t k = 0; b != NULL && k < (size_t)sides * (size_t)matrix->rows; k++) {
        if (!isfinite(b[k]))
            return qp_fail(QP_BAD_INPUT,
                           "right-hand side %zu holds %g in row %zu, where only finite numbers can "
                           "be computed with",
                           k / (size_t)matrix->rows + 1, b[k], k % (size_t)matrix->rows + 1);
    }
    return QP_OK;
}

/* ---- Scaling ---- */

/* The e with 2^(e-1) <= |value| < 2^e. */
static int exponent_of(double value)
{
    int exponent;
    frexp(value, &exponent);
    return value != 0.0 ? exponent : QP_SCALING_NO_EXPONENT;
}

/* The largest exponents of rows, then of columns whose rows are scaled. */
static void find_exponents(const struct qp_market *matrix, int *row, int *column)
{
    int i, j;
    for (size_t k = 0; k < matrix->count; k++) {
        qp_market_place(matrix, k, &i, &j);
        int exponent = exponent_of(matrix->value[k]);
        row[i] = exponent > row[i] ? exponent : row[i];
    }
    for (size_t k = 0; k < matrix->count; k++) {
        qp_market_place(matrix, k, &i, &j);
        int exponent = exponent_of(matrix->value[k]) - row[i];
        if (matrix->value[k] != 0.0 && exponent > column[j])
            column[j] = exponent;
    }
}

enum qp_status qp_scaling_create(const struct qp_market *matrix, struct qp_scaling *out)
{
    const size_t n = (size_t)matrix->rows;
    *out = (struct qp_scaling){.row = qp_alloc(n, sizeof *out->row, "the scaling of rows"),
                               .column = qp_alloc(n, sizeof *out->column, "that of columns")};
    if (out->row == NULL || out->column == NULL)
        return QP_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        out->row[i] = out->column[i] = QP_SCALING_NO_EXPONENT;
    find_exponents(matrix, out->row, out->column);
    for (size_t i = 0; i < n; i++) {
        if (out->column[i] == QP_SCALING_NO_EXPONENT)
            return qp_fail(QP_BAD_INPUT, "the matrix is singular: column %zu is zero", i + 1);
        out->column[i] = -out->column[i];
        out->row[i] = out->row[i] == QP_SCALING_NO_EXPONENT ? 0 : -out->row[i];
    }
    return QP_OK;
}

void qp_scaling_destroy(struct qp_scaling *scaling)
{
    free(scaling->row);
    free(scaling->column);
    *scaling = (struct qp_scaling){0};
}

/* ---- [A | b] ---- */

static int shift_of(const int *exponents, int i)
{
    return exponents != NULL ? exponents[i] : 0;
}

void qp_augmented_fill_matrix(const struct qp_market *matrix, const struct qp_scaling *scaling,
                              struct qp_problem *problem)
{
    const size_t width = (size_t)problem->width;
    float *a = problem->field[QP_GAUSS_JORDAN_AUGMENTED].values;
    for (int i = 0; i < matrix->rows; i++) {
        for (int j = 0; j < matrix->rows; j++)
            a[(size_t)i * width + (size_t)j] = 0.0f;
    }
    for (size_t k = 0; k < matrix->count; k++) {
        int i, j;
        qp_market_place(matrix, k, &i, &j);
        int shift = shift_of(scaling->row, i) + shift_of(scaling->column, j);
        a[(size_t)i * width + (size_t)j] = (float)ldexp(matrix->value[k], shift);
    }
}

void qp_augmented_fill_side(const double *b, const struct qp_scaling *scaling, int exponent,
                            int side, struct qp_problem *problem)
{
    const int n = qp_gauss_jordan_unknowns(problem);
    float *column = problem->field[QP_GAUSS_JORDAN_AUGMENTED].values + n + side;
    for (int i = 0; i < n; i++)
        column[(size_t)i * (size_t)problem->width] =
            (float)ldexp(b[i], shift_of(scaling->row, i) - exponent);
}

static enum qp_status fill_sides(const struct qp_market *matrix, const double *b,
                                 struct qp_problem *problem)
{
    static const struct qp_scaling none = {0};
    double *product = qp_alloc_zero((size_t)matrix->rows, sizeof *product, "a right-hand side");
    if (product == NULL)
        return QP_NO_MEMORY;
    qp_market_add_product(matrix, 1.0, NULL, product);
    for (int side = 0; side < qp_gauss_jordan_sides(problem); side++)
        qp_augmented_fill_side(b != NULL ? b + (size_t)side * (size_t)matrix->rows : product, &none,
                               0, side, problem);
    free(product);
    return QP_OK;
}

static enum qp_status check_float(const struct qp_problem *problem)
{
    const struct qp_matrix *all = &problem->field[QP_GAUSS_JORDAN_AUGMENTED];
    for (int i = 0; i < all->height; i++) {
        for (int j = 0; j < all->width; j++) {
            if (!isfinite(all->values[(size_t)i * (size_t)all->width + (size_t)j]))
                return qp_fail(QP_BAD_INPUT,
                               "row %d, column %d of [A | b] is beyond what float holds", i + 1,
                               j + 1);
        }
    }
    return QP_OK;
}

enum qp_status qp_problem_dense_from_market(const struct qp_market *matrix, const double *b,
                                            int sides, struct qp_problem *out)
{
    static const struct qp_scaling none = {0};
    if (QP_NEED_OUT(out, (struct qp_problem){0}) || QP_NEED(matrix))
        return QP_BAD_USE;
    enum qp_status status = qp_dense_check(matrix);
    if (status == QP_OK)
        status = qp_dense_check_sides(matrix, b, sides);
    if (status == QP_OK)
        status = qp_problem_allocate(&qp_op_gauss_jordan, "file", matrix->rows + sides,
                                     matrix->rows, 1, out);
    if (status != QP_OK)
        return status;
    qp_augmented_fill_matrix(matrix, &none, out);
    status = fill_sides(matrix, b, out);
    if (status == QP_OK)
        status = check_float(out);
    if (status != QP_OK)
        qp_problem_destroy(out);
    return status;
}
