/* SPDX-License-Identifier: MIT */
/* Arrays of a sparse matrix in textures. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/whole.h"
#include "ops/spmv/spmv.h"
#include "plan/problem.h"

/* Cell of row i where each texel of the grid, four rows of a line, has `texels` side by side: the
 * one at `texel`. */
static size_t abreast(const struct qp_problem *problem, int i, size_t texel, size_t texels)
{
    const size_t width = (size_t)problem->width, x = (size_t)i % width, y = (size_t)i / width;
    return 4 * (((width + 3) / 4 * y + x / 4) * texels + texel) + x % 4;
}

static struct qp_size abreast_size(const struct qp_problem *problem, size_t texels)
{
    return (struct qp_size){4 * qp_groups_in(problem->width, 4) * (int)texels, problem->height};
}

/* Cells of this many texels in lines. */
static struct qp_size lines_of(size_t texels, int line, int cells)
{
    const size_t lines = (texels + (size_t)line - 1) / (size_t)line;
    if (lines <= 1)
        return (struct qp_size){cells * qp_most((int)texels, 1), 1};
    return (struct qp_size){cells * line, (int)lines};
}

/* Value of entry k or, stored by its bits, the word of its column. */
static void put_entry(const struct qp_problem *problem, size_t k, bool column, float *to)
{
    const int j = problem->sparse->column[k];
    const unsigned word = QP_SPMV_WORD(j % problem->width, j / problem->width);
    memcpy(to, column ? (const void *)&word : problem->sparse->value + k, sizeof *to);
}

/* ---- Diagonals ---- */

static int offsets_of(const struct qp_sparse *m, int *offset)
{
    return qp_sparse_offsets(m, QP_SPMV_DIAGONALS_MOST, offset);
}

static void put_diagonals(const struct qp_problem *problem, float *values)
{
    const struct qp_sparse *m = problem->sparse;
    int offset[QP_SPMV_DIAGONALS_MOST + 1];
    const int count = offsets_of(m, offset);
    for (int i = 0; i < m->rows; i++) {
        int d = 0;
        for (size_t k = m->first[i]; k < m->first[i + 1]; k++) {
            while (offset[d] < m->column[k] - i)
                d++;
            values[abreast(problem, i, (size_t)d, (size_t)count)] = m->value[k];
        }
    }
}

static void put_offsets(const struct qp_problem *problem, float *values)
{
    int offset[QP_SPMV_DIAGONALS_MOST + 1];
    const int count = offsets_of(problem->sparse, offset), width = problem->width;
    for (int d = 0; d < count; d++) {
        const int right = (offset[d] % width + width) % width;
        values[4 * d] = (float)right;
        values[4 * d + 1] = (float)((offset[d] - right) / width);
        values[4 * d + 2] = (float)count;
    }
}

/* ---- ELL ---- */

static void put_ell(const struct qp_problem *problem, bool columns, float *values)
{
    const struct qp_sparse *m = problem->sparse;
    const size_t slots = qp_sparse_longest(m);
    for (int i = 0; i < m->rows; i++) {
        for (size_t k = m->first[i]; k < m->first[i + 1]; k++)
            put_entry(problem, k, columns, values + abreast(problem, i, k - m->first[i], slots));
    }
}

/* ---- Sliced ELL ---- */

/* Goes through the slices: the next one's first slot, counted through all lines of texels, and its
 * width; begin with zeros. */
struct slice {
    int column, row; /* of the grid, its first row's cell */
    int rows;
    size_t first, width;
};

static bool next_slice(const struct qp_problem *problem, struct slice *s)
{
    const struct qp_sparse *m = problem->sparse;
    size_t at = s->first + s->width;
    if (s->rows > 0)
        s->column += 4;
    if (s->column >= problem->width) {
        s->column = 0;
        s->row++;
    }
    if (s->row >= problem->height)
        return false;
    s->rows = problem->width - s->column < 4 ? problem->width - s->column : 4;
    s->width = 0;
    for (int r = 0; r < s->rows; r++) {
        const size_t length = qp_sparse_length(m, s->row * problem->width + s->column + r);
        s->width = length > s->width ? length : s->width;
    }
    if (at % QP_SPMV_LINE + s->width > QP_SPMV_LINE)
        at += QP_SPMV_LINE - at % QP_SPMV_LINE;
    s->first = at;
    return true;
}

static void put_slice(const struct qp_problem *problem, const struct slice *s, bool columns,
                      float *values)
{
    const struct qp_sparse *m = problem->sparse;
    for (int r = 0; r < s->rows; r++) {
        const int i = s->row * problem->width + s->column + r;
        for (size_t k = m->first[i]; k < m->first[i + 1]; k++)
            put_entry(problem, k, columns, values + 4 * (s->first + k - m->first[i]) + r);
    }
}

