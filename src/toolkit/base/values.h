/* SPDX-License-Identifier: MIT */
/* Arrays of values in the host's memory: floats or doubles. This file alone knows how wide a value
 * is. */
#ifndef QP_BASE_VALUES_H
#define QP_BASE_VALUES_H

#include <stddef.h>

#include <quadpass/matrix.h>

static inline size_t qp_value_bytes(enum qp_precision precision)
{
    return precision == QP_DOUBLES ? sizeof(double) : sizeof(float);
}

/* Value i of an array; exact. */
static inline double qp_value(const void *values, enum qp_precision precision, size_t i)
{
    return precision == QP_DOUBLES ? ((const double *)values)[i] : ((const float *)values)[i];
}

/* Rounds once where the array holds floats. */
static inline void qp_set_value(void *values, enum qp_precision precision, size_t i, double value)
{
    if (precision == QP_DOUBLES)
        ((double *)values)[i] = value;
    else
        ((float *)values)[i] = (float)value;
}

/* Address of value i of an array. */
static inline void *qp_value_at(const void *values, enum qp_precision precision, size_t i)
{
    return (char *)values + i * qp_value_bytes(precision);
}

/* qp_matrix_create in this precision. */
enum qp_status qp_matrix_make(int width, int height, enum qp_precision precision,
                              struct qp_matrix *out);

/* All values of a matrix, and one of them. */
static inline void *qp_matrix_values(const struct qp_matrix *matrix)
{
    return matrix->precision == QP_DOUBLES ? (void *)matrix->doubles : matrix->values;
}

static inline double qp_matrix_value(const struct qp_matrix *matrix, size_t i)
{
    return qp_value(qp_matrix_values(matrix), matrix->precision, i);
}

#endif
