/* SPDX-License-Identifier: MIT */
/* Arrays that a head says how to make. */
#include <math.h>
#include <stdint.h>

#include "toolkit/base/expression.h"
#include "toolkit/base/random.h"
#include "toolkit/base/values.h"
#include "toolkit/kernel_file/kernel_file.h"

const char *qp_kernel_file_refuses(enum qp_array_type type, double value)
{
    const double low = type == QP_ARRAY_UINT ? 0.0 : INT32_MIN,
                 high = type == QP_ARRAY_UINT ? UINT32_MAX : INT32_MAX;
    if (type == QP_ARRAY_INT || type == QP_ARRAY_UINT)
        return value == floor(value) && value >= low && value <= high ? NULL
               : type == QP_ARRAY_INT
                   ? "no integer of 32 bits, which the kernel's arrays have"
                   : "no unsigned integer of 32 bits, which the kernel's arrays have";
    return !isfinite(value) || type == QP_ARRAY_DOUBLE || isfinite((float)value)
               ? NULL
               : "beyond float (scale the values)";
}

static double made_value(enum qp_kernel_file_origin kind, const struct qp_filled *filled, int x,
                         int y, uint64_t *state)
{
    const bool whole = filled->type == QP_ARRAY_INT || filled->type == QP_ARRAY_UINT;
    switch (kind) {
    case QP_MADE_ONES:
        return 1.0;
    case QP_MADE_GRADIENT: {
        const double part = filled->width > 1 ? (double)x / (filled->width - 1) : 0.0;
        return whole ? rint(part) : part;
    }
    case QP_MADE_IMPULSE:
        return x == filled->width / 2 && y == filled->height / 2;
    case QP_MADE_ZEROS:
        return 0.0;
    default:
        return whole ? floor(qp_random(state, 0.0, 10.0)) : qp_random(state, 0.0, 1.0);
    }
}

/* Cells are numbered from 1 on. */
static enum qp_status compute(const struct qp_kernel_file_array *array,
                              const struct qp_filled *filled)
{
    struct qp_expression expression;
    const int channels = filled->channels, width = filled->width * channels;
    const bool whole = filled->type == QP_ARRAY_INT || filled->type == QP_ARRAY_UINT;
    const size_t count = (size_t)width * (size_t)filled->height;
    enum qp_status status = qp_expression_read(array->from, &expression);
    for (size_t i = 0; i < count && status == QP_OK; i++) {
        const int x = 1 + (int)(i % (size_t)width) / channels, y = 1 + (int)(i / (size_t)width);
        const double exact = qp_expression_value(&expression, x, y),
                     value = whole ? rint(exact) : exact;
        const char *why =
            isfinite(value) ? qp_kernel_file_refuses(filled->type, value) : "no finite number";
        qp_set_value(filled->values, filled->precision, i, value);
        if (why != NULL)
            status = qp_fail(QP_BAD_INPUT, "input %s=%s: at x = %d, y = %d it is %g, which is %s",
                             array->name, array->from, x, y, isnan(value) ? NAN : value, why);
    }
    return status;
}

enum qp_status qp_kernel_file_values(const struct qp_kernel_file_array *array, uint64_t seed,
                                     const struct qp_filled *filled)
{
    const size_t count = (size_t)filled->width * (size_t)filled->height * (size_t)filled->channels;
    uint64_t state = seed;
    if (array->made == QP_MADE_EXPRESSION)
        return compute(array, filled);
    for (size_t i = 0; i < count; i++) {
        const size_t cell = i / (size_t)filled->channels, width = (size_t)filled->width;
        double value =
            made_value(array->made, filled, (int)(cell % width), (int)(cell / width), &state);
        if (array->made == QP_MADE_RANDOM && !(filled->is_state && filled->type == QP_ARRAY_DOUBLE))
            value = (float)value >= 1.0f && value < 1.0 ? 1.0 - 0x1p-24 : (float)value;
        qp_set_value(filled->values, filled->precision, i, value);
    }
    return QP_OK;
}
