/* SPDX-License-Identifier: MIT */
/* Values of the types that arrays have, and of states. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/layout.h"
#include "base/values.h"
#include "base/whole.h"
#include "plan/problem.h"
#include "toolkit/array.h"
#include "trial/trial.h"

size_t qp_typed_bytes(enum qp_array_type type)
{
    return type == QP_ARRAY_DOUBLE ? sizeof(double) : sizeof(float);
}

/* To the nearest of 11 bits, none below 2^-24. */
static double round_to_half(double value)
{
    int exponent;
    frexp(value, &exponent);
    const int last = qp_most(exponent - 11, -24);
    return ldexp(rint(ldexp(value, -last)), last);
}

double qp_typed_round(enum qp_array_type type, double value)
{
    if (qp_array_is_whole(type))
        return floor(value);
    return type == QP_ARRAY_HALF    ? round_to_half(value)
           : type == QP_ARRAY_FLOAT ? (double)(float)value
                                    : value;
}

void qp_typed_put(enum qp_array_type type, const double *values, size_t count, void *memory)
{
    const double unwritten = qp_typed_unwritten(type);
    for (size_t i = 0; i < count; i++) {
        const double value = values != NULL ? values[i] : unwritten;
        if (type == QP_ARRAY_INT)
            ((int32_t *)memory)[i] = (int32_t)value;
        else if (type == QP_ARRAY_UINT)
            ((uint32_t *)memory)[i] = (uint32_t)value;
        else if (type == QP_ARRAY_DOUBLE)
            ((double *)memory)[i] = value;
        else
            ((float *)memory)[i] = (float)value;
    }
}

double qp_typed_get(enum qp_array_type type, const void *memory, size_t i)
{
    switch (type) {
    case QP_ARRAY_INT:
        return ((const int32_t *)memory)[i];
    case QP_ARRAY_UINT:
        return ((const uint32_t *)memory)[i];
    case QP_ARRAY_DOUBLE:
        return ((const double *)memory)[i];
    default:
        return (double)((const float *)memory)[i];
    }
}

double qp_typed_unwritten(enum qp_array_type type)
{
    return qp_array_is_whole(type) ? (double)0x5a5a5a5a : qp_unwritten();
}

/* ---- States ---- */

enum qp_array_type qp_trial_input_type(const struct qp_trial_row *row, int input)
{
    const struct qp_trial_array *array = &row->trial->input[input];
    if (array->state >= 0)
        return row->kernel[0].output_type;
    for (int k = 0; k < row->kernels; k++) {
        for (int i = 0; row->kernel[k].input[i].name != NULL; i++) {
            if (row->kernel[k].input[i].name == array->desc.name)
                return row->kernel[k].input[i].type;
        }
    }
    return array->type;
}

enum qp_status qp_trial_read(struct qp_plan *plan, bool target, void *texels, qp_trial_get *get_one)
{
    const struct qp_trial_row *row = qp_trial_row_of(plan->variant);
    const enum qp_array_type type = row->kernel[0].output_type;
    const enum qp_precision precision = plan->layout.precision;
    const size_t count = qp_trial_values(row->trial, plan->problem),
                 first = (size_t)plan->layout.origin_y * (size_t)plan->layout.storage_x +
                         (size_t)plan->layout.origin_x;
    void *memory = qp_alloc(count, qp_typed_bytes(type), "the values of an output");
    enum qp_status status = memory != NULL ? QP_OK : QP_NO_MEMORY;
    for (int k = 0; k < row->trial->outputs && status == QP_OK; k++) {
        status = get_one(plan, target, k, memory);
        for (size_t i = 0; i < count && status == QP_OK; i++)
            qp_set_value(texels, precision, first + (size_t)k * count + i,
                         qp_typed_get(type, memory, i));
    }
    free(memory);
    return status;
}

enum qp_status qp_trial_change(struct qp_plan *plan, double *norm)
{
    const size_t first = (size_t)plan->layout.origin_y * (size_t)plan->layout.storage_x +
                         (size_t)plan->layout.origin_x,
                 count = qp_problem_answers(plan->problem), bytes = qp_layout_bytes(&plan->layout);
    char *texels = qp_alloc(bytes, 2, "two states");
    enum qp_status status = texels != NULL ? QP_OK : QP_NO_MEMORY;
    double squares = 0.0;
    for (int k = 0; k < 2 && status == QP_OK; k++)
        status = plan->engine->read(plan, k == 1, texels + (size_t)k * bytes);
    for (size_t i = first; i < first + count && status == QP_OK; i++) {
        const double step = qp_value(texels + bytes, plan->layout.precision, i) -
                            qp_value(texels, plan->layout.precision, i);
        squares += step * step;
    }
    free(texels);
    *norm = sqrt(squares);
    return status;
}
