/* SPDX-License-Identifier: MIT */
/* Diagonal dominance proves most matrices of grids regular or singular. Let |a_ii| >= sum_j |a_ij|
 * in every row, j other than i. Where each row is strict (>), or leads by entries that are not zero
 * to one that is, A is regular (Taussky 1949, Shivakumar and Chew 1974). Let S be the rows that
 * lead to none. They couple with each other alone, so if the entries of each add up to 0, not all
 * of them 0, A has a solution of A x = 0 that is 1 on S: a Laplacian of which no value at a
 * boundary is known. */
#include "lab/solve/regular.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/random.h"
#include "toolkit/base/status.h"
#include "toolkit/base/twofold.h"
#include "toolkit/io/market.h"

struct row {
    struct qp_twofold sum;  /* sum of its entries */
    struct qp_twofold rest; /* |a_ii| less the magnitudes of the others */
    bool leads;             /* to a strict row, or is one */
    bool filled;            /* not all are 0 */
};

struct look {
    const struct qp_market *a;
    size_t n;
    struct row *row;
    size_t *first, *entry; /* column j has entry[first[j]] to entry[first[j + 1] - 1] */
    size_t *found;         /* a queue of rows that lead */
    size_t count;
    bool exact; /* no sum was rounded */
};

/* Adds a value; false where two doubles do not hold the sum. */
static bool add(struct qp_twofold *sum, double value)
{
    const struct qp_twofold high = qp_two_sum(sum->high, value),
                            low = qp_two_sum(sum->low, high.low);
    *sum = qp_two_sum(high.high, low.high);
    return low.low == 0.0 && isfinite(sum->high);
}

static void add_up(struct look *s)
{
    s->exact = true;
    for (size_t k = 0; k < s->a->count && s->exact; k++) {
        int i, j;
        qp_market_place(s->a, k, &i, &j);
        const double value = s->a->value[k], part = i == j ? fabs(value) : -fabs(value);
        s->exact = i >= 0 && (size_t)i < s->n && j >= 0 && (size_t)j < s->n &&
                   add(&s->row[i].sum, value) && add(&s->row[i].rest, part);
        if (s->exact && value != 0.0)
            s->row[i].filled = true;
    }
}

/* ---- Which rows lead to a strict one ---- */

static void find(struct look *s, size_t row)
{
    if (!s->row[row].leads)
        s->found[s->count++] = row;
    s->row[row].leads = true;
}

/* Sorts entries of a coordinate matrix by columns: counted, then dealt out from the last place of
 * each column. */
static void sort(struct look *s)
{
    for (size_t k = 0; k < s->a->count; k++)
        s->first[s->a->column[k]]++;
    for (size_t j = 1; j <= s->n; j++)
        s->first[j] += s->first[j - 1];
    for (size_t k = 0; k < s->a->count; k++)
        s->entry[--s->first[s->a->column[k]]] = k;
}

/* Marks rows with an entry in this column. */
static void find_column(struct look *s, size_t j)
{
    const struct qp_market *a = s->a;
    for (size_t i = 0; i < (a->dense ? s->n : 0); i++) {
        if (a->value[j * s->n + i] != 0.0)
            find(s, i);
    }
    for (size_t k = s->first[j]; k < s->first[j + 1]; k++) {
        if (a->value[s->entry[k]] != 0.0)
            find(s, (size_t)a->row[s->entry[k]]);
    }
}

/* Searches from the strict rows, breadth first, along columns. */
static enum qp_status follow(struct look *s)
{
    const size_t sparse = s->a->dense ? 0 : s->a->count;
    s->first = qp_alloc_zero(s->n + 1, sizeof *s->first, "columns of a matrix");
    s->found = qp_alloc(s->n, sizeof *s->found, "rows of a matrix");
    s->entry = qp_alloc(sparse + 1, sizeof *s->entry, "entries of a matrix");
    if (s->first == NULL || s->found == NULL || s->entry == NULL)
        return QP_NO_MEMORY;
    if (sparse > 0)
        sort(s);
    for (size_t i = 0; i < s->n; i++) {
        if (s->row[i].rest.high > 0.0)
            find(s, i);
    }
    for (size_t at = 0; at < s->count; at++)
        find_column(s, s->found[at]);
    return QP_OK;
}

/* ---- Conclusions ---- */

static enum qp_status refuse(const struct look *s)
{
    const size_t left = s->n - s->count;
    size_t last = s->n - 1;
    while (s->row[last].leads)
        last--;
    char rows[96] = "each row";
    if (left < s->n)
        snprintf(rows, sizeof rows, "each of %zu rows that lead to no other", left);
    return qp_fail(QP_BAD_INPUT,
                   "the matrix is singular: column %zu is a combination of the others, for the "
                   "entries of %s add up to 0; fix one unknown, by a row that has 1 on the "
                   "diagonal and nothing else",
                   last + 1, rows);
}

