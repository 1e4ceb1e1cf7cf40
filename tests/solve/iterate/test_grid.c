/* SPDX-License-Identifier: MIT */
/* From a matrix to its solution: the grid found, the weight chosen, every ending, and no vector
 * read back on the way. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "toolkit/base/random.h"

/* The same, entry by entry, zeros and all: they do not count. */
static void make_sparse(struct qp_market *a)
{
    a->dense = false;
    a->row = calloc(a->count, sizeof *a->row);
    a->column = calloc(a->count, sizeof *a->column);
    for (size_t k = 0; k < a->count; k++) {
        a->row[k] = (int)k % a->rows;
        a->column[k] = (int)k / a->rows;
    }
}

/* The nine bands on a grid, wrapped round the row ends or not; or, where sparse, only some of the
 * offsets, which more than one grid may fit. */
static struct qp_market random_bands(uint64_t *seed, int nx, int ny, bool wraps, bool sparse)
{
    uint64_t kept = sparse ? (uint64_t)qp_random(seed, 0.0, 0x1p53) : UINT64_MAX;
    struct qp_market a = support_dense(nx * ny);
    for (int k = 0; k < a.rows * a.rows; k++) {
        int i = k / a.rows, j = k % a.rows, dx = abs(j % nx - i % nx), dy = abs(j / nx - i / nx);
        bool on_band = abs(j - i) == 1 || abs(abs(j - i) - nx) <= 1;
        if (i == j)
            *support_entry(&a, i, j) = qp_random(seed, 0.0, 1.0) < 0.5 ? -4.0 : 6.0;
        else if ((wraps ? on_band : dx <= 1 && dy <= 1) && (kept >> abs(j - i)) % 2 == 1)
            *support_entry(&a, i, j) = qp_random(seed, -1.0, 1.0);
    }
    return a;
}

/* The contract's rule in other words. 0: an entry has no band on this width; 1: some wrap;
 * 2: none. */
static int judge_width(const struct qp_market *a, int nx)
{
    int verdict = 2;
    for (int k = 0; k < a->rows * a->rows; k++) {
        int i = k / a->rows, j = k % a->rows, offset = abs(j - i);
        if (*support_entry(a, i, j) == 0.0)
            continue;
        if (offset > 1 && abs(offset - nx) > 1)
            return 0;
        if (abs(j % nx - i % nx) > 1 || abs(j / nx - i / nx) > 1)
            verdict = 1;
    }
    return verdict;
}

static int wanted_width(const struct qp_market *a)
{
    if (judge_width(a, 2 * a->rows) > 0) /* nothing but the diagonal and its neighbours */
        return a->rows;
    for (int wanted = 2; wanted > 0; wanted--) {
        for (int nx = 3; nx <= a->rows; nx++) {
            if (a->rows % nx == 0 && judge_width(a, nx) == wanted)
                return nx;
        }
    }
    return 0;
}

static double wanted_weight(const struct qp_market *a)
{
    double largest = 0.0;
    for (int i = 0; i < a->rows; i++) {
        double sum = 0.0;
        for (int j = 0; j < a->rows; j++)
            sum += fabs(*support_entry(a, i, j));
        largest = fmax(largest, sum / fabs(*support_entry(a, i, i)));
    }
    return largest <= 2.0 ? 1.0 : 1.8 / largest;
}

/* Every entry is where a step looks for it: D (x - x') / w is A x - b. */
static void assert_bands(const struct qp_market *a, const struct qp_problem *problem)
{
    double x[64], next[64], scale = 0.0;
    for (int i = 0; i < a->rows; i++)
        x[i] = sin(i + 1.0);
    problem->op->step(problem, x, next, &scale);
    for (int i = 0; i < a->rows; i++) {
        double residual = 0.0; /* with b = A times ones */
        for (int j = 0; j < a->rows; j++)
            residual += *support_entry(a, i, j) * (x[j] - 1.0);
        assert_true(fabs(*support_entry(a, i, i) * (x[i] - next[i]) / problem->weight - residual) <
                    1e-5);
    }
}

static void check_grid(const struct qp_market *a)
{
    struct qp_problem problem;
    int width = wanted_width(a);
    assert_int_equal(qp_problem_from_market(a, 0, 0, &problem), width > 0 ? QP_OK : QP_BAD_INPUT);
    if (width > 0) {
        assert_true(problem.width == width && width * problem.height == a->rows);
        assert_int_equal(problem.wraps, judge_width(a, width) == 1);
        assert_true(fabs(problem.weight - wanted_weight(a)) < 1e-6);
        assert_bands(a, &problem);
        for (int i = 0; i < a->rows; i++)
            assert_true(problem.field[QP_JACOBI9_X].values[i] == 0.0f);
    }
    qp_problem_destroy(&problem);
}

/* The grid meant is not always the grid found: several may fit one pattern, or none. */
TEST(grids_are_found)
{
    uint64_t seed = 1;
    for (int k = 0; k < 3000; k++) {
        struct qp_market a = random_bands(&seed, 1 + k % 7, 1 + k / 7 % 6, k & 1, k % 4 > 0);
        check_grid(&a);
        make_sparse(&a);
        check_grid(&a);
        qp_market_destroy(&a);
    }
}

