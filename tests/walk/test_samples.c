/* SPDX-License-Identifier: MIT */
/* Medians, quartiles and spreads of a few numbers that were worked out by hand. */
#include "support/support.h"

#include <math.h>

#include <quadpass/bench.h>

#include "walk/samples.h"

static const double five[] = {5.0, 1.0, 3.0, 2.0, 9.0}, four[] = {8.0, 1.0, 2.0, 5.0},
                    three[] = {5.0, 1.0, 3.0}, equal[] = {2.0, 2.0, 2.0};

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* Linear interpolation of the sorted samples, which stay as they are. */
static void quartiles(void **state)
{
    double most[QP_MOST_REPEATS];
    (void)state;
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

static void spreads(void **state)
{
    (void)state;
    assert_true(near(qp_spread(five, 5), (5.0 - 2.0) / 3.0));
    assert_true(near(qp_spread(four, 4), (5.75 - 1.75) / 3.5));
    assert_true(near(qp_spread(three, 3), (4.0 - 2.0) / 3.0));
    assert_true(qp_spread(equal, 3) == 0.0);
    assert_true(isnan(qp_spread(five, 2)) && isnan(qp_spread(five, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quartiles), cmocka_unit_test(spreads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
