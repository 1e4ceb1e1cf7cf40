/* SPDX-License-Identifier: MIT */
/* Layouts of sparse matrices: each is read back into a dense matrix, which must be the one that
 * naive loops made it from. */
#include "support/sparse.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/base/random.h"
#include "toolkit/base/sparse.h"

enum { MOST = 70 };

/* Matrices with the shapes that layouts trip over. */
enum shape { EMPTY, EYE, BANDS, RANDOM, EVERY_OTHER, FULL_ROW, FULL_COLUMN, FULL, SHAPES };

static const int sizes[] = {1, 2, 5, 31, 32, 33, 64, MOST};

static double dense[MOST][MOST], back[MOST][MOST];

static bool is_entry(enum shape shape, int rows, int i, int j, uint64_t *state)
{
    const bool drawn = qp_random_bits(state) % 5 == 0;
    switch (shape) {
    case EYE:
        return i == j;
    case BANDS:
        return j == i || j == i - 3 || j == i + 1;
    case RANDOM:
        return drawn;
    case EVERY_OTHER:
        return i % 2 == 1 && drawn;
    case FULL_ROW:
        return i == rows / 2 || j == i;
    case FULL_COLUMN:
        return j == rows - 1;
    default:
        return shape == FULL;
    }
}

/* Fills `dense`, and a file's matrix with its entries in no order, and converts that. */
static void make(enum shape shape, int rows, const double *scale, struct qp_sparse *out)
{
    static int row[MOST * MOST], column[MOST * MOST];
    static double value[MOST * MOST];
    struct qp_market market = {
        .rows = rows, .columns = rows, .row = row, .column = column, .value = value};
    uint64_t state = (uint64_t)(shape * 100 + rows);
    memset(dense, 0, sizeof dense);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            if (!is_entry(shape, rows, i, j, &state))
                continue;
            const size_t place = qp_random_bits(&state) % (market.count + 1), last = market.count++;
            row[last] = row[place], column[last] = column[place], value[last] = value[place];
            row[place] = i, column[place] = j, value[place] = qp_random(&state, 1.0, 2.0);
            dense[i][j] = (float)(value[place] * (scale != NULL ? scale[i] * scale[j] : 1.0));
        }
    }
    support_sparse_from_market(&market, scale, out);
    assert_int_equal(out->rows, rows);
    assert_int_equal(out->count, market.count);
}

static void forget(void)
{
    memset(back, 0, sizeof back);
}

static void check_back(const char *what, int rows)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            if (back[i][j] != dense[i][j])
                fail_msg("%s of %d rows: (%d, %d) is %g, not %g", what, rows, i, j, back[i][j],
                         dense[i][j]);
        }
    }
}

static void check_rows(const struct qp_sparse *m)
{
    size_t longest = 0;
    forget();
    for (int i = 0; i < m->rows; i++) {
        const size_t length = qp_sparse_length(m, i);
        longest = length > longest ? length : longest;
        for (size_t k = m->first[i]; k < m->first[i + 1]; k++) {
            assert_true(k == m->first[i] || m->column[k] > m->column[k - 1]);
            back[i][m->column[k]] = m->value[k];
        }
    }
    check_back("by rows", m->rows);
    assert_int_equal(qp_sparse_longest(m, 0, m->rows), longest);
}

/* Diagonals in a grid of two texels a row, the second of which is not full. */
static void check_diagonals(const struct qp_sparse *m)
{
    enum { WIDTH = 7 };
    int offset[2 * MOST], wanted = 0;
    for (int o = 1 - m->rows; o < m->rows; o++) {
        bool any = false;
        for (int i = 0; i < m->rows; i++)
            any = any || (i + o >= 0 && i + o < m->rows && dense[i][i + o] != 0.0);
        wanted += any;
    }
    assert_int_equal(qp_sparse_offsets(m, 2 * MOST - 1, offset), wanted);
    float *value = calloc((size_t)(8 * m->rows * wanted + 8), sizeof *value);
    qp_sparse_put_by_diagonals(m, WIDTH, offset, wanted, value);
    forget();
    for (int d = 0; d < wanted; d++) {
        assert_true(d == 0 || offset[d] > offset[d - 1]);
        for (int i = 0; i < m->rows; i++) {
            const int texel = (2 * (i / WIDTH) + i % WIDTH / 4) * wanted + d;
            if (i + offset[d] >= 0 && i + offset[d] < m->rows)
                back[i][i + offset[d]] = value[4 * texel + i % WIDTH % 4];
        }
    }
    free(value);
    check_back("by diagonals", m->rows);
    if (wanted > 1)
        assert_int_equal(qp_sparse_offsets(m, wanted - 1, offset), wanted);
}

