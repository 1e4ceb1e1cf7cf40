/* SPDX-License-Identifier: MIT */
/* Shares of a matrix (shares.h), without a device: a warp in plain C adds them up, at awkward
 * matrices, and every row is written once and every entry is there. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/spmv/shares.h"
#include "lab/ops/spmv/spmv.h"
#include "lab/plan/problem.h"

enum { WARP = QP_SHARE_LANES };

static size_t items(const struct qp_shares *shares, enum qp_share_array which, size_t size)
{
    assert_int_equal(shares->array[which].bytes % size, 0);
    return shares->array[which].bytes / size;
}

/* A vector in which no two values are alike. */
static double x_of(int column)
{
    return 1.0 + 0.37 * column;
}

/* ---- A warp ---- */

struct answer {
    double *y;
    int *written; /* how often each row was */
};

static void add_slots(const struct qp_shares *shares, const struct qp_share *share, int rows,
                      double sum[WARP])
{
    const float *value = shares->array[QP_SHARE_VALUES].data;
    const int *stored = shares->array[QP_SHARE_COLUMNS].data;
    const struct qp_share_rule *rule = shares->array[QP_SHARE_RULES].data;
    memset(sum, 0, WARP * sizeof *sum);
    for (int k = 0; k < share->width; k++) {
        for (int t = 0; t < WARP; t++) {
            const int column = share->columns < 0 ? rule[~share->columns + k].base +
                                                        rule[~share->columns + k].step * t
                                                  : stored[(share->columns + k) * WARP + t];
            assert_in_range(column, 0, rows - 1);
            sum[t] += (double)value[(share->values + k) * WARP + t] * x_of(column);
        }
    }
}

static void put(const struct answer *answer, int row, int rows, double value)
{
    assert_in_range(row, 0, rows - 1);
    answer->y[row] += value;
    answer->written[row]++;
}

/* Pieces of a row follow each other, and write it once. */
static void put_piece(const struct qp_share *share, int number, int rows, const double *sum,
                      const struct answer *answer)
{
    double all = 0.0;
    for (int t = 0; t < WARP; t++)
        all += sum[t];
    assert_in_range(number, share[number].first, share[number].first + share[number].pieces - 1);
    assert_int_equal(share[number].rows, share[share[number].first].rows);
    put(answer, share[number].rows, rows, all);
    if (number > share[number].first)
        answer->written[share[number].rows]--;
}

static void multiply(const struct qp_shares *shares, int rows, const struct answer *answer)
{
    const struct qp_share *share = shares->array[QP_SHARES].data;
    const int *list = shares->array[QP_SHARE_ROWS].data;
    const int count = (int)items(shares, QP_SHARES, sizeof *share),
              pieces = (int)items(shares, QP_SHARE_TICKETS, sizeof(int));
    double sum[WARP];
    for (int s = 0; s < count; s++) {
        add_slots(shares, &share[s], rows, sum);
        assert_int_equal(share[s].pieces > 0, s < pieces);
        if (share[s].pieces > 0)
            put_piece(share, s, rows, sum, answer);
        for (int t = 0; t < WARP && share[s].pieces == 0; t++) {
            const int row =
                share[s].rows >= 0 ? share[s].rows + t : list[~share[s].rows * WARP + t];
            if (row >= 0 && row < rows)
                put(answer, row, rows, sum[t]);
        }
    }
}

static void check(const struct qp_sparse *m, const char *what)
{
    struct qp_shares shares;
    struct answer answer = {calloc((size_t)m->rows, sizeof(double)),
                            calloc((size_t)m->rows, sizeof(int))};
    assert_ok(qp_shares_make(m, &shares));
    multiply(&shares, m->rows, &answer);
    for (int i = 0; i < m->rows; i++) {
        double wanted = 0.0, size = 0.0;
        for (size_t k = m->first[i]; k < m->first[i + 1]; k++) {
            wanted += (double)m->value[k] * x_of(m->column[k]);
            size += fabs((double)m->value[k] * x_of(m->column[k]));
        }
        if (answer.written[i] != 1 || fabs(answer.y[i] - wanted) > 1e-12 * size)
            fail_msg("%s of %d rows: row %d is %g, not %g, and written %d times", what, m->rows, i,
                     answer.y[i], wanted, answer.written[i]);
    }
    free(answer.y);
    free(answer.written);
    qp_shares_destroy(&shares);
}

