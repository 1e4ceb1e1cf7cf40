/* SPDX-License-Identifier: MIT */
/* Matrices that a program fills in itself: looked at before anything is computed, and refused with
 * a sentence that names the entry. No OpenGL is needed here. */
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* A tridiagonal matrix, entry by entry, whose places count from `first`. */
enum { ROWS = 100, MOST = 3 * ROWS };
struct tridiagonal {
    struct qp_market a;
    int row[MOST], column[MOST];
    double value[MOST];
};

static void add_entry(struct tridiagonal *t, int row, int column, double value)
{
    t->row[t->a.count] = row;
    t->column[t->a.count] = column;
    t->value[t->a.count++] = value;
}

static void fill(struct tridiagonal *t, int first)
{
    t->a = (struct qp_market){.rows = ROWS, .columns = ROWS};
    t->a.row = t->row;
    t->a.column = t->column;
    t->a.value = t->value;
    for (int i = 0; i < ROWS; i++) {
        add_entry(t, i + first, i + first, 4.0);
        if (i > 0)
            add_entry(t, i + first, i - 1 + first, -1.0);
        if (i < ROWS - 1)
            add_entry(t, i + first, i + 1 + first, -1.0);
    }
}

/* All that take a matrix say the same of it, and leave no memory allocated. */
static void refuse(const struct qp_market *a, enum qp_status status, const char *words)
{
    struct qp_solution solution = {.steps = 7};
    struct qp_dense_solution dense = {.sides = 7};
    struct qp_answer answer = {.sides = 7};
    struct qp_problem problem = {.systems = 7};
    assert_int_equal(qp_solve(NULL, a, NULL, NULL, NULL, &solution), status);
    support_assert_sentence(words);
    assert_true(solution.ending == QP_NO_ENDING && solution.x == NULL && solution.steps == 0);
    assert_int_equal(qp_solve_dense(NULL, a, NULL, 1, NULL, &dense), status);
    support_assert_sentence(words);
    assert_true(dense.ending == QP_NO_ENDING && dense.x == NULL && dense.sides == 0);
    assert_int_equal(qp_invert(NULL, a, NULL, &dense), status);
    support_assert_sentence(words);
    assert_int_equal(qp_solve_system(NULL, a, NULL, 1, NULL, NULL, &answer), status);
    support_assert_sentence(words);
    assert_true(answer.x == NULL && answer.side == NULL && answer.sides == 0);
    assert_int_equal(qp_problem_from_market(a, 0, 0, &problem), status);
    support_assert_sentence(words);
    assert_true(problem.op == NULL && problem.systems == 0);
    assert_int_equal(qp_problem_dense_from_market(a, NULL, 1, &problem), status);
    support_assert_sentence(words);
    assert_false(qp_problem_has_grid(a));
}

TEST(a_good_matrix_is_solved)
{
    struct tridiagonal t;
    struct qp_answer answer;
    fill(&t, 0);
    assert_ok(qp_solve_system(NULL, &t.a, NULL, 1, NULL, NULL, &answer));
    assert_true(answer.converged == 1 && fabs(answer.x[ROWS / 2] - 1.0) < 1e-4);
    qp_answer_destroy(&answer);
}

TEST(indices_that_count_from_one)
{
    struct tridiagonal t;
    fill(&t, 1);
    refuse(&t.a, QP_BAD_INPUT, "(indices count from 0: are these from 1?)");
    refuse(&t.a, QP_BAD_INPUT, "column[295] = 100");
}

TEST(indices_outside)
{
    static const int strange[] = {-1, -7, ROWS + 1, INT32_MAX, INT32_MIN};
    struct tridiagonal t;
    for (int i = 0; i < 2 * COUNT(strange); i++) {
        fill(&t, 0);
        (i % 2 ? t.row : t.column)[17] = strange[i / 2];
        refuse(&t.a, QP_BAD_INPUT, "entry 18 is at");
        assert_null(strstr(qp_error(), "from 1?"));
    }
}

