/* SPDX-License-Identifier: MIT */
/* Medians, quartiles and spreads of a few numbers that were worked out by hand; and whose samples
 * are kept. */
#include "support/support.h"

#include <math.h>

#include <quadpass/bench.h>

#include "lab/walk/samples.h"
#include "support/relax.h"

static const double five[] = {5.0, 1.0, 3.0, 2.0, 9.0}, four[] = {8.0, 1.0, 2.0, 5.0},
                    three[] = {5.0, 1.0, 3.0}, equal[] = {2.0, 2.0, 2.0};

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* Linear interpolation of the sorted samples, which stay as they are. */
TEST(quartiles)
{
    double most[QP_MOST_REPEATS];
    assert_true(near(qp_quantile(five, 5, 0.5), 3.0) && near(qp_quantile(four, 4, 0.5), 3.5));
    assert_true(near(qp_quantile(five, 5, 0.25), 2.0) && near(qp_quantile(five, 5, 0.75), 5.0));
    assert_true(near(qp_quantile(four, 4, 0.25), 1.75) && near(qp_quantile(four, 4, 0.75), 5.75));
    assert_true(qp_quantile(four, 4, 0.0) == 1.0 && qp_quantile(four, 4, 1.0) == 8.0);
    assert_true(qp_quantile(five, 1, 0.75) == 5.0 && near(qp_quantile(five, 2, 0.75), 4.0));
    assert_true(five[0] == 5.0 && five[4] == 9.0);
    assert_true(isnan(qp_quantile(five, 0, 0.5)));
    for (int i = 0; i < QP_MOST_REPEATS; i++)
        most[i] = QP_MOST_REPEATS - i;
    assert_true(near(qp_quantile(most, QP_MOST_REPEATS, 0.25), 25.75));
}

TEST(spreads)
{
    assert_true(near(qp_spread(five, 5), (5.0 - 2.0) / 3.0));
    assert_true(near(qp_spread(four, 4), (5.75 - 1.75) / 3.5));
    assert_true(near(qp_spread(three, 3), (4.0 - 2.0) / 3.0));
    assert_true(qp_spread(equal, 3) == 0.0);
    assert_true(isnan(qp_spread(five, 2)) && isnan(qp_spread(five, 0)));
}

static int sweeps;

/* Right the first time. */
static void late_failure(const struct qp_kernel_grid *grid, void *const output[])
{
    relax_sweep(grid, output);
    ((float *)output[0])[0] += sweeps++ > 0 ? 1.0f : 0.0f;
}

/* A variant that fails has no times, neither of the runs before, and one that is skipped none. */
TEST(rows_without_a_verdict_have_none)
{
    struct qp_trial *op = relax_make();
    const struct qp_variant *late = relax_add_sweep(op, "late", late_failure),
                            *drawn = relax_add(op, "drawn", relax_plain);
    struct qp_problem problem, *const problems[] = {&problem, &problem};
    struct qp_record r[2];
    assert_ok(qp_trial_problem(op, 6, 5, 1, &problem));
    assert_ok(qp_bench(NULL, (const struct qp_variant *const[]){late, drawn}, problems, 2,
                       &(struct qp_bench_desc){.iterations = 1, .repeats = 4, .cold = true}, r));
    assert_int_equal(sweeps, 2);
    assert_int_equal(r[0].verdict, QP_FAIL);
    assert_int_equal(r[1].verdict, QP_SKIP);
    for (int i = 0; i < 2; i++)
        assert_true(r[i].sample_count == 0 && isnan(r[i].seconds) && isnan(r[i].glups));
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
}
