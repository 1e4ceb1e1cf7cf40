/* SPDX-License-Identifier: MIT */
#include "plan/half.h"

#include <math.h>

static const double largest = 65504.0;

/* Least magnitudes of a divisor and of the scale s. With them the error of subnormal values, below 2^-14, stays
 * below one rounding of s a step: such a value is off by 2^-24 at most. So a step's right-hand side and eight
 * bands (w / D being at most 16, and |x| at most 20 s) are off by 2^-20 (1 + 8 * 20 s) and its result by 2^-24,
 * together less than 2^-11 s. */
static const double least_divisor = 0.125;
static const double least_scale = 0x1p-8;

/* Largest tolerance that means anything: the residual of x = 0 is 1. */
static const double most_tolerance = 0.25;

/* Least value of the largest element of an elimination: subnormal elements are off by 2^-24 each, which is
 * little beside the roundings of the others if the largest is 1/16 or more. */
static const double least_largest = 0x1p-4;

bool qp_recipe_is_half(const struct qp_recipe *recipe)
{
    return qp_format_bytes(recipe->state.format) == 2;
}

double qp_recipe_tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem,
                           int iterations)
{
    if (recipe->tolerance != NULL)
        return recipe->tolerance(recipe, problem);
    if (qp_format_precision(recipe->state.format) == QP_DOUBLES)
        return problem->op->tolerance_double(problem, iterations);
    return (qp_recipe_is_half(recipe) ? problem->op->tolerance_half
                                      : problem->op->tolerance)(problem, iterations);
}

/* `divides`: variants divide by this field. */
static enum qp_status check_field(const char *name, const struct qp_matrix *field, bool divides)
{
    size_t cells = (size_t)field->width * (size_t)field->height;
    for (size_t i = 0; i < cells; i++) {
        double magnitude = fabs((double)field->values[i]);
        if (!(magnitude <= largest))
            return qp_fail(
                QP_UNSUPPORTED,
                "16 bits hold numbers up to %.0f, and %s holds %g: take a row in 32 bits", largest,
                name, field->values[i]);
        if (divides && magnitude < least_divisor)
            return qp_fail(
                QP_UNSUPPORTED,
                "in 16 bits digits fade towards 0, and %s, by which it divides, holds %g, "
                "less than %g: scale the system, or take a row in 32 bits",
                name, field->values[i], least_divisor);
    }
    return QP_OK;
}

/* Checks the tolerance of an operation with a judge of its own: is it small enough to mean anything? */
static enum qp_status check_promise(const struct qp_problem *problem)
{
    const double bound = problem->op->tolerance_half(problem, 1);
    if (bound <= most_tolerance)
        return QP_OK;
    return qp_fail(
        QP_UNSUPPORTED,
        "16 bits promise nothing of this: their rounding alone may leave %s of %.2g, where "
        "an answer of zeros leaves 1; take a row in 32 bits",
        problem->op->judged, bound);
}

static enum qp_status check_largest(const char *name, const struct qp_matrix *field)
{
    size_t cells = (size_t)field->width * (size_t)field->height;
    double largest_here = 0.0;
    for (size_t i = 0; i < cells; i++)
        largest_here = fmax(largest_here, fabs((double)field->values[i]));
    if (largest_here >= least_largest)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "in 16 bits digits fade towards 0, and %s holds nothing above %g, less than %g: "
                   "scale the system, or take a row in 32 bits",
                   name, largest_here, least_largest);
}

/* Checks all stored fields; variants divide by those whose padding is 1. */
enum qp_status qp_half_takes(const struct qp_problem *problem)
{
    const struct qp_op *op = problem->op;
    enum qp_status status = QP_OK;
    for (int field = 0; field < op->fields && status == QP_OK; field++)
        status = check_field(op->field_names[field], &problem->field[field],
                             qp_op_padding(op, field) == 1.0f);
    if (status == QP_OK && op->judge != NULL)
        status = check_largest(op->field_names[op->state], &problem->field[op->state]);
    return status == QP_OK && op->judge != NULL ? check_promise(problem) : status;
}

enum qp_status qp_half_resolves(const struct qp_problem *problem)
{
    const double scale = problem->reference_scale;
    if (problem->op->judge != NULL)
        return check_promise(problem);
    if (scale >= least_scale && scale <= largest)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "16 bits are good for numbers from %g to %.0f, and these grow to %g: scale the "
                   "right-hand side, or take a row in 32 bits",
                   least_scale, largest, scale);
}
