/* SPDX-License-Identifier: MIT */
#include "base/sparse.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

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
    *matrix = (struct qp_sparse){0};
}

size_t qp_sparse_longest(const struct qp_sparse *matrix)
{
    size_t longest = 0;
    for (int i = 0; i < matrix->rows; i++)
        longest = qp_sparse_length(matrix, i) > longest ? qp_sparse_length(matrix, i) : longest;
    return longest;
}

/* ---- From a file's matrix ---- */

/* Row and column of entry k. */
static void place(const struct qp_market *matrix, size_t k, int *row, int *column)
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
        place(matrix, from[k], &at[0], &at[1]);
        first[at[!by_rows] + 1]++;
    }
    for (int i = 0; i < matrix->rows; i++)
        first[i + 1] += first[i];
    for (size_t k = 0; k < count; k++) {
        place(matrix, from[k], &at[0], &at[1]);
        to[first[at[!by_rows]]++] = from[k];
    }
    memmove(first + 1, first, (size_t)matrix->rows * sizeof *first);
    first[0] = 0;
}

/* Sorts entries by columns, then by rows: each row's columns ascend. */
static void fill(const struct qp_market *matrix, size_t *entry, size_t *other, struct qp_csr *out)
{
    size_t count = 0;
    for (size_t k = 0; k < matrix->count; k++) {
        if (is_kept(matrix, k))
            entry[count++] = k;
    }
    deal(matrix, false, entry, count, out->first, other);
    deal(matrix, true, other, count, out->first, entry);
    for (size_t k = 0; k < count; k++) {
        int row;
        place(matrix, entry[k], &row, &out->column[k]);
        out->value[k] = matrix->value[entry[k]];
    }
}

enum qp_status qp_csr_make(const struct qp_market *matrix, struct qp_csr *out)
{
    size_t count = 0;
    for (size_t k = 0; k < matrix->count; k++)
        count += is_kept(matrix, k);
    *out = (struct qp_csr){.rows = matrix->rows, .count = count};
    out->first = qp_alloc((size_t)matrix->rows + 1, sizeof *out->first, "rows of a matrix");
    out->column = qp_alloc(count + 1, sizeof *out->column, "columns of a matrix");
    out->value = qp_alloc(count + 1, sizeof *out->value, "entries of a matrix");
    size_t *entry = qp_alloc(2 * count + 1, sizeof *entry, "the order of a matrix's entries");
    const bool made =
        out->first != NULL && out->column != NULL && out->value != NULL && entry != NULL;
    if (made)
        fill(matrix, entry, entry + count, out);
    else
        qp_csr_destroy(out);
    free(entry);
    return made ? QP_OK : QP_NO_MEMORY;
}

void qp_csr_destroy(struct qp_csr *matrix)
{
    free(matrix->first);
    free(matrix->column);
    free(matrix->value);
    *matrix = (struct qp_csr){0};
}

enum qp_status qp_sparse_from_csr(const struct qp_csr *matrix, const double *scale,
                                  struct qp_sparse *out)
{
    const enum qp_status status = qp_sparse_allocate(matrix->rows, matrix->count, out);
    for (int i = 0; i < matrix->rows && status == QP_OK; i++) {
        out->first[i + 1] = matrix->first[i + 1];
        for (size_t k = matrix->first[i]; k < matrix->first[i + 1]; k++) {
            const int j = out->column[k] = matrix->column[k];
            out->value[k] = (float)(matrix->value[k] * (scale != NULL ? scale[i] * scale[j] : 1.0));
        }
    }
    return status;
}