static void put_head(const struct qp_problem *problem, const struct slice *s, float *values)
{
    const size_t cell = abreast(problem, s->row * problem->width + s->column, 0, 1);
    values[cell] = (float)(s->first % QP_SPMV_LINE) + 1.5f;
    values[cell + 1] = (float)(s->first / QP_SPMV_LINE) + 1.5f;
    values[cell + 2] = (float)s->width;
}

static void put_sliced(const struct qp_problem *problem, int field, float *values)
{
    struct slice s = {0};
    while (next_slice(problem, &s)) {
        if (field == QP_SPMV_SLICED_HEAD)
            put_head(problem, &s, values);
        else
            put_slice(problem, &s, field == QP_SPMV_SLICED_COLUMN, values);
    }
}

static struct qp_size sliced_size(const struct qp_problem *problem)
{
    struct slice s = {0};
    while (next_slice(problem, &s))
        continue;
    return lines_of(s.first + s.width, QP_SPMV_LINE, 4);
}

/* ---- Rows sorted by length ---- */

static void put_texel(float *cells, size_t texel, int line, double start)
{
    cells[0] = (float)((double)(texel % (size_t)line) + start);
    cells[1] = (float)((double)(texel / (size_t)line) + start);
}

static void put_sorted_entries(const struct qp_problem *problem, const struct qp_spmv_parts *parts,
                               float *values)
{
    const struct qp_sparse *m = problem->sparse;
    for (int p = 0; p < parts->count; p++) {
        const int part = parts->order.row[p], row = parts->row[part];
        size_t end = parts->first[part + 1];
        end = end < m->first[row + 1] ? end : m->first[row + 1];
        float *cells = values + 4 * parts->texel[p];
        for (size_t k = parts->first[part]; k < end; k++, cells += 4) {
            cells[0] = m->value[k];
            put_texel(cells + 1, (size_t)m->column[k], problem->width, 0.0);
        }
    }
}

static void put_sorted(const struct qp_problem *problem, int field, float *values)
{
    struct qp_spmv_parts parts;
    if (qp_spmv_parts_make(problem->sparse, &parts) != QP_OK)
        return; /* zeros, and the check fails */
    if (field == QP_SPMV_SORTED_ENTRIES)
        put_sorted_entries(problem, &parts, values);
    for (int p = 0; p < parts.count && field == QP_SPMV_SORTED_POINTERS; p++)
        put_texel(values + 4 * p, parts.texel[p], QP_SPMV_LINE, 1.5);
    for (int p = 0; p < parts.count && field == QP_SPMV_SORTED_ROWS; p++) {
        float *cells = values + 4 * parts.row[parts.order.row[p]];
        if (cells[2]++ == 0.0f)
            put_texel(cells, (size_t)p, QP_SPMV_ACROSS, 0.5);
    }
    qp_spmv_parts_destroy(&parts);
}

static struct qp_size sorted_size(const struct qp_problem *problem, int field)
{
    struct qp_spmv_parts parts;
    if (field == QP_SPMV_SORTED_ROWS)
        return (struct qp_size){4 * problem->width, problem->height};
    if (qp_spmv_parts_make(problem->sparse, &parts) != QP_OK)
        return (struct qp_size){4, 1};
    const struct qp_size size = field == QP_SPMV_SORTED_ENTRIES
                                    ? lines_of(parts.texels, QP_SPMV_LINE, 4)
                                    : lines_of((size_t)parts.count, QP_SPMV_ACROSS, 4);
    qp_spmv_parts_destroy(&parts);
    return size;
}

/* ---- Blocks of rows ---- */

static void put_words(float *cells, const unsigned words[4])
{
    memcpy(cells, words, 4 * sizeof *words);
}

/* Texels of blocks, or of long rows; writes them where `values` is not NULL. */
static size_t put_blocks(const struct qp_sparse *m, bool long_rows, float *values)
{
    struct qp_spmv_block b = {0};
    size_t count = 0;
    int first = 0;
    while (qp_spmv_next_block(m, &b)) {
        const bool ends = b.part > 0 && b.end == m->first[b.row + 1];
        const unsigned block[4] = {(unsigned)b.first,
                                   (unsigned)(b.end - b.first) | (unsigned)b.rows << 16,
                                   (unsigned)b.row, (unsigned)b.part},
                       row[4] = {(unsigned)first, (unsigned)(b.parts - first), (unsigned)b.row};
        if (values != NULL && (!long_rows || ends))
            put_words(values + 4 * count, long_rows ? row : block);
        count += !long_rows || ends;
        first = ends ? b.parts : first;
    }
    return count;
}