/* ---- Matrices ---- */

static void open_problem(const char *kind, int width, int height, struct qp_problem *problem)
{
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){
            .op = "spmv", .kind = kind, .width = width, .height = height, .seed = 5},
        problem));
}

TEST(made_kinds_are_whole)
{
    static const struct qp_size sizes[] = {{1, 1},    {1, 7},    {7, 1},   {33, 1},
                                           {31, 33},  {65, 9},   {64, 64}, {2048, 3},
                                           {130, 41}, {1023, 1}, {1025, 1}};
    for (int k = 0; k < QP_SPMV_KINDS; k++) {
        for (int s = 0; s < COUNT(sizes); s++) {
            struct qp_problem problem;
            open_problem(qp_op_spmv.kinds[k].name, sizes[s].width, sizes[s].height, &problem);
            check(problem.sparse, problem.kind);
            qp_problem_destroy(&problem);
        }
    }
}

/* A matrix whose row i has the next of `lengths` as its length, in every step-th column. */
static void check_lengths(const int *lengths, int count, int rows, int step)
{
    struct qp_sparse m;
    size_t entries = 0;
    for (int i = 0; i < rows; i++)
        entries += (size_t)lengths[i % count];
    assert_ok(qp_sparse_allocate(rows, entries, &m));
    for (int i = 0; i < rows; i++) {
        m.first[i + 1] = m.first[i] + (size_t)lengths[i % count];
        for (int k = 0; k < lengths[i % count]; k++) {
            m.column[m.first[i] + (size_t)k] = k * step;
            m.value[m.first[i] + (size_t)k] = 0.5f + (float)(i + k);
        }
    }
    check(&m, "a matrix");
    qp_sparse_destroy(&m);
}

/* Empty rows first and last, or alone; lengths where a slice, a piece or a row of pieces ends. */
TEST(awkward_lengths_are_whole)
{
    static const int ends[] = {0, 31, 32, 33, 511, 512, 513, 1024, 1025, 0, 1, 0}, none[] = {0},
                     longer[] = {33},
                     steep[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};
    for (int step = 1; step < 3; step++) {
        check_lengths(ends, COUNT(ends), 12 * 200, step);
        check_lengths(none, 1, 1, step);
        check_lengths(none, 1, 1027, step);
        check_lengths(longer, 1, 100, step);
        check_lengths(steep, COUNT(steep), 33 * 63, step);
    }
}

/* ---- Sizes of arrays ---- */

/* Slots of values and of columns, for each entry. */
static void measure(const char *kind, double *values, double *columns)
{
    struct qp_problem problem;
    struct qp_shares shares;
    open_problem(kind, 128, 128, &problem);
    assert_ok(qp_shares_make(problem.sparse, &shares));
    *values = (double)items(&shares, QP_SHARE_VALUES, 4) / (double)problem.sparse->count;
    *columns = (double)items(&shares, QP_SHARE_COLUMNS, 4) / (double)problem.sparse->count;
    qp_shares_destroy(&shares);
    qp_problem_destroy(&problem);
}

/* Bands store few columns, edges of the grid included; an arrow those of its first window alone. */
TEST(rules_stand_for_columns)
{
    static const struct {
        const char *kind;
        double values, columns; /* at most */
    } bounds[] = {{"nine", 1.03, 0.01},    {"seven", 1.3, 0.01},     {"random", 1.01, 1.01},
                  {"power_law", 1.3, 1.3}, {"empty_rows", 1.1, 1.1}, {"full_row", 1.01, 0.95},
                  {"arrow", 1.01, 0.05},   {"identity", 1.0, 0.0}};
    for (int k = 0; k < COUNT(bounds); k++) {
        double values, columns;
        measure(bounds[k].kind, &values, &columns);
        if (values > bounds[k].values || columns > bounds[k].columns)
            fail_msg("%s: %g values and %g columns for an entry", bounds[k].kind, values, columns);
    }
}