enum qp_status qp_sparse_from_market(const struct qp_market *matrix, const double *scale,
                                     struct qp_sparse *out)
{
    struct qp_csr rows;
    enum qp_status status = qp_csr_make(matrix, &rows);
    if (status == QP_OK)
        status = qp_sparse_from_csr(&rows, scale, out);
    qp_csr_destroy(&rows);
    return status;
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

void qp_sparse_diagonal(const struct qp_sparse *matrix, int offset, float *value)
{
    for (int i = 0; i < matrix->rows; i++) {
        size_t k = matrix->first[i];
        while (k < matrix->first[i + 1] && matrix->column[k] - i < offset)
            k++;
        value[i] =
            k < matrix->first[i + 1] && matrix->column[k] - i == offset ? matrix->value[k] : 0.0f;
    }
}

/* ---- Slices ---- */

/* Slots of each row of a slice. */
static size_t width_of(const struct qp_sparse *matrix, int height, int slice)
{
    size_t width = 0;
    for (int i = slice * height; i < matrix->rows && i < (slice + 1) * height; i++)
        width = qp_sparse_length(matrix, i) > width ? qp_sparse_length(matrix, i) : width;
    return width;
}

static int slices_of(const struct qp_sparse *matrix, int height)
{
    return (matrix->rows - 1) / height + 1;
}

size_t qp_slices_slots(const struct qp_sparse *matrix, int height)
{
    size_t slots = 0;
    for (int s = 0; s < slices_of(matrix, height); s++)
        slots += width_of(matrix, height, s) * (size_t)height;
    return slots;
}

enum qp_status qp_slices_make(const struct qp_sparse *matrix, int height, struct qp_slices *out)
{
    const size_t slots = qp_slices_slots(matrix, height);
    *out = (struct qp_slices){.height = height, .count = slices_of(matrix, height)};
    out->first = qp_alloc_zero((size_t)out->count + 1, sizeof *out->first, "slices of a matrix");
    out->column = qp_alloc_zero(slots + 1, sizeof *out->column, "columns of a sliced matrix");
    out->value = qp_alloc_zero(slots + 1, sizeof *out->value, "entries of a sliced matrix");
    if (out->first == NULL || out->column == NULL || out->value == NULL) {
        qp_slices_destroy(out);
        return QP_NO_MEMORY;
    }
    for (int s = 0; s < out->count; s++)
        out->first[s + 1] = out->first[s] + width_of(matrix, height, s) * (size_t)height;
    for (int i = 0; i < matrix->rows; i++) {
        size_t slot = out->first[i / height] + (size_t)(i % height);
        for (size_t k = matrix->first[i]; k < matrix->first[i + 1]; k++, slot += (size_t)height) {
            out->column[slot] = matrix->column[k];
            out->value[slot] = matrix->value[k];
        }
    }
    return QP_OK;
}

void qp_slices_destroy(struct qp_slices *slices)
{
    free(slices->first);
    free(slices->column);
    free(slices->value);
    *slices = (struct qp_slices){0};
}

/* ---- Rows sorted by length ---- */

/* A row and the length it is sorted by. */
struct sorted {
    size_t length;
    int row;
};

static int longer_first(const void *one, const void *other)
{
    const struct sorted *a = one, *b = other;
    if (a->length != b->length)
        return a->length < b->length ? 1 : -1;
    return (a->row > b->row) - (a->row < b->row);
}

static void find_classes(const struct sorted *sorted, int rows, struct qp_by_length *out)
{
    for (int p = 0; p < rows; p++) {
        out->row[p] = sorted[p].row;
        if (p == 0 || sorted[p].length != sorted[p - 1].length)
            out->group[out->classes++] = (struct qp_length_class){sorted[p].length, p, 0};
        out->group[out->classes - 1].rows++;
    }
}

enum qp_status qp_by_length_make(const struct qp_sparse *matrix, struct qp_by_length *out)
{
    const size_t rows = (size_t)matrix->rows;
    struct sorted *sorted = qp_alloc(rows, sizeof *sorted, "rows to sort");
    *out =
        (struct qp_by_length){.row = qp_alloc(rows, sizeof *out->row, "rows sorted by length"),
                              .group = qp_alloc_zero(rows, sizeof *out->group, "classes of rows")};
    if (sorted == NULL || out->row == NULL || out->group == NULL) {
        free(sorted);
        qp_by_length_destroy(out);
        return QP_NO_MEMORY;
    }
    for (size_t i = 0; i < rows; i++)
        sorted[i] = (struct sorted){qp_sparse_length(matrix, (int)i), (int)i};
    qsort(sorted, rows, sizeof *sorted, longer_first);
    find_classes(sorted, matrix->rows, out);
    free(sorted);
    return QP_OK;
}

void qp_by_length_destroy(struct qp_by_length *order)
{
    free(order->row);
    free(order->group);
    *order = (struct qp_by_length){0};
}