/* Slices one after the other, and in lines, are as wide as their longest row, and no two meet. */
static void check_slices(const struct qp_sparse *m, int height)
{
    const size_t line = qp_sparse_longest(m, 0, m->rows) + 1;
    struct qp_slice slice = {height, 0, 0}, lined = slice;
    float *value = calloc(qp_sparse_slots(m, height) + 1, sizeof *value);
    size_t end = 0;
    forget();
    for (int row = 0; row < m->rows; row += height) {
        const size_t wide = qp_sparse_longest(m, row, height);
        bool needed = wide == 0;
        qp_slice_next(&slice, wide, 0);
        qp_slice_next(&lined, wide, line);
        assert_int_equal(slice.wide, wide);
        assert_int_equal(slice.at, end);
        assert_true(lined.at >= slice.at &&
                    (wide == 0 || lined.at / line == (lined.at + wide - 1) / line));
        end += wide;
        for (int i = row; i < m->rows && i < row + height; i++) {
            const size_t length = qp_sparse_length(m, i);
            assert_true(length <= wide);
            needed = needed || length == wide;
            for (size_t k = 0; k < length; k++) {
                const size_t place = qp_slice_place(&slice, i - row, k), entry = m->first[i] + k;
                assert_true(place < qp_sparse_slots(m, height) && value[place] == 0.0f);
                value[place] = m->value[entry];
                assert_int_equal(place, (slice.at + k) * (size_t)height + (size_t)(i - row));
                back[i][m->column[entry]] = value[place];
            }
        }
        assert_true(needed);
    }
    assert_int_equal(end * (size_t)height, qp_sparse_slots(m, height));
    check_back("in slices", m->rows);
    free(value);
}

static void check_order(const struct qp_sparse *m)
{
    struct qp_by_length order;
    bool seen[MOST] = {false};
    int place = 0;
    assert_ok(qp_by_length_make(m, &order));
    for (int c = 0; c < order.classes; c++) {
        const struct qp_length_class *class = &order.group[c];
        assert_int_equal(class->begin, place);
        assert_true(class->rows > 0 && (c == 0 || class->length < class[-1].length));
        for (; place < class->begin + class->rows; place++) {
            const int row = order.row[place];
            assert_true(row >= 0 && row < m->rows && !seen[row]);
            assert_true(place == class->begin || row > order.row[place - 1]);
            assert_int_equal(qp_sparse_length(m, row), class->length);
            seen[row] = true;
        }
    }
    assert_int_equal(place, m->rows);
    qp_by_length_destroy(&order);
}

TEST(layouts_hold_the_matrix)
{
    for (int s = 0; s < SHAPES * COUNT(sizes); s++) {
        struct qp_sparse m;
        make((enum shape)(s % SHAPES), sizes[s / SHAPES], NULL, &m);
        check_rows(&m);
        check_diagonals(&m);
        check_slices(&m, 1);
        check_slices(&m, 4);
        check_slices(&m, 32);
        check_slices(&m, m.rows);
        check_order(&m);
        qp_sparse_destroy(&m);
    }
}

TEST(both_sides_are_scaled)
{
    double scale[MOST];
    struct qp_sparse m;
    for (int i = 0; i < MOST; i++)
        scale[i] = 1.0 / (i + 3.0);
    make(RANDOM, MOST, scale, &m);
    check_rows(&m);
    qp_sparse_destroy(&m);
}

/* A dense file, column after column: its zeros are no entries. */
TEST(dense_files_leave_zeros_out)
{
    double value[] = {1.0, 0.0, 2.0, 0.0, 0.0, 3.0, 4.0, 5.0, 0.0};
    const struct qp_market market = {
        .rows = 3, .columns = 3, .count = 9, .dense = true, .value = value};
    struct qp_sparse m;
    support_sparse_from_market(&market, NULL, &m);
    memset(dense, 0, sizeof dense);
    for (int k = 0; k < 9; k++)
        dense[k % 3][k / 3] = value[k];
    assert_int_equal(m.count, 5);
    check_rows(&m);
    qp_sparse_destroy(&m);
}
