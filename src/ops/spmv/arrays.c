/* SPDX-License-Identifier: MIT */
/* Arrays of a sparse matrix in memory, one value after the other. */
#include <stdlib.h>
#include <string.h>

#include "ops/spmv/spmv.h"
#include "plan/problem.h"

enum { SLICE = 32 /* rows of a slice, a warp of CUDA */ };

static struct qp_size line(size_t values)
{
    return (struct qp_size){values > 0 ? (int)values : 1, 1};
}

struct qp_size qp_spmv_field_size(const struct qp_problem *problem, int field)
{
    const struct qp_sparse *m = problem->sparse;
    if (m == NULL)
        return line(1);
    if (field >= QP_SPMV_TEXTURES)
        return qp_spmv_texture_size(problem, field);
    switch (field) {
    case QP_SPMV_FIRST:
        return line((size_t)m->rows + 1);
    case QP_SPMV_COLUMN:
    case QP_SPMV_VALUE:
        return line(m->count);
    case QP_SPMV_SLICE_FIRST:
        return line((size_t)(m->rows - 1) / SLICE + 2);
    default:
        return line(qp_slices_slots(m, SLICE));
    }
}

/* Copies integers where floats would be. */
static void put_places(const size_t *places, size_t count, int *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (int)places[i];
}

static void put_slices(const struct qp_sparse *matrix, int field, void *values)
{
    struct qp_slices slices;
    if (qp_slices_make(matrix, SLICE, &slices) != QP_OK)
        return; /* the values stay NaN, and the check fails */
    const size_t slots = slices.first[slices.count];
    if (field == QP_SPMV_SLICE_FIRST)
        put_places(slices.first, (size_t)slices.count + 1, values);
    else
        memcpy(values, field == QP_SPMV_SLICE_COLUMN ? (const void *)slices.column : slices.value,
               slots * sizeof(float));
    qp_slices_destroy(&slices);
}

void qp_spmv_derive(const struct qp_problem *problem, int field, enum qp_precision precision,
                    void *values)
{
    const struct qp_sparse *m = problem->sparse;
    const struct qp_size size = qp_spmv_field_size(problem, field);
    (void)precision; /* floats */
    memset(values, 0, (size_t)size.width * (size_t)size.height * sizeof(float));
    if (field >= QP_SPMV_TEXTURES) {
        qp_spmv_derive_texture(problem, field, values);
        return;
    }
    switch (field) {
    case QP_SPMV_FIRST:
        put_places(m->first, (size_t)m->rows + 1, values);
        break;
    case QP_SPMV_COLUMN:
        memcpy(values, m->column, m->count * sizeof *m->column);
        break;
    case QP_SPMV_VALUE:
        memcpy(values, m->value, m->count * sizeof *m->value);
        break;
    default:
        put_slices(m, field, values);
    }
}
