/* SPDX-License-Identifier: MIT */
/* Matrices from memory that are no matrices: each is refused in a whole sentence. No OpenGL is
 * needed here. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>

#include "toolkit/io/market.h"

enum { ROWS = 4, COLUMNS = 3, ENTRIES = 3 };

static int row[ENTRIES], column[ENTRIES];
static double value[ROWS * COLUMNS];

/* Three entries, the last one in the last cell. */
static struct qp_market good(void)
{
    for (int k = 0; k < ENTRIES; k++) {
        row[k] = k == 2 ? ROWS - 1 : k;
        column[k] = k == 2 ? COLUMNS - 1 : 0;
    }
    for (int k = 0; k < ROWS * COLUMNS; k++)
        value[k] = k + 0.5;
    return (struct qp_market){.rows = ROWS,
                              .columns = COLUMNS,
                              .count = ENTRIES,
                              .row = row,
                              .column = column,
                              .value = value};
}

static struct qp_market good_dense(void)
{
    struct qp_market a = good();
    a.dense = true;
    a.count = ROWS * COLUMNS;
    a.row = a.column = NULL;
    return a;
}

static void expect(const struct qp_market *a, const char *sentence)
{
    assert_int_equal(qp_market_check(a), QP_BAD_INPUT);
    assert_string_equal(qp_error(), sentence);
}

TEST(shapes)
{
    struct qp_market a = good(), dense = good_dense();
    assert_int_equal(qp_market_check(NULL), QP_BAD_USE);
    assert_ok(qp_market_check(&a));
    assert_ok(qp_market_check(&dense));
    a.count = 0;
    assert_ok(qp_market_check(&a));
    a.rows = 0;
    expect(&a, "the matrix is 0 x 3, which is empty: nothing was read or filled in");
    a = good();
    a.columns = 0;
    expect(&a, "the matrix is 4 x 0, which is empty: nothing was read or filled in");
    a = good();
    a.rows = a.columns = 1;
    expect(&a, "the matrix has 3 entries and 1 x 1 has no place for them");
    dense.count--;
    expect(&dense, "the dense matrix of 4 x 3 says it has 11 values, not 12");
    a = good();
    a.column = NULL;
    expect(&a, "the matrix has 3 entries, but its array 'column' is NULL");
    a.row = NULL;
    expect(&a, "the matrix has 3 entries, but its array 'row' is NULL");
    dense = good_dense();
    dense.value = a.value = NULL;
    expect(&a, "the matrix has 3 entries, but its array 'value' is NULL");
    expect(&dense, "the matrix has 12 entries, but its array 'value' is NULL");
}

/* An index that is one beyond the end, with none that is 0, looks as if it counted from 1. */
TEST(places)
{
    static const char hint[] = " (indices count from 0: are these from 1?)";
    static const struct {
        int row, column;
        bool hints;
    } cases[] = {{-1, 0, false}, {0, -1, false}, {4, 1, true},  {4, 0, false},
                 {1, 3, true},   {0, 3, false},  {5, 1, false}, {1, 4, false},
                 {4, 3, true},   {4, -1, false}, {-1, 3, false}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_market a = good();
        char sentence[160];
        row[2] = cases[i].row;
        column[2] = cases[i].column;
        snprintf(sentence, sizeof sentence,
                 "entry 3 is at row[2] = %d, column[2] = %d, outside of 4 x 3%s", row[2], column[2],
                 cases[i].hints ? hint : "");
        expect(&a, sentence);
    }
    const struct qp_market a = good();
    row[2] = row[0];
    column[2] = column[0];
    expect(&a, "the matrix has two entries in row 1, column 1; join them into one");
}

TEST(values)
{
    const struct qp_market a = good(), dense = good_dense();
    value[2] = INFINITY;
    expect(&a, "the matrix holds inf in row 4, column 3, where only finite numbers can be computed "
               "with");
    value[2] = 0.0;
    value[6] = -INFINITY; /* column by column */
    expect(&dense, "the matrix holds -inf in row 3, column 2, where only finite numbers can be "
                   "computed with");
    value[6] = 0.0;
    value[ROWS * COLUMNS - 1] = INFINITY;
    assert_ok(qp_market_check(&a));
    expect(&dense, "the matrix holds inf in row 4, column 3, where only finite numbers can be "
                   "computed with");
}