static void put_block_array(const struct qp_problem *problem, int field, float *values)
{
    const struct qp_sparse *m = problem->sparse;
    if (field >= QP_SPMV_BLOCKS) {
        put_blocks(m, field == QP_SPMV_LONG_ROWS, values);
        return;
    }
    for (size_t k = 0; field != QP_SPMV_BLOCK_FIRST && k < m->count; k++)
        put_entry(problem, k, field == QP_SPMV_BLOCK_COLUMN, values + k);
    for (int i = 0; field == QP_SPMV_BLOCK_FIRST && i <= m->rows; i++) {
        const unsigned first = (unsigned)m->first[i];
        memcpy(values + i, &first, sizeof first);
    }
}

static struct qp_size block_size(const struct qp_sparse *m, int field)
{
    if (field >= QP_SPMV_BLOCKS)
        return lines_of(put_blocks(m, field == QP_SPMV_LONG_ROWS, NULL), QP_SPMV_LINE, 4);
    return lines_of(field == QP_SPMV_BLOCK_FIRST ? (size_t)m->rows + 1 : m->count, QP_SPMV_LINE, 1);
}

/* ---- All of them ---- */

struct qp_size qp_spmv_texture_size(const struct qp_problem *problem, int field)
{
    int offset[QP_SPMV_DIAGONALS_MOST + 1];
    switch (field) {
    case QP_SPMV_DIAGONALS:
        return abreast_size(problem, (size_t)qp_most(offsets_of(problem->sparse, offset), 1));
    case QP_SPMV_OFFSETS:
        return (struct qp_size){4 * qp_most(offsets_of(problem->sparse, offset), 1), 1};
    case QP_SPMV_ELL_VALUE:
    case QP_SPMV_ELL_COLUMN:
        return abreast_size(problem, qp_sparse_longest(problem->sparse));
    case QP_SPMV_ELL_SLOTS:
        return (struct qp_size){1, 1};
    case QP_SPMV_SLICED_HEAD:
        return abreast_size(problem, 1);
    case QP_SPMV_SLICED_VALUE:
    case QP_SPMV_SLICED_COLUMN:
        return sliced_size(problem);
    case QP_SPMV_SORTED_ENTRIES:
    case QP_SPMV_SORTED_POINTERS:
    case QP_SPMV_SORTED_ROWS:
        return sorted_size(problem, field);
    default:
        return block_size(problem->sparse, field);
    }
}

void qp_spmv_derive_texture(const struct qp_problem *problem, int field, float *values)
{
    switch (field) {
    case QP_SPMV_DIAGONALS:
        put_diagonals(problem, values);
        break;
    case QP_SPMV_OFFSETS:
        put_offsets(problem, values);
        break;
    case QP_SPMV_ELL_VALUE:
    case QP_SPMV_ELL_COLUMN:
        put_ell(problem, field == QP_SPMV_ELL_COLUMN, values);
        break;
    case QP_SPMV_ELL_SLOTS:
        values[0] = (float)qp_sparse_longest(problem->sparse);
        break;
    case QP_SPMV_SLICED_VALUE:
    case QP_SPMV_SLICED_COLUMN:
    case QP_SPMV_SLICED_HEAD:
        put_sliced(problem, field, values);
        break;
    case QP_SPMV_SORTED_ENTRIES:
    case QP_SPMV_SORTED_POINTERS:
    case QP_SPMV_SORTED_ROWS:
        put_sorted(problem, field, values);
        break;
    default:
        put_block_array(problem, field, values);
    }
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
    enum { ELL_MOST = 1 << 28 }; /* slots */
    const struct qp_sparse *m = problem->sparse;
    int offset[QP_SPMV_DIAGONALS_MOST + 1];
    if (reads(recipe, QP_SPMV_DIAGONALS) && offsets_of(m, offset) > QP_SPMV_DIAGONALS_MOST)
        return qp_fail(QP_UNSUPPORTED, "the matrix has more than %d diagonals",
                       QP_SPMV_DIAGONALS_MOST);
    const size_t longest = qp_sparse_longest(m);
    if (reads(recipe, QP_SPMV_SLICED_VALUE) && longest > QP_SPMV_LINE)
        return qp_fail(QP_UNSUPPORTED,
                       "a row has %zu entries, and a slice may have %d; csr_sorted cuts long rows",
                       longest, QP_SPMV_LINE);
    if (reads(recipe, QP_SPMV_ELL_VALUE) && longest * (size_t)m->rows > ELL_MOST)
        return qp_fail(QP_UNSUPPORTED,
                       "each of %d rows needs the %zu slots of the longest; sliced_ell has slices "
                       "as wide as their own",
                       m->rows, longest);
    return QP_OK;
}