/* nx, ny, wraps, then the grid asked for: widths under 3 come by name only, and without wraps. */
TEST(grids_are_given)
{
    static const int cases[][5] = {{2, 5, 0, 2, 5}, {1, 7, 0, 1, 7}, {4, 4, 1, 4, 4},
                                   {2, 5, 1, 2, 5}, {5, 4, 0, 4, 5}, {5, 4, 0, 3, 3},
                                   {2, 5, 0, 0, 0}};
    static const char *const reasons[] = {
        NULL, NULL, NULL, "under 3 takes no wrap", "not fit", "has 9 cells", "on no grid"};
    uint64_t seed = 2;
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct qp_market a = random_bands(&seed, cases[k][0], cases[k][1], cases[k][2], false);
        struct qp_problem problem;
        bool good = qp_problem_from_market(&a, cases[k][3], cases[k][4], &problem) == QP_OK;
        assert_int_equal(good, reasons[k] == NULL);
        support_assert_sentence(good ? "" : reasons[k]);
        assert_true(!good || (problem.width == cases[k][3] && problem.wraps == cases[k][2]));
        qp_problem_destroy(&problem);
        qp_market_destroy(&a);
    }
}

/* The middle row of a 3 x 3 grid, its weight after it; other rows have the diagonal alone. As large
 * as the others together is dominant, however its quotients or its decimals are rounded. */
TEST(weights_at_the_edge)
{
    static const double cases[][10] = {{1, 1, 1, 1, -8, 1, 1, 1, 1, 1},
                                       {10, 19, 16, 17, 112, 13, 19, 2, 16, 1},
                                       {0, 0.60, 0, 0, 0.61, 0, 0, 0.01, 0, 1},
                                       {0, 0, 0, 1, 1.99, 1, 0, 0, 0, 1.8 / (1.0 + 2.0 / 1.99)},
                                       {0, 2, 0, 2, 1, 2, 0, 2, 0, 0.2}};
    struct qp_market a = support_dense(9);
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct qp_problem problem;
        for (int i = 0; i < 9; i++) {
            *support_entry(&a, i, i) = 1.0;
            *support_entry(&a, 4, i) = cases[k][i];
        }
        assert_ok(qp_problem_from_market(&a, 3, 3, &problem));
        if (fabs(problem.weight - cases[k][9]) > 1e-6)
            fail_msg("case %zu: weight %.9g, not %.9g", k, problem.weight, cases[k][9]);
        qp_problem_destroy(&problem);
    }
    qp_market_destroy(&a);
}

/* The default where a description gives none: 100,000 steps, of which this weight needs more. */
TEST(steps_are_a_hundred_thousand_at_most)
{
    struct qp_market a = support_dense(9);
    struct qp_solution got;
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++)
            *support_entry(&a, i, j) = i == j                                               ? 9.0
                                       : abs(i % 3 - j % 3) <= 1 && abs(i / 3 - j / 3) <= 1 ? -1.0
                                                                                            : 0.0;
    }
    const struct qp_solve_desc desc = {.variant = qp_variant_find("jacobi9/amorim_cpu"),
                                       .weight = 2e-5};
    assert_ok(qp_solve(NULL, &a, NULL, NULL, &desc, &got));
    assert_int_equal(got.ending, QP_OUT_OF_STEPS);
    assert_int_equal(got.steps, 100000);
    qp_solution_destroy(&got);
    qp_market_destroy(&a);
}

/* The step of a cell, by D over w, stays in float: the largest entry of D counts, wherever it
 * is. */
TEST(diagonals_that_are_too_large)
{
    struct qp_solution got;
    for (int i = 0; i < 4; i++) {
        struct qp_market a = support_dense(4);
        for (int k = 0; k < 4; k++)
            *support_entry(&a, k, k) = k == i ? -2e30 : 1.0;
        assert_ok(qp_solve(NULL, &a, NULL, NULL, NULL, &got)); /* which scales it */
        assert_int_equal(got.ending, QP_CONVERGED);
        qp_solution_destroy(&got);
        *support_entry(&a, i, i) = -0.5e30;
        assert_ok(qp_solve(NULL, &a, NULL, NULL, NULL, &got));
        qp_solution_destroy(&got);
        const struct qp_solve_desc desc = {.weight = 0.25};
        assert_int_equal(qp_solve(NULL, &a, NULL, NULL, &desc, &got), QP_BAD_USE);
        support_assert_sentence("a weight of 0.25 is too small for Jacobi in float beside a diag");
        qp_market_destroy(&a);
    }
}

/* Two unknowns, whose error grows by a factor in each step and is looked at every 25. Above 1e6
 * that is divergence at once, and else what the last thousand steps made of the least residual,
 * that after 25. */
TEST(growth_is_told_from_standstill)
{
    static const struct {
        double factor;
        int steps;
        enum qp_ending ending;
    } cases[] = {{1.02, 700, QP_DIVERGING},
                 {1.0008, 1025, QP_DIVERGING},
                 {1.0006, 1025, QP_STAGNATED},
                 {1.00000012, 1025, QP_STAGNATED}};
    const struct qp_solve_desc desc = {.weight = 1.0};
    struct qp_market a = support_dense(2);
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_solution got;
        for (int i = 0; i < 4; i++)
            a.value[i] = i % 3 == 0 ? 1.0 : cases[k].factor;
        assert_ok(qp_solve(NULL, &a, NULL, NULL, &desc, &got));
        if (got.ending != cases[k].ending || got.steps != cases[k].steps)
            fail_msg("factor %g: %s", cases[k].factor, got.sentence);
        qp_solution_destroy(&got);
    }
    qp_market_destroy(&a);
}