/* Places in order, out of order, mirrored, and one that differs only by its value. */
TEST(places_twice)
{
    struct tridiagonal t;
    for (int k = 0; k < 6; k++) {
        fill(&t, 0);
        for (int i = 0; i < ROWS / 2 && k > 0; i++) { /* rows from the last one */
            int row = t.row[i], column = t.column[i];
            double value = t.value[i];
            t.row[i] = t.row[t.a.count - 1 - i], t.row[t.a.count - 1 - i] = row;
            t.column[i] = t.column[t.a.count - 1 - i], t.column[t.a.count - 1 - i] = column;
            t.value[i] = t.value[t.a.count - 1 - i], t.value[t.a.count - 1 - i] = value;
        }
        struct qp_answer answer;
        assert_ok(qp_solve_system(NULL, &t.a, NULL, 1, NULL, NULL, &answer));
        qp_answer_destroy(&answer);
        add_entry(&t, 41 + k, 41 + k, k % 2 ? 4.0 : 1.0);
        char words[80];
        snprintf(words, sizeof words, "two entries in row %d, column %d", 42 + k, 42 + k);
        refuse(&t.a, QP_BAD_INPUT, words);
    }
}

TEST(arrays_and_sizes_that_are_not_there)
{
    struct tridiagonal t;
    struct qp_market empty = {0}, a;
    refuse(NULL, QP_BAD_USE, "NULL");
    refuse(&empty, QP_BAD_INPUT, "0 x 0, which is empty");
    fill(&t, 0);
    for (int i = 0; i < 7; i++) {
        a = t.a;
        if (i == 0)
            a.row = NULL;
        else if (i == 1)
            a.column = NULL;
        else if (i == 2)
            a.value = NULL;
        else if (i == 3)
            a.rows = -ROWS;
        else if (i == 4)
            a.columns = 0;
        else if (i == 5)
            a.dense = true;
        else
            a.count = SIZE_MAX;
        refuse(&a, QP_BAD_INPUT,
               i < 3    ? "is NULL"
               : i < 5  ? "which is empty"
               : i == 5 ? "not 10000"
                        : "no place for them");
    }
    a = t.a;
    a.columns = ROWS + 3;
    refuse(&a, QP_BAD_INPUT, "is square");
}

TEST(values_that_are_no_numbers)
{
    static const double strange[] = {NAN, INFINITY, -INFINITY};
    struct qp_market dense = support_random_dense(5, 3);
    struct tridiagonal t;
    for (int i = 0; i < COUNT(strange); i++) {
        fill(&t, 0);
        t.value[3] = strange[i];
        refuse(&t.a, QP_BAD_INPUT, "in row 2, column 1, where only finite numbers");
        *support_entry(&dense, 2, 3) = strange[i];
        refuse(&dense, QP_BAD_INPUT, "in row 3, column 4");
    }
    qp_market_destroy(&dense);
}

/* All methods scale what float does not hold, up to the last double, and x is what it is without.
 */
TEST(values_beyond_float)
{
    static const double sizes[] = {1e39, 1e300, 4e307};
    struct tridiagonal t;
    for (int i = 0; i < COUNT(sizes); i++) {
        fill(&t, 0);
        double b[ROWS];
        for (size_t k = 0; k < t.a.count; k++)
            t.value[k] *= sizes[i];
        for (int k = 0; k < ROWS; k++)
            b[k] = sizes[i];
        struct qp_solution solution;
        struct qp_dense_solution dense;
        struct qp_answer answer;
        assert_ok(qp_solve(NULL, &t.a, b, NULL, NULL, &solution));
        assert_true(solution.ending == QP_CONVERGED && fabs(solution.x[ROWS / 2] - 0.5) < 1e-4);
        qp_solution_destroy(&solution);
        assert_ok(qp_solve_dense(NULL, &t.a, b, 1, NULL, &dense));
        assert_true(dense.ending == QP_CONVERGED && dense.digits >= 5 && dense.regular);
        assert_true(dense.condition > 1.0 && dense.condition < 1e4);
        assert_true(fabs(dense.x[ROWS / 2] - 0.5) < 1e-5);
        qp_dense_solution_destroy(&dense);
        assert_ok(qp_solve_system(NULL, &t.a, b, 1, NULL, NULL, &answer));
        assert_true(answer.converged == 1 && answer.side[0].digits >= 3);
        qp_answer_destroy(&answer);
        t.value[0] = sizes[i] * 1e-60; /* the diagonal of row 1 */
        assert_int_equal(qp_solve(NULL, &t.a, b, NULL, NULL, &solution), QP_BAD_INPUT);
        support_assert_sentence("row 1 has ");
        support_assert_sentence("the range inside the matrix is too wide for the float that");
    }
}

