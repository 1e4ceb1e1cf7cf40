/* SPDX-License-Identifier: MIT */
/* Arrays of a sparse matrix, in lines even in memory: a single one would be stored three times
 * over, for flat arrays have a line of padding at both ends. Each function returns how many texels
 * its array has, and fills them in where `values` is not NULL; cells that it leaves out are 0. */
#include <stdint.h>
#include <string.h>

#include "lab/ops/spmv/spmv.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"

enum { SLICE = 32 /* rows, a warp of CUDA */ };

/* Value of entry k or, stored by its bits, the word of its column. */
static void put_entry(const struct qp_problem *problem, size_t k, bool column, float *to)
{
    const int j = problem->sparse->column[k];
    const unsigned word = QP_SPMV_WORD(j % problem->width, j / problem->width);
    memcpy(to, column ? (const void *)&word : problem->sparse->value + k, sizeof *to);
}

/* Place in lines, counted from `start` each way. */
static void put_place(float *cells, size_t place, int line, double start)
{
    cells[0] = (float)((double)(place % (size_t)line) + start);
    cells[1] = (float)((double)(place / (size_t)line) + start);
}

/* ---- By rows ---- */

/* Whole numbers are stored by their bits. */
static void put_number(size_t number, float *to)
{
    const unsigned bits = (unsigned)number;
    memcpy(to, &bits, sizeof bits);
}

static size_t put_rows(const struct qp_problem *problem, int field, float *values)
{
    const struct qp_sparse *m = problem->sparse;
    const bool first = field == QP_SPMV_FIRST;
    const size_t count = first ? (size_t)m->rows + 1 : m->count;
    for (size_t k = 0; k < count && values != NULL; k++) {
        if (first || field == QP_SPMV_COLUMN)
            put_number(first ? m->first[k] : (size_t)m->column[k], values + k);
        else
            values[k] = m->value[k];
    }
    return count;
}

/* ---- Diagonals ---- */

static size_t put_offsets(const struct qp_problem *problem, int field, float *values)
{
    int offset[QP_SPMV_DIAGONALS_MOST + 1];
    const int width = problem->width,
              count =
                  qp_most(qp_sparse_offsets(problem->sparse, QP_SPMV_DIAGONALS_MOST, offset), 1);
    if (field == QP_SPMV_DIAGONALS && values != NULL)
        qp_sparse_put_by_diagonals(problem->sparse, width, offset, count, values);
    for (int d = 0; d < count && field == QP_SPMV_OFFSETS && values != NULL; d++) {
        const int right = (offset[d] % width + width) % width;
        values[4 * d] = (float)right;
        values[4 * d + 1] = (float)((offset[d] - right) / width);
        values[4 * d + 2] = (float)count;
    }
    return (size_t)count;
}

/* ---- In slices ---- */

static void put_slice(const struct qp_problem *problem, int field, int row, int rows,
                      const struct qp_slice *slice, float *values)
{
    const struct qp_sparse *m = problem->sparse;
    const bool column = field == QP_SPMV_SLICED_COLUMN || field == QP_SPMV_ELL_COLUMN;
    for (int r = 0; r < rows; r++) {
        const size_t first = m->first[row + r], length = qp_sparse_length(m, row + r);
        for (size_t k = 0; k < length; k++) {
            float *to = values + qp_slice_place(slice, r, k);
            if (field == QP_SPMV_SLICE_COLUMN)
                put_number((size_t)m->column[first + k], to);
            else
                put_entry(problem, first + k, column, to);
        }
    }
}

/* Slices of 32 rows for CUDA; for OpenGL of a texel's four, none of which are in two rows of the
 * grid, nor their slots in two lines. */
