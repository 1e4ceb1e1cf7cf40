/* SPDX-License-Identifier: MIT */
#include "toolkit/base/sparse.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/whole.h"

enum qp_status qp_sparse_allocate(int rows, size_t count, struct qp_sparse *out)
{
    *out = (struct qp_sparse){.rows = rows, .count = count};
    out->first = qp_alloc_zero((size_t)rows + 1, sizeof *out->first, "rows of a sparse matrix");
    out->column = qp_alloc_zero(count + 1, sizeof *out->column, "columns of a sparse matrix");
    out->value = qp_alloc_zero(count + 1, sizeof *out->value, "entries of a sparse matrix");
    if (out->first != NULL && out->column != NULL && out->value != NULL)
        return QP_OK;
    qp_sparse_destroy(out);
    return QP_NO_MEMORY;
}

void qp_sparse_destroy(struct qp_sparse *matrix)
{
    free(matrix->first);
    free(matrix->column);
    free(matrix->value);
    free(matrix->given);
    *matrix = (struct qp_sparse){0};
}

size_t qp_sparse_longest(const struct qp_sparse *matrix, int row, int rows)
{
    size_t longest = 0;
    for (int i = row; i < matrix->rows && i - row < rows; i++)
        longest = qp_sparse_length(matrix, i) > longest ? qp_sparse_length(matrix, i) : longest;
    return longest;
}

/* ---- From a file's matrix ---- */

void qp_market_place(const struct qp_market *matrix, size_t k, int *row, int *column)
{
    *row = matrix->dense ? (int)(k % (size_t)matrix->rows) : matrix->row[k];
    *column = matrix->dense ? (int)(k / (size_t)matrix->rows) : matrix->column[k];
}

static bool is_kept(const struct qp_market *matrix, size_t k)
{
    return !matrix->dense || matrix->value[k] != 0.0;
}

/* Counts entries of rows, or of columns, and deals their numbers out in that order, those of one
 * row in the order they had. */
static void deal(const struct qp_market *matrix, bool by_rows, const size_t *from, size_t count,
                 size_t *first, size_t *to)
{
    int at[2];
    memset(first, 0, ((size_t)matrix->rows + 1) * sizeof *first);
    for (size_t k = 0; k < count; k++) {
        qp_market_place(matrix, from[k], &at[0], &at[1]);
        first[at[!by_rows] + 1]++;
    }
    for (int i = 0; i < matrix->rows; i++)
        first[i + 1] += first[i];
    for (size_t k = 0; k < count; k++) {
        qp_market_place(matrix, from[k], &at[0], &at[1]);
        to[first[at[!by_rows]]++] = from[k];
    }
    memmove(first + 1, first, (size_t)matrix->rows * sizeof *first);
    first[0] = 0;
}

/* Sorts entries by columns, then by rows: each row's columns ascend. */
static void fill(const struct qp_market *matrix, size_t *entry, size_t *other,
                 struct qp_sparse *out)
{
    size_t count = 0;
    for (size_t k = 0; k < matrix->count; k++) {
        if (is_kept(matrix, k))
            entry[count++] = k;
    }
    out->count = count;
    deal(matrix, false, entry, count, out->first, other);
    deal(matrix, true, other, count, out->first, entry);
    for (size_t k = 0; k < count; k++) {
        int row;
        qp_market_place(matrix, entry[k], &row, &out->column[k]);
        out->given[k] = matrix->value[entry[k]];
    }
}

enum qp_status qp_sparse_read(const struct qp_market *matrix, struct qp_sparse *out)
{
    const size_t count = matrix->count;
    enum qp_status status = qp_sparse_allocate(matrix->rows, count, out);
    if (status != QP_OK)
        return status;
    size_t *entry = qp_alloc(2 * count + 1, sizeof *entry, "the order of a matrix's entries");
    out->given = qp_alloc(count + 1, sizeof *out->given, "entries of a matrix");
    if (entry != NULL && out->given != NULL) {
        fill(matrix, entry, entry + count, out);
    } else {
        qp_sparse_destroy(out);
        status = QP_NO_MEMORY;
    }
    free(entry);
    return status;
}

void qp_sparse_scale(struct qp_sparse *matrix, const double *scale)
{
    for (int i = 0; i < matrix->rows; i++)
        for (size_t k = matrix->first[i]; k < matrix->first[i + 1]; k++)
            matrix->value[k] = (float)(matrix->given[k] * (scale[i] * scale[matrix->column[k]]));
}

/* ---- Diagonals ---- */

int qp_sparse_offsets(const struct qp_sparse *matrix, int most, int *offset)
{
    int count = 0;
    for (int i = 0; i < matrix->rows; i++) {
        for (size_t k = matrix->first[i]; k < matrix->first[i + 1]; k++) {
            const int wanted = matrix->column[k] - i;
            int at = 0;
            while (at < count && offset[at] < wanted)
                at++;
            if (at < count && offset[at] == wanted)
                continue;
            if (count == most)
                return most + 1;
            memmove(offset + at + 1, offset + at, (size_t)(count++ - at) * sizeof *offset);
            offset[at] = wanted;
        }
    }
    return count;
}

void qp_sparse_put_by_diagonals(const struct qp_sparse *matrix, int width, const int *offset,
                                int count, float *values)
{
    const size_t texels = (size_t)qp_groups_in(width, 4);
    for (int i = 0; i < matrix->rows; i++) {
        const size_t texel = (size_t)(i / width) * texels + (size_t)(i % width / 4);
        float *cells = values + 4 * texel * (size_t)count + i % width % 4;
        for (size_t k = matrix->first[i], d = 0; k < matrix->first[i + 1]; k++) {
            while (offset[d] < matrix->column[k] - i)
                d++;
            cells[4 * d] = matrix->value[k];
        }
    }
}

/* ---- Slices ---- */

size_t qp_sparse_slots(const struct qp_sparse *matrix, int height)
{
    struct qp_slice slice = {height, 0, 0};
    for (int row = 0; row < matrix->rows; row += height)
        qp_slice_next(&slice, qp_sparse_longest(matrix, row, height), 0);
    return qp_slice_place(&slice, 0, slice.wide);
}

/* ---- Rows sorted by length ---- */

enum qp_status qp_by_length_make(const struct qp_sparse *matrix, struct qp_by_length *out)
{
    const size_t rows = (size_t)matrix->rows, longest = qp_sparse_longest(matrix, 0, matrix->rows);
    int *place = qp_alloc_zero(longest + 2, sizeof *place, "lengths of rows");
    *out =
        (struct qp_by_length){.row = qp_alloc(rows, sizeof *out->row, "rows sorted by length"),
                              .group = qp_alloc_zero(rows, sizeof *out->group, "classes of rows")};
    if (place == NULL || out->row == NULL || out->group == NULL) {
        free(place);
        qp_by_length_destroy(out);
        return QP_NO_MEMORY;
    }
    for (int i = 0; i < matrix->rows; i++)
        place[longest - qp_sparse_length(matrix, i) + 1]++;
    for (size_t c = 0; c <= longest; c++) {
        if (place[c + 1] > 0)
            out->group[out->classes++] =
                (struct qp_length_class){longest - c, place[c], place[c + 1]};
        place[c + 1] += place[c];
    }
    for (int i = 0; i < matrix->rows; i++)
        out->row[place[longest - qp_sparse_length(matrix, i)]++] = i;
    free(place);
    return QP_OK;
}

void qp_by_length_destroy(struct qp_by_length *order)
{
    free(order->row);
    free(order->group);
    *order = (struct qp_by_length){0};
}
