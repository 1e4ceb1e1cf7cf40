/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include <quadpass/matrix.h>

#include "base/caller.h"

enum qp_status qp_matrix_create(int width, int height, struct qp_matrix *out)
{
    if (QP_NEED(out))
        return QP_BAD_USE;
    *out = (struct qp_matrix){0};
    if (width < 1 || height < 1)
        return qp_fail(QP_BAD_USE, "a matrix of %d x %d cells has none; both must be at least 1",
                       width, height);
    size_t cells = (size_t)width * (size_t)height;
    float *values = qp_alloc(cells, sizeof *values, "a matrix");
    if (values == NULL)
        return QP_NO_MEMORY;
    for (size_t i = 0; i < cells; i++)
        values[i] = NAN;
    *out = (struct qp_matrix){.width = width, .height = height, .values = values};
    return QP_OK;
}

void qp_matrix_destroy(struct qp_matrix *matrix)
{
    if (matrix == NULL)
        return;
    free(matrix->values);
    *matrix = (struct qp_matrix){0};
}