/* Four elements of 1.7e308 have a norm that no double holds. */
TEST(values_at_the_end_of_double)
{
    struct qp_market a = support_dense(3);
    struct qp_dense_solution dense;
    const double b[3] = {1.7e308, 1e308, -1.7e308};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            *support_entry(&a, i, j) = i == j ? 1.7e308 : i < j ? -1.7e308 : 1.6e308;
    assert_ok(qp_solve_dense(NULL, &a, b, 1, NULL, &dense));
    assert_true(dense.ending == QP_CONVERGED && dense.digits >= 5);
    assert_true(dense.condition > 1.0 && dense.condition < 1e3);
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int j = 0; j < 3; j++)
            sum += *support_entry(&a, i, j) * 0x1p-20 * dense.x[j];
        assert_true(fabs(sum - b[i] * 0x1p-20) < 1e-5 * 1.7e308 * 0x1p-20);
    }
    qp_dense_solution_destroy(&dense);
    qp_market_destroy(&a);
}

/* The largest size there is: no sum of two places may leave an int. */
TEST(two_billion_rows)
{
    for (int i = 0; i < 4; i++) {
        int row = i % 2 ? INT32_MAX - 1 : 0, column = i / 2 ? INT32_MAX - 1 : 0;
        double value = 1.0;
        struct qp_market a = {INT32_MAX, INT32_MAX, 1, false, &row, &column, &value};
        struct qp_solution solution;
        struct qp_dense_solution dense;
        assert_true(qp_problem_has_grid(&a)); /* a grid of one row */
        assert_int_equal(qp_solve(NULL, &a, NULL, NULL, NULL, &solution), QP_BAD_INPUT);
        support_assert_sentence(i % 2 ? "row 1 is zero" : "row 2 is zero");
        assert_int_equal(qp_solve_dense(NULL, &a, NULL, 1, NULL, &dense), QP_BAD_INPUT);
        support_assert_sentence("above the limit");
    }
}

TEST(vectors_that_are_no_numbers)
{
    struct tridiagonal t;
    struct qp_answer answer;
    struct qp_solution solution;
    double vector[ROWS] = {[5] = NAN};
    fill(&t, 0);
    assert_int_equal(qp_solve_system(NULL, &t.a, NULL, 1, vector, NULL, &answer), QP_BAD_INPUT);
    support_assert_sentence("the start of right-hand side 1 holds nan in row 6");
    assert_int_equal(qp_solve_system(NULL, &t.a, vector, 1, NULL, NULL, &answer), QP_BAD_INPUT);
    support_assert_sentence("in row 6");
    assert_int_equal(qp_solve(NULL, &t.a, vector, NULL, NULL, &solution), QP_BAD_INPUT);
    support_assert_sentence("row 6");
}

/* Without b an array's right-hand side is its row sums: the last column of [A b]. */
TEST(an_array_times_ones)
{
    double values[] = {1.0, 20.0, 300.0, 4000.0, 5e4, 6e5, 7e6, 8e7, 9e8};
    const struct qp_market a = {3, 3, 9, true, NULL, NULL, values};
    struct qp_problem problem;
    assert_ok(qp_problem_dense_from_market(&a, NULL, 1, &problem));
    const struct qp_matrix *both = qp_problem_field(&problem, "a");
    assert_true(both->width == 4 && both->height == 3);
    for (int i = 0; i < 3; i++)
        assert_true(both->values[4 * i + 3] == (float)(values[i] + values[3 + i] + values[6 + i]));
    qp_problem_destroy(&problem);
}

/* The start is the x of sides that an interrupt leaves out. */
TEST(sides_left_out_keep_their_start)
{
    static struct tridiagonal t;
    double start[2 * ROWS];
    const volatile sig_atomic_t stopped = 1;
    const struct qp_solve_desc desc = {.interrupt = &stopped};
    struct qp_answer got;
    fill(&t, 0);
    for (int i = 0; i < 2 * ROWS; i++)
        start[i] = 0.25 * i;
    assert_ok(qp_solve_system(NULL, &t.a, start, 2, start, &desc, &got));
    assert_true(got.begun < 2);
    assert_memory_equal(got.x + ROWS, start + ROWS, ROWS * sizeof *start);
    qp_answer_destroy(&got);
}
