/* SPDX-License-Identifier: MIT */
#include "ops/spmv/shares.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/sparse.h"

enum { WARP = QP_SHARE_WARP, MOST_RULES = QP_SHARE_LONGEST * 3 / 2 };

struct builder {
    const struct qp_sparse *matrix;
    struct qp_shares *out;
    bool failed;
};

/* Appends zeros to an array. NULL where there is no memory; no later call has any, either. */
static void *append(struct builder *b, enum qp_share_array which, size_t bytes)
{
    void **data = &b->out->array[which].data;
    size_t *used = &b->out->array[which].bytes, *room = &b->out->array[which].room;
    if (*used + bytes >= *room && !b->failed) {
        const size_t wanted = 2 * *room + bytes + 4096;
        void *moved = realloc(*data, wanted);
        b->failed = moved == NULL;
        *data = moved != NULL ? moved : *data;
        *room = moved != NULL ? wanted : *room;
    }
    if (b->failed)
        return NULL;
    *used += bytes;
    return memset((char *)*data + *used - bytes, 0, bytes);
}

static size_t appended(const struct builder *b, enum qp_share_array which, size_t size)
{
    return b->out->array[which].bytes / size;
}

/* Appends a share with its slots, whose columns are stored or `rules` many. NULL: no memory. */
static struct qp_share *append_share(struct builder *b, int width, bool ruled, float **value,
                                     int **column, struct qp_share_rule **rule)
{
    const size_t group = WARP * sizeof(float);
    const struct qp_share share = {.values = (unsigned)appended(b, QP_SHARE_VALUES, group),
                                   .columns = ruled
                                                  ? ~(int)appended(b, QP_SHARE_RULES, sizeof **rule)
                                                  : (int)appended(b, QP_SHARE_COLUMNS, group),
                                   .width = (short)width};
    struct qp_share *out = append(b, QP_SHARES, sizeof *out);
    *value = append(b, QP_SHARE_VALUES, (size_t)width * group);
    *column = append(b, QP_SHARE_COLUMNS, ruled ? 0 : (size_t)width * group);
    *rule = append(b, QP_SHARE_RULES, ruled ? (size_t)width * sizeof **rule : 0);
    if (b->failed)
        return NULL;
    *out = share;
    return out;
}

/* ---- Long rows ---- */

static void add_piece(struct builder *b, size_t begin, size_t count)
{
    const int *from = b->matrix->column + begin;
    const int width = (int)((count + WARP - 1) / WARP);
    const bool ruled = (size_t)(from[count - 1] - from[0]) == count - 1; /* no gaps */
    float *value;
    int *column;
    struct qp_share_rule *rule;
    struct qp_share *share = append_share(b, width, ruled, &value, &column, &rule);
    if (share == NULL)
        return;
    share->form = QP_SHARE_OF_ROW;
    share->rows = (int)appended(b, QP_SHARE_PIECES, sizeof(struct qp_share_piece));
    memcpy(value, b->matrix->value + begin, count * sizeof *value);
    if (!ruled)
        memcpy(column, from, count * sizeof *column);
    for (int k = 0; k < width && ruled; k++)
        rule[k] = (struct qp_share_rule){from[0] + k * WARP, 1};
}

static void add_long_row(struct builder *b, int row)
{
    const size_t most = QP_SHARE_PIECE * WARP, length = qp_sparse_length(b->matrix, row);
    const int pieces = (int)((length + most - 1) / most),
              first = (int)appended(b, QP_SHARE_PIECES, sizeof(struct qp_share_piece));
    for (int p = 0; p < pieces && !b->failed; p++) {
        const size_t done = (size_t)p * most, left = length - done;
        add_piece(b, b->matrix->first[row] + done, left < most ? left : most);
        struct qp_share_piece *piece = append(b, QP_SHARE_PIECES, sizeof *piece);
        if (piece != NULL)
            *piece = (struct qp_share_piece){row, first, pieces};
    }
}

/* ---- Rules of a slice ---- */

static int rule_of(const struct qp_share_rule *rule, int rules, int lane, int column)
{
    int k = 0;
    while (k < rules && rule[k].base + rule[k].step * lane != column)
        k++;
    return k;
}

static bool has(const struct qp_sparse *m, int row, int column)
{
    size_t k = m->first[row];
    while (k < m->first[row + 1] && m->column[k] < column)
        k++;
    return k < m->first[row + 1] && m->column[k] == column;
}

/* Rules that give the columns of `count` rows, one a slot: a column that the next row has, too,
 * stays, and others move with the row. Returns their number, most + 1 if there are more. */
