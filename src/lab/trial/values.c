/* SPDX-License-Identifier: MIT */
/* Values of the types that arrays have. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab/trial/trial.h"
#include "toolkit/arrays/array.h"
#include "toolkit/base/layout.h"
#include "toolkit/base/values.h"
#include "toolkit/base/whole.h"
#include "toolkit/kernel_file/kernel_file.h"

size_t qp_typed_bytes(enum qp_array_type type)
{
    return type == QP_ARRAY_DOUBLE ? sizeof(double) : sizeof(float);
}

/* Rounds to the nearest of 11 bits, none below 2^-24. */
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

void qp_typed_put(enum qp_array_type type, enum qp_precision precision, const void *values,
                  size_t count, void *memory)
{
    const double unwritten = qp_typed_unwritten(type);
    for (size_t i = 0; i < count; i++) {
        const double value = values != NULL ? qp_value(values, precision, i) : unwritten;
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

void qp_typed_take(enum qp_array_type type, const void *memory, size_t count,
                   enum qp_precision precision, void *values)
{
    for (size_t i = 0; i < count; i++)
        qp_set_value(values, precision, i, qp_typed_get(type, memory, i));
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

/* ---- Values of whole arrays ---- */

/* True if values of this precision are what an array of the type is written from. */
static bool is_plain(enum qp_array_type type, enum qp_precision precision)
{
    return precision == QP_FLOATS ? type <= QP_ARRAY_HALF : type == QP_ARRAY_DOUBLE;
}

static size_t count_of(const struct qp_array_desc *desc)
{
    return (size_t)desc->width * (size_t)desc->height * (size_t)desc->channels;
}

enum qp_status qp_typed_write(struct qp_array *array, enum qp_precision precision,
                              const void *values)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    if (values != NULL && is_plain(desc.type, precision))
        return qp_array_write(array, NULL, values, 0);
    void *memory = qp_alloc(count_of(&desc), qp_typed_bytes(desc.type), "the values of an array");
    if (memory == NULL)
        return QP_NO_MEMORY;
    qp_typed_put(desc.type, precision, values, count_of(&desc), memory);
    const enum qp_status status = qp_array_write(array, NULL, memory, 0);
    free(memory);
    return status;
}

enum qp_status qp_typed_read(const struct qp_array *array, enum qp_precision precision,
                             void *values)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    if (is_plain(desc.type, precision))
        return qp_array_read(array, NULL, values, 0);
    void *memory = qp_alloc(count_of(&desc), qp_typed_bytes(desc.type), "the values of an array");
    if (memory == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = qp_array_read(array, NULL, memory, 0);
    if (status == QP_OK)
        qp_typed_take(desc.type, memory, count_of(&desc), precision, values);
    free(memory);
    return status;
}

void qp_round_numbers(enum qp_number_type type, const double *from, int count, double *to)
{
    for (int i = 0; i < count; i++)
        to[i] = type == QP_NUMBER_INT || type >= QP_NUMBER_UINT ? from[i] : (double)(float)from[i];
}

void qp_trial_set_step(const struct qp_trial *trial, int step, int steps,
                       struct qp_pass_number number[QP_KERNEL_NUMBERS + 1])
{
    memcpy(number, trial->value, sizeof trial->value);
    if (trial->file != NULL)
        qp_kernel_file_step(trial->file, step, steps, number);
    else if (trial->desc.set_step != NULL)
        trial->desc.set_step(trial->desc.user, step, steps, number);
    for (int i = 0; i < trial->numbers; i++)
        qp_round_numbers(trial->number[i].type, number[i].value, 4, number[i].value);
}
