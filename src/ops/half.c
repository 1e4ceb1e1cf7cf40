/* SPDX-License-Identifier: MIT */
#include "ops/half.h"

#include <math.h>

static const double largest = 65504.0;

/* With these two limits what fades below 2^-14 stays below one rounding of the scale a step. A value
 * stored there is off by 2^-24 at most. So a step's right-hand side and eight bands (w / D being at most
 * 16, and |x| at most 20 times the scale s) are off by 2^-20 (1 + 8 * 20 s) and its result by 2^-24,
 * together less than 2^-11 s. */
static const double least_divisor = 0.125;
static const double least_scale = 0x1p-8;

bool qp_recipe_is_half(const struct qp_recipe *recipe)
{
    return qp_format_bytes(recipe->state.format) == 2;
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

/* Fields that are divided by are those whose padding is 1. */
enum qp_status qp_half_takes(const struct qp_problem *problem)
{
    const struct qp_op *op = problem->op;
    enum qp_status status = QP_OK;
    for (int field = 0; field < op->fields && status == QP_OK; field++)
        status = check_field(op->field_names[field], &problem->field[field],
                             op->padding(op, field) == 1.0f);
    return status;
}

enum qp_status qp_half_resolves(double scale)
{
    if (scale >= least_scale && scale <= largest)
        return QP_OK;
    return qp_fail(QP_UNSUPPORTED,
                   "16 bits are good for numbers from %g to %.0f, and these grow to %g: scale the "
                   "right-hand side, or take a row in 32 bits",
                   least_scale, largest, scale);
}
