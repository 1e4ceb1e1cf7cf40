/* SPDX-License-Identifier: MIT */
/* Conversion of a sparse or dense matrix and its right-hand sides to [A | b], as given or
 * scaled. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/plan/problem.h"
#include "toolkit/base/caller.h"
#include "toolkit/io/market.h"

enum qp_status qp_dense_check(const struct qp_market *matrix)
{
    const enum qp_status status = qp_market_check(matrix);
    return status == QP_OK ? qp_market_check_square(matrix) : status;
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

/* Finds the largest exponent of each row, or column, as scaled so far. */
static void find_largest(const struct qp_market *matrix, const struct qp_scaling *s, bool columns,
                         int *most)
{
    for (int i = 0; i < matrix->rows; i++)
        most[i] = QP_SCALING_NO_EXPONENT;
    for (size_t k = 0; k < matrix->count; k++) {
        int i, j;
        qp_market_place(matrix, k, &i, &j);
        const int exponent = exponent_of(matrix->value[k]) + s->row[i] + s->column[j],
                  at = columns ? j : i;
        if (matrix->value[k] != 0.0 && exponent > most[at])
            most[at] = exponent;
    }
}

/* Takes the largest exponents off the scaling, or half of them; returns how far they differ. */
static int take_off(int *scaling, const int *most, int n, int part)
{
    int low = INT_MAX, high = INT_MIN;
    for (int i = 0; i < n; i++) {
        if (most[i] == QP_SCALING_NO_EXPONENT)
            continue;
        scaling[i] -= most[i] / part;
        low = most[i] < low ? most[i] : low;
        high = most[i] > high ? most[i] : high;
    }
    return high > low ? high - low : 0;
}

/* Scales rows, then columns; returns the sum of exponents, none above 0, that are left. */
static double equilibrate(const struct qp_market *matrix, struct qp_scaling *s, int *most)
{
    double left = 0.0;
    find_largest(matrix, s, false, most);
    take_off(s->row, most, matrix->rows, 1);
    find_largest(matrix, s, true, most);
    take_off(s->column, most, matrix->rows, 1);
    for (size_t k = 0; k < matrix->count; k++) {
        int i, j;
        qp_market_place(matrix, k, &i, &j);
        if (matrix->value[k] != 0.0)
            left += exponent_of(matrix->value[k]) + s->row[i] + s->column[j];
    }
    return left;
}

/* Halves the largest exponents of rows and columns at once, in sweeps (Ruiz 2001): rows first would
 * leave the units of unknowns in each row of D A D. False where rows or columns are alike. */
static bool balance(const struct qp_market *matrix, struct qp_scaling *s, int *most)
{
    enum { FAR = 24, SWEEPS = 16 }; /* FAR: exponents beyond the digits of float */
    const int n = matrix->rows;
    bool far = true;
    for (int sweep = 0; sweep < SWEEPS && far; sweep++) {
        find_largest(matrix, s, false, most);
        find_largest(matrix, s, true, most + n);
        const int rows = take_off(s->row, most, n, 2),
                  columns = take_off(s->column, most + n, n, 2);
        far = sweep > 0 || (rows > FAR && columns > FAR);
    }
    return far;
}

static enum qp_status create(int n, struct qp_scaling *out)
{
    *out = (struct qp_scaling){
        .row = qp_alloc_zero((size_t)n, sizeof *out->row, "the scaling of rows"),
        .column = qp_alloc_zero((size_t)n, sizeof *out->column, "that of columns")};
    return out->row != NULL && out->column != NULL ? QP_OK : QP_NO_MEMORY;
}

enum qp_status qp_scaling_create(const struct qp_market *matrix, struct qp_scaling *out)
{
    const int n = matrix->rows;
    struct qp_scaling other;
    int *most = qp_alloc((size_t)n, 2 * sizeof *most, "the largest exponents");
    enum qp_status status = create(n, out), second = create(n, &other);
    if (most == NULL || status != QP_OK || second != QP_OK) {
        status = QP_NO_MEMORY;
    } else {
        const double left = equilibrate(matrix, out, most);
        if (balance(matrix, &other, most) && equilibrate(matrix, &other, most) > left) {
            const struct qp_scaling rows_first = *out;
            *out = other;
            other = rows_first;
        }
    }
    for (int i = 0; status == QP_OK && i < n; i++) {
        if (most[n + i] == QP_SCALING_NO_EXPONENT)
            status = qp_fail(QP_BAD_INPUT, "the matrix is singular: column %d is zero", i + 1);
    }
    qp_scaling_destroy(&other);
    free(most);
    return status;
}

enum qp_status qp_scaling_create_symmetric(const struct qp_market *matrix, struct qp_scaling *out)
{
    const enum qp_status status = create(matrix->rows, out);
    for (size_t k = 0; k < matrix->count && status == QP_OK; k++) {
        int i, j;
        qp_market_place(matrix, k, &i, &j);
        if (i == j && matrix->value[k] != 0.0)
            out->row[i] = out->column[i] = -exponent_of(matrix->value[k]) / 2;
    }
    return status;
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
