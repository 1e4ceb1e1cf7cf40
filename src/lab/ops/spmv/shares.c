/* SPDX-License-Identifier: MIT */
#include "lab/ops/spmv/shares.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/base/sparse.h"
#include "toolkit/base/whole.h"

enum { LANES = QP_SHARE_LANES, MOST_RULES = QP_SHARE_LONGEST * 3 / 2 };

struct builder {
    const struct qp_sparse *matrix;
    struct qp_shares *out;
    bool failed;
};

/* Entries of a lane: every step-th from the first. */
struct lane {
    size_t first, step;
    int count;
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
        if (moved != NULL) {
            *data = moved;
            *room = wanted;
        }
    }
    if (b->failed)
        return NULL;
    *used += bytes;
    return memset((char *)*data + *used - bytes, 0, bytes);
}

static int appended(const struct builder *b, enum qp_share_array which, size_t size)
{
    return (int)(b->out->array[which].bytes / size);
}

/* ---- Rules ---- */

static int rule_of(const struct qp_share_rule *rule, int rules, int lane, int column)
{
    int k = 0;
    while (k < rules && rule[k].base + rule[k].step * lane != column)
        k++;
    return k;
}

static bool has(const struct qp_sparse *m, struct lane lane, int column)
{
    int k = 0;
    while (k < lane.count && m->column[lane.first + (size_t)k * lane.step] != column)
        k++;
    return k < lane.count;
}

/* Finds rules that give all columns, one a slot: a column stays where the next lane has it, too,
 * and not the one after it; others move with the lane. Returns how many, most + 1 if there are more
 * or lanes without an entry would leave the matrix. */
static int find_rules(const struct qp_sparse *m, const struct lane *lane, int most,
                      struct qp_share_rule *rule)
{
    int rules = 0;
    for (int t = 0; t < LANES; t++) {
        for (int k = 0; k < lane[t].count; k++) {
            const int column = m->column[lane[t].first + (size_t)k * lane[t].step];
            if (rule_of(rule, rules, t, column) < rules)
                continue;
            const bool stays =
                t + 1 < LANES && has(m, lane[t + 1], column) && !has(m, lane[t + 1], column + 1);
            const int base = stays ? column : column - t;
            if (rules == most || base < 0 || (!stays && base > m->rows - LANES))
                return most + 1;
            rule[rules++] = (struct qp_share_rule){base, !stays};
        }
    }
    return rules;
}

/* ---- Shares ---- */

/* Adds a share whose rows and pieces are said, with the entries of its lanes. A rule a slot costs
 * nothing, so half as many slots again still take less memory than columns. */
static void add(struct builder *b, struct qp_share share, const struct lane *lane)
{
    const struct qp_sparse *m = b->matrix;
    struct qp_share_rule rule[MOST_RULES];
    int width = 0;
    for (int t = 0; t < LANES; t++)
        width = qp_most(width, lane[t].count);
    const int rules = find_rules(m, lane, width * 3 / 2, rule);
    const bool ruled = rules <= width * 3 / 2;
    const size_t group = LANES * sizeof(float);
    share.width = ruled ? rules : width;
    share.values = appended(b, QP_SHARE_VALUES, group);
    share.columns =
        ruled ? ~appended(b, QP_SHARE_RULES, sizeof *rule) : appended(b, QP_SHARE_COLUMNS, group);
    struct qp_share *out = append(b, QP_SHARES, sizeof *out);
    float *value = append(b, QP_SHARE_VALUES, (size_t)share.width * group);
    int *column = append(b, QP_SHARE_COLUMNS, ruled ? 0 : (size_t)width * group);
    void *kept = append(b, QP_SHARE_RULES, ruled ? (size_t)rules * sizeof *rule : 0);
    if (b->failed)
        return;
    *out = share;
    memcpy(kept, rule, ruled ? (size_t)rules * sizeof *rule : 0);
    for (int t = 0; t < LANES; t++) {
        for (int k = 0; k < lane[t].count; k++) {
            const size_t from = lane[t].first + (size_t)k * lane[t].step;
            const int slot = ruled ? rule_of(rule, rules, t, m->column[from]) : k;
            value[slot * LANES + t] = m->value[from];
            if (!ruled)
                column[k * LANES + t] = m->column[from];
        }
    }
}