static enum qp_status judge(struct look *s, bool *regular)
{
    bool dominant = s->exact, strict = true, zero = true;
    for (size_t i = 0; i < s->n; i++) {
        dominant = dominant && s->row[i].rest.high >= 0.0;
        strict = strict && s->row[i].rest.high > 0.0;
    }
    *regular = dominant && strict;
    if (!dominant || strict)
        return QP_OK;
    enum qp_status status = follow(s);
    if (status != QP_OK)
        return status;
    for (size_t i = 0; i < s->n; i++)
        zero = zero && (s->row[i].leads || (s->row[i].filled && s->row[i].sum.high == 0.0));
    *regular = s->count == s->n;
    return *regular || !zero ? QP_OK : refuse(s);
}

/* ---- Zero and equal rows and columns ---- */

/* A row, or a column, by the sum of a hash of each entry that is not 0: equal ones have the same,
 * in whatever order a file has them. */
struct line {
    uint64_t hash;
    size_t number;
    bool filled;
};

static int compare(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void add_line(struct line *line, double value, int other)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    line->hash += qp_random_mix(bits ^ qp_random_mix((uint64_t)other + 1));
    line->filled = true;
}

static void add_lines(const struct look *s, bool columns, struct line *line)
{
    for (size_t k = 0; k < s->n; k++)
        line[k] = (struct line){.number = k};
    for (size_t k = 0; k < s->a->count; k++) {
        int i, j;
        qp_market_place(s->a, k, &i, &j);
        if (s->a->value[k] != 0.0)
            add_line(&line[columns ? j : i], s->a->value[k], columns ? i : j);
    }
}

/* Compares two rows, or columns, entry by entry: no place comes twice. */
static bool are_equal(const struct look *s, bool columns, size_t one, size_t two, double *rest)
{
    bool equal = true;
    memset(rest, 0, s->n * sizeof *rest);
    for (size_t k = 0; k < s->a->count; k++) {
        int i, j;
        qp_market_place(s->a, k, &i, &j);
        const size_t at = (size_t)(columns ? j : i), other = (size_t)(columns ? i : j);
        if (at == one || at == two)
            rest[other] += at == one ? s->a->value[k] : -s->a->value[k];
    }
    for (size_t k = 0; k < s->n && equal; k++)
        equal = rest[k] == 0.0;
    return equal;
}

/* Errors: QP_BAD_INPUT, with the first zero row or column, or two equal ones. */
static enum qp_status find_alike(const struct look *s, bool columns, struct line *line,
                                 double *rest)
{
    const char *what = columns ? "column" : "row";
    add_lines(s, columns, line);
    for (size_t k = 0; k < s->n; k++) {
        if (!line[k].filled)
            return qp_fail(QP_BAD_INPUT, "the matrix is singular: %s %zu is zero", what, k + 1);
    }
    qsort(line, s->n, sizeof *line, compare);
    for (size_t k = 1; k < s->n; k++) {
        const size_t one = line[k - 1].number, two = line[k].number;
        if (line[k - 1].hash == line[k].hash && are_equal(s, columns, one, two, rest))
            return qp_fail(QP_BAD_INPUT, "the matrix is singular: %ss %zu and %zu are equal", what,
                           one + 1, two + 1);
    }
    return QP_OK;
}

/* Names the first row of zeros of a matrix with fewer entries than rows, however many those are. */
static enum qp_status refuse_empty(const struct qp_market *a)
{
    bool *filled = qp_alloc_zero(a->count + 1, sizeof *filled, "marks of rows");
    size_t row = 0;
    if (filled == NULL)
        return QP_NO_MEMORY;
    for (size_t k = 0; k < a->count; k++) {
        if (a->value[k] != 0.0 && (size_t)a->row[k] < a->count)
            filled[a->row[k]] = true;
    }
    while (filled[row])
        row++;
    free(filled);
    return qp_fail(QP_BAD_INPUT, "the matrix is singular: row %zu is zero", row + 1);
}

static enum qp_status look_for_alike(const struct look *s)
{
    struct line *line = qp_alloc(s->n, sizeof *line, "hashes of rows");
    double *rest = qp_alloc(s->n, sizeof *rest, "a difference of rows");
    enum qp_status status = line != NULL && rest != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK)
        status = find_alike(s, false, line, rest);
    if (status == QP_OK)
        status = find_alike(s, true, line, rest);
    free(line);
    free(rest);
    return status;
}

enum qp_status qp_look_whether_regular(const struct qp_market *matrix, bool *regular)
{
    struct look s = {.a = matrix, .n = (size_t)matrix->rows};
    enum qp_status status;
    *regular = false;
    if (matrix->rows < 1 || matrix->rows != matrix->columns)
        return QP_OK;
    if (matrix->count < s.n)
        return refuse_empty(matrix);
    s.row = qp_alloc_zero(s.n, sizeof *s.row, "sums of rows");
    if (s.row != NULL)
        add_up(&s);
    status = s.row != NULL ? judge(&s, regular) : QP_NO_MEMORY;
    if (status == QP_OK && !*regular)
        status = look_for_alike(&s);
    free(s.row);
    free(s.first);
    free(s.entry);
    free(s.found);
    return status;
}
