/* SPDX-License-Identifier: MIT */
#include "lab/plan/half.h"

#include <math.h>

static const double largest = 65504.0;

/* Largest tolerance that means anything: the residual of x = 0 is 1. */
static const double most_tolerance = 0.25;

bool qp_recipe_is_half(const struct qp_recipe *recipe)
{
    return qp_format_bytes(recipe->state.format) == 2;
}

static enum qp_status check_field(const char *name, const struct qp_matrix *field, double least)
{
    size_t cells = (size_t)field->width * (size_t)field->height;
    for (size_t i = 0; i < cells; i++) {
        double magnitude = fabs((double)field->values[i]);
        if (!(magnitude <= largest))
            return qp_fail(
                QP_UNSUPPORTED,
                "16 bits hold numbers up to %.0f, and %s holds %g: take a variant in 32 bits",
                largest, name, field->values[i]);
        if (magnitude < least)
            return qp_fail(
                QP_UNSUPPORTED,
                "in 16 bits digits fade towards 0, and %s, by which it divides, holds %g, "
                "less than %g: scale the system, or take a variant in 32 bits",
                name, field->values[i], least);
    }
    return QP_OK;
}

/* Checks the tolerance of an operation with a judge of its own: does it mean anything? */
static enum qp_status check_promise(const struct qp_problem *problem)
{
    const double bound = problem->op->half->tolerance(problem, 1);
    if (bound <= most_tolerance)
        return QP_OK;
    return qp_fail(
        QP_UNSUPPORTED,
        "16 bits promise nothing of this: their rounding alone may leave %s of %.2g, where "
        "an answer of zeros leaves 1; take a variant in 32 bits",
        problem->op->judge->measured, bound);
}

static enum qp_status check_largest(const char *name, const struct qp_matrix *field, double least)
{
    size_t cells = (size_t)field->width * (size_t)field->height;
    double largest_here = 0.0;
    for (size_t i = 0; i < cells; i++)
        largest_here = fmax(largest_here, fabs((double)field->values[i]));
    if (largest_here >= least)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "in 16 bits digits fade towards 0, and %s holds nothing above %g, less than %g: "
                   "scale the system, or take a variant in 32 bits",
                   name, largest_here, least);
}

/* Checks all stored fields; variants divide by those whose padding is 1. */
enum qp_status qp_half_takes(const struct qp_problem *problem)
{
    const struct qp_op *op = problem->op;
    enum qp_status status = QP_OK;
    for (int field = 0; field < op->fields && status == QP_OK; field++)
        status = check_field(op->field[field].name, &problem->field[field],
                             op->field[field].padding == 1.0f ? op->half->least_divisor : 0.0);
    if (status == QP_OK)
        status = check_largest(op->field[op->state].name, &problem->field[op->state],
                               op->half->least_largest);
    return status == QP_OK && op->judge != NULL ? check_promise(problem) : status;
}

enum qp_status qp_half_resolves(const struct qp_problem *problem)
{
    const double scale = problem->reference_scale, least = problem->op->half->least_scale;
    if (problem->op->judge != NULL)
        return check_promise(problem);
    if (scale >= least && scale <= largest)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "16 bits are good for numbers from %g to %.0f, and these grow to %g: scale the "
                   "right-hand side, or take a variant in 32 bits",
                   least, largest, scale);
}