/* Lane t has entries t, t + 32, ... of a piece. */
static void add_long_row(struct builder *b, int row)
{
    const size_t length = qp_sparse_length(b->matrix, row);
    const struct qp_share share = {.rows = row,
                                   .first = appended(b, QP_SHARES, sizeof share),
                                   .pieces = (int)((length + QP_SHARE_PIECE - 1) / QP_SHARE_PIECE)};
    for (size_t done = 0; done < length && !b->failed; done += QP_SHARE_PIECE) {
        const int left = length - done < QP_SHARE_PIECE ? (int)(length - done) : QP_SHARE_PIECE;
        struct lane lane[LANES];
        for (int t = 0; t < LANES; t++)
            lane[t] = (struct lane){b->matrix->first[row] + done + (size_t)t, LANES,
                                    t < left ? (left - t + LANES - 1) / LANES : 0};
        add(b, share, lane);
        append(b, QP_SHARE_TICKETS, sizeof(int));
    }
}

/* Adds a slice of the rows listed; `in_line`: they follow each other. */
static void add_slice(struct builder *b, const int *row, int count, bool in_line)
{
    struct qp_share share = {.rows = in_line ? row[0]
                                             : ~appended(b, QP_SHARE_ROWS, LANES * sizeof *row)};
    struct lane lane[LANES] = {0};
    int *list = append(b, QP_SHARE_ROWS, in_line ? 0 : LANES * sizeof *list);
    for (int t = 0; t < LANES && list != NULL; t++) {
        if (t < count)
            lane[t] = (struct lane){b->matrix->first[row[t]], 1,
                                    (int)qp_sparse_length(b->matrix, row[t])};
        if (!in_line)
            list[t] = t < count ? row[t] : -1;
    }
    add(b, share, lane);
}

/* True if slices of rows as they are have at most an eighth more slots than entries. */
static bool fits_in_line(const struct qp_sparse *m, int begin, int count)
{
    size_t slots = 0;
    for (int i = 0; i < count; i += LANES) {
        const int rows = qp_least(LANES, count - i);
        slots += qp_sparse_longest(m, begin + i, rows) * (size_t)rows;
    }
    return qp_sparse_longest(m, begin, count) <= QP_SHARE_LONGEST &&
           8 * slots <= 9 * (m->first[begin + count] - m->first[begin]);
}

/* Adds up to 1024 rows but the long ones: as they are, or sorted by length, the longest first. */
static void add_window(struct builder *b, int begin)
{
    const struct qp_sparse *m = b->matrix;
    const int count = qp_least(m->rows - begin, QP_SHARE_WINDOW);
    const bool in_line = fits_in_line(m, begin, count);
    int row[QP_SHARE_WINDOW], rows = 0;
    for (size_t length = QP_SHARE_LONGEST + 1; length-- > 0;) {
        for (int i = begin; i < begin + count; i++) {
            if (in_line ? length == 0 : qp_sparse_length(m, i) == length)
                row[rows++] = i;
        }
    }
    for (int t = 0; t < rows && !b->failed; t += LANES)
        add_slice(b, row + t, rows - t, in_line);
}

enum qp_status qp_shares_make(const struct qp_sparse *matrix, struct qp_shares *out)
{
    struct builder b = {.matrix = matrix, .out = out};
    *out = (struct qp_shares){0};
    for (int i = 0; i < QP_SHARE_ARRAYS; i++)
        append(&b, (enum qp_share_array)i, 0);
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
