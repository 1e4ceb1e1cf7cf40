/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include <quadpass/matrix.h>

#include "base/caller.h"
#include "base/values.h"

enum qp_status qp_matrix_create(int width, int height, struct qp_matrix *out)
{
    return QP_NEED(out) ? QP_BAD_USE : qp_matrix_make(width, height, QP_FLOATS, out);
}

enum qp_status qp_matrix_make(int width, int height, enum qp_precision precision,
                              struct qp_matrix *out)
{
    *out = (struct qp_matrix){0};
    if (width < 1 || height < 1)
        return qp_fail(QP_BAD_USE, "a matrix of %d x %d cells has none; both must be at least 1",
                       width, height);
    size_t cells = (size_t)width * (size_t)height;
    void *values = qp_alloc(cells, qp_value_bytes(precision), "a matrix");
    if (values == NULL)
        return QP_NO_MEMORY;
    for (size_t i = 0; i < cells; i++)
        qp_set_value(values, precision, i, NAN);
    *out = (struct qp_matrix){.width = width,
                              .height = height,
                              .values = precision == QP_FLOATS ? values : NULL,
                              .precision = precision,
                              .doubles = precision == QP_DOUBLES ? values : NULL};
    return QP_OK;
}

void qp_matrix_destroy(struct qp_matrix *matrix)
{
    if (matrix == NULL)
        return;
    free(qp_matrix_values(matrix));
    *matrix = (struct qp_matrix){0};
}
