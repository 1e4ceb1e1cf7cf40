/* SPDX-License-Identifier: MIT */
/* Arrays of a sparse matrix in memory, one value after the other. */
#include <stdlib.h>
#include <string.h>

#include "ops/spmv/spmv.h"
#include "plan/problem.h"

enum { SLICE = 32 /* rows of a slice, a warp of CUDA */, LINE = 1024 };

/* Lines that hold so many values, zeros after the last. A flat array has a line and one more cell
 * of padding at both ends: a single line would be stored three times over. */
static struct qp_size lines(size_t values)
{
    const size_t width = values == 0 ? 1 : values < LINE ? values : LINE;
    return (struct qp_size){(int)width, (int)((values + width - 1) / width) + (values == 0)};
}

struct qp_size qp_spmv_field_size(const struct qp_problem *problem, int field)
{
    const struct qp_sparse *m = problem->sparse;
    if (m == NULL)
        return lines(1);
    if (field >= QP_SPMV_TEXTURES)
        return qp_spmv_texture_size(problem, field);
    switch (field) {
    case QP_SPMV_FIRST:
        return lines((size_t)m->rows + 1);
    case QP_SPMV_COLUMN:
    case QP_SPMV_VALUE:
        return lines(m->count);
    case QP_SPMV_SLICE_FIRST:
        return lines((size_t)(m->rows - 1) / SLICE + 2);
    default:
        return lines(qp_slices_slots(m, SLICE));
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
