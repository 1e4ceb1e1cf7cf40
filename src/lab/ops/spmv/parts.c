/* SPDX-License-Identifier: MIT */
/* Parts of rows: long ones are cut, so that no fragment adds many more entries than others. */
#include <stdlib.h>

#include "lab/ops/spmv/spmv.h"

/* ---- Rows sorted by length ---- */

static size_t rounded(size_t length)
{
    size_t step = 1;
    while (length > 16 * step)
        step *= 2;
    return (length + step - 1) / step * step;
}

static size_t parts_of(size_t length)
{
    return length > 0 ? (length + QP_SPMV_PART - 1) / QP_SPMV_PART : 1;
}

/* Lists parts, and their lengths as a matrix's that has them for rows. */
static void cut_rows(const struct qp_sparse *matrix, struct qp_spmv_parts *out,
                     struct qp_sparse *lengths)
{
    int p = 0;
    for (int i = 0; i < matrix->rows; i++) {
        const size_t length = qp_sparse_length(matrix, i), parts = parts_of(length),
                     each = (length + parts - 1) / parts;
        for (size_t k = 0; k < parts; k++, p++) {
            out->row[p] = i;
            out->first[p] = matrix->first[i] + k * each;
            lengths->first[p + 1] = lengths->first[p] + rounded(each);
        }
    }
    out->first[p] = matrix->count;
}

static void place_entries(struct qp_spmv_parts *out, const struct qp_sparse *lengths)
{
    size_t at = 0;
    for (int p = 0; p < out->count; p++) {
        const size_t length = qp_sparse_length(lengths, out->order.row[p]);
        if (at % QP_SPMV_LINE + length > QP_SPMV_LINE)
            at += QP_SPMV_LINE - at % QP_SPMV_LINE;
        out->texel[p] = at;
        at += length;
    }
    out->texels = at;
}

enum qp_status qp_spmv_parts_make(const struct qp_sparse *matrix, struct qp_spmv_parts *out)
{
    struct qp_sparse lengths = {0};
    size_t count = 0;
    for (int i = 0; i < matrix->rows; i++)
        count += parts_of(qp_sparse_length(matrix, i));
    *out = (struct qp_spmv_parts){.count = (int)count,
                                  .row = qp_alloc(count, sizeof *out->row, "parts of rows"),
                                  .first = qp_alloc(count + 1, sizeof *out->first, "parts of rows"),
                                  .texel = qp_alloc(count, sizeof *out->texel, "parts of rows")};
    enum qp_status status = out->row != NULL && out->first != NULL && out->texel != NULL
                                ? qp_sparse_allocate((int)count, 0, &lengths)
                                : QP_NO_MEMORY;
    if (status == QP_OK) {
        cut_rows(matrix, out, &lengths);
        status = qp_by_length_make(&lengths, &out->order);
    }
    if (status == QP_OK)
        place_entries(out, &lengths);
    else
        qp_spmv_parts_destroy(out);
    qp_sparse_destroy(&lengths);
    return status;
}

void qp_spmv_parts_destroy(struct qp_spmv_parts *parts)
{
    free(parts->row);
    free(parts->first);
    free(parts->texel);
    qp_by_length_destroy(&parts->order);
    *parts = (struct qp_spmv_parts){0};
}