static int find_rules(const struct qp_sparse *m, int row, int count, int most,
                      struct qp_share_rule *rule)
{
    int rules = 0;
    for (int t = 0; t < count; t++) {
        for (size_t k = m->first[row + t]; k < m->first[row + t + 1]; k++) {
            const int column = m->column[k];
            if (rule_of(rule, rules, t, column) < rules)
                continue;
            if (rules == most)
                return most + 1;
            const bool stays =
                t + 1 < count && has(m, row + t + 1, column) && !has(m, row + t + 1, column + 1);
            rule[rules++] = (struct qp_share_rule){stays ? column : column - t, !stays};
        }
    }
    return rules;
}

/* ---- Slices ---- */

static int widest(const struct qp_sparse *m, const int *row, int count)
{
    size_t width = 0;
    for (int t = 0; t < count; t++)
        width = qp_sparse_length(m, row[t]) > width ? qp_sparse_length(m, row[t]) : width;
    return (int)width;
}

/* Adds a slice of the rows listed; `in_line`: they follow each other. */
static void add_slice(struct builder *b, const int *row, int count, bool in_line)
{
    const struct qp_sparse *m = b->matrix;
    struct qp_share_rule found[MOST_RULES], *rule;
    float *value;
    int *column, width = widest(m, row, count);
    const int most = width * 3 / 2, rules = in_line ? find_rules(m, row[0], count, most, found) : 0;
    const bool ruled = in_line && rules <= most;
    struct qp_share *share = append_share(b, ruled ? rules : width, ruled, &value, &column, &rule);
    int *list = append(b, QP_SHARE_ROWS, in_line ? 0 : WARP * sizeof *list);
    if (share == NULL || list == NULL)
        return;
    share->form = in_line ? QP_SHARE_RANGE : QP_SHARE_LIST;
    share->rows = in_line ? row[0] : (int)appended(b, QP_SHARE_ROWS, WARP * sizeof *list) - 1;
    for (int k = 0; k < rules && ruled; k++)
        rule[k] = found[k];
    for (int t = 0; t < WARP && !in_line; t++)
        list[t] = t < count ? row[t] : -1;
    for (int t = 0; t < count; t++) {
        const size_t first = m->first[row[t]], length = qp_sparse_length(m, row[t]);
        for (size_t k = 0; k < length; k++) {
            const size_t slot = ruled ? (size_t)rule_of(found, rules, t, m->column[first + k]) : k;
            value[slot * WARP + (size_t)t] = m->value[first + k];
            if (!ruled)
                column[k * WARP + (size_t)t] = m->column[first + k];
        }
    }
}

/* True if slices of the rows as they are have at most an eighth more slots than entries. */
static bool fits_in_line(const struct qp_sparse *m, const int *row, int count)
{
    size_t slots = 0;
    for (int t = 0; t < count; t += WARP) {
        const int rows = count - t < WARP ? count - t : WARP, width = widest(m, row + t, rows);
        if (width > QP_SHARE_LONGEST)
            return false;
        slots += (size_t)width * (size_t)rows;
    }
    return 8 * slots <= 9 * (m->first[row[0] + count] - m->first[row[0]]);
}

/* Sorts the rows of a window by length, the longest first, without those that are in pieces.
 * Returns how many are left. */
static int sort(const struct qp_sparse *m, int begin, int count, int *row)
{
    int sorted = 0;
    for (int length = QP_SHARE_LONGEST; length >= 0; length--) {
        for (int i = begin; i < begin + count; i++) {
            if (qp_sparse_length(m, i) == (size_t)length)
                row[sorted++] = i;
        }
    }
    return sorted;
}

static void add_window(struct builder *b, int begin)
{
    const int left = b->matrix->rows - begin;
    int row[QP_SHARE_WINDOW], count = left < QP_SHARE_WINDOW ? left : QP_SHARE_WINDOW;
    for (int i = 0; i < count; i++)
        row[i] = begin + i;
    const bool in_line = fits_in_line(b->matrix, row, count);
    if (!in_line)
        count = sort(b->matrix, begin, count, row);
    for (int t = 0; t < count && !b->failed; t += WARP)
        add_slice(b, row + t, count - t < WARP ? count - t : WARP, in_line);
}

/* ---- All of a matrix ---- */

enum qp_status qp_shares_make(const struct qp_sparse *matrix, struct qp_shares *out)
{
    struct builder b = {.matrix = matrix, .out = out};
    *out = (struct qp_shares){0};
    for (int i = 0; i < matrix->rows && !b.failed; i++) {
        if (qp_sparse_length(matrix, i) > QP_SHARE_LONGEST)
            add_long_row(&b, i);
    }
    for (int i = 0; i < matrix->rows && !b.failed; i += QP_SHARE_WINDOW)
        add_window(&b, i);
    if (!b.failed)
        return QP_OK;
    qp_shares_destroy(out);
    return qp_fail(QP_NO_MEMORY, "no memory for the shares of a sparse matrix");
}

void qp_shares_destroy(struct qp_shares *shares)
{
    for (int i = 0; i < QP_SHARE_ARRAYS; i++)
        free(shares->array[i].data);
    *shares = (struct qp_shares){0};
}
