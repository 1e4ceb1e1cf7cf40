/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include <quadpass/matrix.h>

#include "toolkit/base/bands.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/values.h"

enum qp_status qp_matrix_create(int width, int height, struct qp_matrix *out)
{
    return QP_NEED(out) ? QP_BAD_USE : qp_matrix_make(width, height, QP_FLOATS, out);
}

/* Marks rows as unwritten, on all cores: most of the time goes into memory that is touched for the
 * first time. */
static double empty_rows(void *user, size_t first, size_t end)
{
    const struct qp_matrix *matrix = user;
    const size_t width = (size_t)matrix->width;
    for (size_t i = first * width; i < end * width; i++)
        qp_set_value(qp_matrix_values(matrix), matrix->precision, i, NAN);
    return 0.0;
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
    *out = (struct qp_matrix){.width = width,
                              .height = height,
                              .values = precision == QP_FLOATS ? values : NULL,
                              .precision = precision,
                              .doubles = precision == QP_DOUBLES ? values : NULL};
    qp_bands((size_t)height, (size_t)width, empty_rows, out);
    return QP_OK;
}

void qp_matrix_destroy(struct qp_matrix *matrix)
{
    if (matrix == NULL)
        return;
    free(qp_matrix_values(matrix));
    *matrix = (struct qp_matrix){0};
}
