/* SPDX-License-Identifier: MIT */
/* Conversion of a sparse or dense matrix to nine bands: find the grid, then put every entry into
 * its band. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/plan/problem.h"
#include "toolkit/base/caller.h"
#include "toolkit/io/market.h"

/* Entry k; false if it is zero, which no band needs. */
static bool entry_at(const struct qp_market *a, size_t k, int *row, int *column, double *value)
{
    *value = a->value[k];
    qp_market_place(a, k, row, column);
    return *value != 0.0;
}

enum fit { NO_FIT, FITS_WITH_WRAPS, FITS };

/* The band of an entry on a grid of this width, -1 if none. Without wrap entries the places of row
 * and column on the grid decide; with them the offset alone, which is unambiguous from a width
 * of 3. */
static int band_by_place(int row, int column, int width)
{
    int dx = column % width - row % width, dy = column / width - row / width;
    for (int band = 0; band < QP_JACOBI9_BANDS; band++) {
        if (dx == qp_band_dx(band) && dy == qp_band_dy(band))
            return band;
    }
    return -1;
}

static int band_by_offset(int row, int column, int width)
{
    for (int band = 0; band < QP_JACOBI9_BANDS; band++) {
        if ((long)column - row == qp_band_dx(band) + (long)qp_band_dy(band) * width)
            return band;
    }
    return -1;
}

static enum fit try_width(const struct qp_market *a, int width)
{
    enum fit fit = FITS;
    for (size_t k = 0; k < a->count; k++) {
        int row, column;
        double value;
        if (!entry_at(a, k, &row, &column, &value) || band_by_place(row, column, width) >= 0)
            continue;
        if (width < 3 || band_by_offset(row, column, width) < 0)
            return NO_FIT;
        fit = FITS_WITH_WRAPS;
    }
    return fit;
}

/* The largest |column - row| is 0, 1, or one of nx - 1, nx, nx + 1: that leaves few widths
 * to try. */
static int widest_offset(const struct qp_market *a)
{
    int widest = 0;
    for (size_t k = 0; k < a->count; k++) {
        int row, column;
        double value;
        if (entry_at(a, k, &row, &column, &value) && abs(column - row) > widest)
            widest = abs(column - row);
    }
    return widest;
}

/* Finds the width by the rule of qp_problem_from_market; *width stays 0 if no grid fits. */
static enum fit find_width(const struct qp_market *a, int *width)
{
    int widest = widest_offset(a);
    enum fit best = NO_FIT;
    *width = 0;
    if (widest <= 1) {
        *width = a->rows;
        return FITS;
    }
    for (int more = 0; more < 3 && best != FITS; more++) { /* widest + 1 may be the largest int */
        const int nx = widest - 1 + more;
        enum fit fit = nx >= 3 && a->rows % nx == 0 ? try_width(a, nx) : NO_FIT;
        if (fit > best) {
            best = fit;
            *width = nx;
        }
    }
    return best;
}

bool qp_jacobi9_find_grid(const struct qp_market *matrix, int *width, int *height)
{
    *width = *height = 0;
    if (matrix->rows < 1 || matrix->rows != matrix->columns || find_width(matrix, width) == NO_FIT)
        return false;
    *height = matrix->rows / *width;
    return true;
}

bool qp_problem_has_grid(const struct qp_market *matrix)
{
    int width, height;
    return qp_market_check(matrix) == QP_OK && qp_jacobi9_find_grid(matrix, &width, &height);
}

enum qp_status qp_jacobi9_check_grid(const struct qp_market *matrix, int width, int height)
{
    const long cells = (long)width * height;
    return cells == matrix->rows
               ? QP_OK
               : qp_fail(QP_BAD_INPUT,
                         "a grid of %d x %d has %ld cells, but the matrix has %d rows", width,
                         height, cells, matrix->rows);
}

