/* SPDX-License-Identifier: MIT */
/* Checks of an elimination's pivots, once they are on the host. */
#include <math.h>
#include <stdlib.h>

#include <quadpass/context.h>

#include "lab/ops/gauss_jordan/columns.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "toolkit/gl/readback.h"

/* Least ratio of a pivot to its row without pivoting: an element (k, k) 2^20 times smaller than its
 * row was at first leaves one digit of the answer. */
static const float least_ratio = 0x1p-20f;

bool qp_gauss_jordan_exchanges_rows(const struct qp_recipe *recipe)
{
    return (recipe->not_kinds & QP_MATRIX_NEEDS_PIVOTING) == 0;
}

unsigned qp_elimination_needs(const struct qp_recipe *recipe)
{
    const struct qp_elimination *list = recipe->own;
    const bool half = qp_format_bytes(recipe->state.format) == 2;
    const unsigned blend = half ? QP_CAN_HALF_BLEND : QP_CAN_FLOAT_BLEND;
    return qp_recipe_needs_to_draw(recipe) | (list->in_place ? blend : 0) |
           (list->pivots ? QP_CAN_RGBA32F : 0);
}

enum qp_status qp_gauss_jordan_fail(bool pivoted, int column)
{
    if (pivoted)
        return qp_fail(QP_BAD_INPUT,
                       "column %d has no pivot: the matrix is singular, or so nearly that float "
                       "cannot tell",
                       column);
    return qp_fail(QP_BAD_INPUT,
                   "the matrix is singular or needs an exchange of rows: column %d has no "
                   "pivot; " QP_TAKE_PIVOTING,
                   column);
}

bool qp_gauss_jordan_carries(const float *row, int unknowns, float pivot)
{
    float largest = 0.0f;
    for (int j = 0; j < unknowns; j++)
        largest = fmaxf(largest, fabsf(row[j]));
    return fabsf(pivot) >= least_ratio * largest && pivot != 0.0f;
}

const struct qp_pivot *qp_gauss_jordan_pivots(const struct qp_plan *plan)
{
    return plan->log;
}

static enum qp_status check_unpivoted(const struct qp_plan *plan, const float *texels, int column,
                                      int channel)
{
    const struct qp_problem system = qp_problem_system(plan->problem, channel);
    const float *row =
        system.field[QP_GAUSS_JORDAN_AUGMENTED].values + (size_t)column * (size_t)system.width;
    const float value = texels[4 * column + channel];
    if (qp_gauss_jordan_carries(row, qp_gauss_jordan_unknowns(&system), value))
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "the pivot of column %d is %g, too small to divide by, and %s does not exchange "
                   "rows; " QP_TAKE_PIVOTING,
                   column + 1, value, plan->variant->name);
}

/* With pivoting, only zero counts as no pivot. In a rank-deficient matrix roundings leave pivots of
 * 1 to some hundred 2^-24 of the original element; the last of a Hilbert matrix, which is
 * invertible and solved with a small residual, are less than 1. A threshold would be wrong on one
 * side or the other; qp_solve_dense has a better test. */
static enum qp_status check_pivoted(const struct qp_plan *plan, int column)
{
    const float value = qp_gauss_jordan_pivots(plan)[column].value;
    if (fabsf(value) > 0.0f && isfinite(value))
        return QP_OK;
    if (value == 0.0f)
        return qp_gauss_jordan_fail(true, column + 1);
    return qp_fail(QP_BAD_INPUT,
                   "the pivot of column %d is %g: numbers have left the range of float; scale the "
                   "matrix",
                   column + 1, value);
}

enum qp_status qp_gauss_jordan_take_pivots(struct qp_plan *plan, const float *texels, bool pivoted)
{
    const int n = qp_gauss_jordan_unknowns(plan->problem);
    struct qp_pivot *pivots = qp_alloc((size_t)n, sizeof *pivots, "the pivots");
    enum qp_status status = pivots != NULL ? QP_OK : QP_NO_MEMORY;
    free(plan->log);
    plan->log = pivots;
    for (int k = 0; k < n && status == QP_OK; k++) {
        pivots[k] = (struct qp_pivot){.value = texels[4 * k],
                                      .row = k + (pivoted ? (int)texels[4 * k + 2] : 0)};
        for (int s = 0; s < plan->problem->systems && status == QP_OK; s++)
            status = pivoted ? check_pivoted(plan, k) : check_unpivoted(plan, texels, k, s);
    }
    return status;
}

enum qp_status qp_gauss_jordan_read_exchanges(struct qp_plan *plan, const struct qp_surface *log,
                                              enum qp_format format, int y, int columns)
{
    float *texels = qp_alloc_floats(6 * (size_t)columns, "the pivots");
    if (texels == NULL)
        return QP_NO_MEMORY;
    float *rows = texels + 4 * (size_t)columns, *values = rows + columns;
    enum qp_status status = qp_readback(plan->context, *log, format, 0, y,
                                        columns / qp_format_channels(format), 2, rows);
    for (int k = 0; k < columns && status == QP_OK; k++) {
        texels[4 * k] = values[k];
        texels[4 * k + 2] = rows[k] - (float)k;
    }
    if (status == QP_OK)
        status = qp_gauss_jordan_take_pivots(plan, texels, true);
    free(texels);
    return status;
}

enum qp_status qp_gauss_jordan_explain(struct qp_plan *plan, const void *log)
{
    return qp_gauss_jordan_take_pivots(plan, log,
                                       qp_gauss_jordan_exchanges_rows(plan->variant->recipe));
}