static size_t put_slices(const struct qp_problem *problem, int field, float *values)
{
    const struct qp_sparse *m = problem->sparse;
    const bool flat = field <= QP_SPMV_SLICE_VALUE, first = field == QP_SPMV_SLICE_FIRST,
               head = field == QP_SPMV_SLICED_HEAD || field == QP_SPMV_ELL_HEAD;
    const size_t least = field >= QP_SPMV_ELL_VALUE ? qp_sparse_longest(m, 0, m->rows) : 0;
    const int width = flat ? m->rows : problem->width;
    struct qp_slice slice = {flat ? SLICE : 4, 0, 0};
    size_t slices = 0;
    for (int row = 0, rows; row < m->rows; row += rows, slices++) {
        rows = qp_least(width - row % width, slice.height);
        const size_t longest = qp_sparse_longest(m, row, rows);
        qp_slice_next(&slice, longest > least ? longest : least, flat ? 0 : QP_SPMV_LINE);
        if (values != NULL && first) {
            put_number(qp_slice_place(&slice, 0, slice.wide), values + slices + 1);
        } else if (values != NULL && head) {
            put_place(values + 4 * slices, slice.at, QP_SPMV_LINE, 1.5);
            values[4 * slices + 2] = (float)slice.wide;
        } else if (values != NULL) {
            put_slice(problem, field, row, rows, &slice, values);
        }
    }
    return first  ? slices + 1
           : flat ? qp_slice_place(&slice, 0, slice.wide)
                  : slice.at + slice.wide;
}

/* ---- Rows sorted by length ---- */

static void put_part(const struct qp_problem *problem, const struct qp_spmv_parts *parts, int p,
                     float *cells)
{
    const struct qp_sparse *m = problem->sparse;
    const int part = parts->order.row[p];
    const size_t end = m->first[parts->row[part] + 1], next = parts->first[part + 1];
    for (size_t k = parts->first[part]; k < end && k < next; k++, cells += 4) {
        cells[0] = m->value[k];
        put_place(cells + 1, (size_t)m->column[k], problem->width, 0.0);
    }
}

/* Texels of an array for which there is no memory. */
static const size_t no_array = SIZE_MAX;

static size_t put_sorted(const struct qp_problem *problem, int field, float *values)
{
    struct qp_spmv_parts parts;
    if (qp_spmv_parts_make(problem->sparse, &parts) != QP_OK)
        return no_array;
    for (int p = 0; p < parts.count && values != NULL; p++) {
        float *row = values + 4 * parts.row[parts.order.row[p]];
        if (field == QP_SPMV_SORTED_ENTRIES)
            put_part(problem, &parts, p, values + 4 * parts.texel[p]);
        else if (field == QP_SPMV_SORTED_POINTERS)
            put_place(values + 4 * p, parts.texel[p], QP_SPMV_LINE, 1.5);
        else if (row[2]++ == 0.0f)
            put_place(row, (size_t)p, QP_SPMV_ACROSS, 0.5);
    }
    const size_t texels = field == QP_SPMV_SORTED_ENTRIES ? parts.texels : (size_t)parts.count;
    qp_spmv_parts_destroy(&parts);
    return texels;
}

/* ---- All of them ---- */

/* How an array is arranged: in lines of so many texels, or in the grid's texels of four rows (0),
 * or one to a row (-1). */
static const struct {
    size_t (*put)(const struct qp_problem *problem, int field, float *values);
    int line, cells; /* texels of a line, cells of a texel */
} arrays[QP_SPMV_FIELDS] = {
    [QP_SPMV_FIRST] = {put_rows, QP_SPMV_LINE, 1},
    [QP_SPMV_COLUMN] = {put_rows, QP_SPMV_LINE, 1},
    [QP_SPMV_VALUE] = {put_rows, QP_SPMV_LINE, 1},
    [QP_SPMV_SLICE_FIRST] = {put_slices, QP_SPMV_LINE, 1},
    [QP_SPMV_SLICE_COLUMN] = {put_slices, QP_SPMV_LINE, 1},
    [QP_SPMV_SLICE_VALUE] = {put_slices, QP_SPMV_LINE, 1},
    [QP_SPMV_DIAGONALS] = {put_offsets, 0, 4},
    [QP_SPMV_OFFSETS] = {put_offsets, QP_SPMV_LINE, 4},
    [QP_SPMV_SLICED_VALUE] = {put_slices, QP_SPMV_LINE, 4},
    [QP_SPMV_SLICED_COLUMN] = {put_slices, QP_SPMV_LINE, 4},
    [QP_SPMV_SLICED_HEAD] = {put_slices, 0, 4},
    [QP_SPMV_ELL_VALUE] = {put_slices, QP_SPMV_LINE, 4},
    [QP_SPMV_ELL_COLUMN] = {put_slices, QP_SPMV_LINE, 4},
    [QP_SPMV_ELL_HEAD] = {put_slices, 0, 4},
    [QP_SPMV_SORTED_ENTRIES] = {put_sorted, QP_SPMV_LINE, 4},
    [QP_SPMV_SORTED_POINTERS] = {put_sorted, QP_SPMV_ACROSS, 4},
    [QP_SPMV_SORTED_ROWS] = {put_sorted, -1, 4},
};