static enum qp_status choose_grid(const struct qp_market *a, int width, int height, int *nx,
                                  bool *wraps)
{
    if (qp_market_check_square(a) != QP_OK)
        return QP_BAD_INPUT;
    bool given = width > 0 && height > 0;
    if (given && qp_jacobi9_check_grid(a, width, height) != QP_OK)
        return QP_BAD_INPUT;
    *nx = width;
    enum fit fit = given ? try_width(a, width) : find_width(a, nx);
    *wraps = fit == FITS_WITH_WRAPS;
    if (fit != NO_FIT)
        return QP_OK;
    if (given)
        return qp_fail(QP_BAD_INPUT, "the matrix does not fit nine bands on a grid of %d x %d%s",
                       width, height, width < 3 ? " (a width under 3 takes no wrap entries)" : "");
    return qp_fail(QP_BAD_INPUT,
                   "the matrix fits nine bands on no grid: for a width w from 3 on that divides %d "
                   "its entries had to lie 0, 1, w - 1, w or w + 1 off the diagonal; elimination "
                   "takes any matrix",
                   a->rows);
}

/* Errors: QP_BAD_INPUT for a value that float does not hold. */
static enum qp_status fill_bands(const struct qp_market *a, struct qp_problem *problem)
{
    size_t cells = (size_t)a->rows;
    for (int band = 0; band < QP_JACOBI9_BANDS; band++)
        memset(problem->field[band].values, 0, cells * sizeof(float));
    for (size_t k = 0; k < a->count; k++) {
        int row, column;
        double value;
        if (!entry_at(a, k, &row, &column, &value))
            continue;
        int band = problem->wraps ? band_by_offset(row, column, problem->width)
                                  : band_by_place(row, column, problem->width);
        problem->field[band].values[row] = (float)value;
        if (!isfinite((float)value))
            return qp_fail(
                QP_BAD_INPUT,
                "row %d, column %d holds %g, which is beyond the float that Jacobi computes "
                "in; scale the system, or take elimination, which does so itself",
                row + 1, column + 1, value);
    }
    return QP_OK;
}

static enum qp_status check_diagonal(const struct qp_problem *problem)
{
    int cells = problem->width * problem->height;
    for (int i = 0; i < cells; i++) {
        if (fabsf(problem->field[QP_JACOBI9_DD].values[i]) < FLT_MIN)
            return qp_fail(QP_BAD_INPUT,
                           "the diagonal is zero in row %d (in float), and Jacobi divides by it; "
                           "elimination with pivoting, such as gauss_jordan/blocked, does not",
                           i + 1);
    }
    return QP_OK;
}

/* b = A times ones, summed in double: the solution is then known. */
static void fill_right_hand_side(struct qp_problem *problem)
{
    size_t cells = qp_problem_cells(problem);
    for (size_t i = 0; i < cells; i++) {
        double sum = 0.0;
        for (int band = 0; band < QP_JACOBI9_BANDS; band++)
            sum += problem->field[band].values[i];
        problem->field[QP_JACOBI9_B].values[i] = (float)sum;
        problem->field[QP_JACOBI9_X].values[i] = 0.0f;
    }
}

enum qp_status qp_problem_from_market(const struct qp_market *matrix, int width, int height,
                                      struct qp_problem *out)
{
    int nx = 0;
    bool wraps = false;
    if (QP_NEED_OUT(out, (struct qp_problem){0}))
        return QP_BAD_USE;
    enum qp_status status = qp_market_check(matrix);
    if (status == QP_OK)
        status = choose_grid(matrix, width, height, &nx, &wraps);
    if (status == QP_OK)
        status = qp_problem_allocate(&qp_op_jacobi9, "file", nx, matrix->rows / nx, 1, out);
    if (status != QP_OK)
        return status;
    out->wraps = wraps;
    status = fill_bands(matrix, out);
    if (status == QP_OK)
        status = check_diagonal(out);
    if (status == QP_OK)
        fill_right_hand_side(out);
    if (status == QP_OK)
        out->weight = qp_problem_weight(out);
    else
        qp_problem_destroy(out);
    return status;
}