struct qp_size qp_spmv_field_size(const struct qp_problem *problem, int field)
{
    const int line = arrays[field].line, cells = arrays[field].cells, width = problem->width;
    if (problem->sparse == NULL)
        return (struct qp_size){1, 1};
    if (line < 0)
        return (struct qp_size){cells * width, problem->height};
    if (line == 0) {
        const int times = field == QP_SPMV_DIAGONALS ? (int)put_offsets(problem, field, NULL) : 1;
        return (struct qp_size){cells * qp_groups_in(width, 4) * times, problem->height};
    }
    const size_t put = arrays[field].put(problem, field, NULL), texels = put > 0 ? put : 1,
                 across = (size_t)line;
    if (put == no_array)
        return (struct qp_size){0, 0};
    return (struct qp_size){cells * (int)(texels < across ? texels : across),
                            (int)((texels - 1) / across + 1)};
}

/* An array has another size than the plan's where there was no memory for it as that was made. */
enum qp_status qp_spmv_derive(const struct qp_problem *problem, int field,
                              enum qp_precision precision, size_t room, void *values)
{
    const struct qp_size size = qp_spmv_field_size(problem, field);
    (void)precision; /* floats */
    memset(values, 0, room * sizeof(float));
    if ((size_t)size.width * (size_t)size.height != room)
        return qp_fail(QP_NO_MEMORY, "no memory for an array of the sparse matrix");
    return arrays[field].put(problem, field, values) != no_array ? QP_OK : QP_NO_MEMORY;
}

static bool reads(const struct qp_recipe *recipe, int field)
{
    bool found = false;
    for (int i = 0; i < QP_INPUTS; i++)
        found = found || recipe->input[i].field[0] == field;
    return found;
}

enum qp_status qp_spmv_takes(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    enum { ELL_MOST = 1 << 27 /* slots */, LIMIT = 1 << 14 /* texels each way, on most devices */ };
    const struct qp_sparse *m = problem->sparse;
    if (recipe->engine == &qp_engine_spmv_product) {
        const struct qp_spmv_variant *own = recipe->own;
        struct qp_product product;
        const enum qp_status status = qp_product_plan(m, own->layout, LIMIT, &product);
        qp_product_destroy(&product);
        return status;
    }
    const bool ell = reads(recipe, QP_SPMV_ELL_VALUE);
    int offset[QP_SPMV_DIAGONALS_MOST + 1];
    if (reads(recipe, QP_SPMV_DIAGONALS) &&
        qp_sparse_offsets(m, QP_SPMV_DIAGONALS_MOST, offset) > QP_SPMV_DIAGONALS_MOST)
        return qp_fail(QP_UNSUPPORTED, "the matrix has more than %d diagonals",
                       QP_SPMV_DIAGONALS_MOST);
    const size_t longest = qp_sparse_longest(m, 0, m->rows);
    if (longest > QP_SPMV_LINE && (ell || reads(recipe, QP_SPMV_SLICED_VALUE)))
        return qp_fail(QP_UNSUPPORTED,
                       "a row has %zu entries, and a slice may have %d; csr_sorted cuts long rows",
                       longest, QP_SPMV_LINE);
    if (ell && longest * (size_t)m->rows > ELL_MOST)
        return qp_fail(QP_UNSUPPORTED,
                       "each of %d rows needs the %zu slots of the longest; sliced_ell has slices "
                       "as wide as their own",
                       m->rows, longest);
    return QP_OK;
}
