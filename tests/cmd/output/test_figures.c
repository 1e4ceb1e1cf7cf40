/* SPDX-License-Identifier: MIT */
/* Figures with their spread, as tables print them. */
#include "support/support.h"

#include <math.h>

#include "tools/cmd/output/figures.h"

/* Medians of 2 seconds; spreads as given. */
static const struct qp_record
    quiet = {.seconds = 2.0,
             .sample_count = 5,
             .samples = {2.0, 1.9, 2.2, 2.0, 2.0},
             .spread = 0.011},
    just = {.seconds = 2.0, .sample_count = 3, .samples = {1.8, 2.2, 2.0}, .spread = 0.2},
    loud = {.seconds = 2.0, .sample_count = 3, .samples = {4.0, 1.0, 2.0}, .spread = 0.75},
    once = {.seconds = 2.0, .sample_count = 2, .samples = {1.0, 3.0}};

static void expect_figure(const struct qp_record *record, double value, bool is_time,
                          const char *wanted)
{
    char text[FIGURE_SIZE];
    figure_print(text, 3, record, value, is_time);
    assert_string_equal(text, wanted);
}

TEST(noisy_figures_are_ranges)
{
    assert_false(figure_is_noisy(&quiet) || figure_is_noisy(&just) || figure_is_noisy(&once) ||
                 figure_is_noisy(NULL));
    assert_true(figure_is_noisy(&loud));
    assert_true(isnan(figure_spread(NULL)) && isnan(figure_spread(&once)));
    expect_figure(&quiet, 12.5, false, "12.500");
    expect_figure(&just, 12.5, false, "12.500");
    expect_figure(&once, 12.5, true, "12.500");
    expect_figure(&loud, 12.5, false, "6.2-25.0"); /* a rate: 4 s and 1 s */
    expect_figure(&loud, 12.5, true, "6.2-25.0");
    expect_figure(&loud, 0.1, true, ".050-.200");
    expect_figure(&loud, 400.0, false, "200-800");
    expect_figure(&loud, 0.0011, true, ".00055-.00220");
    expect_figure(&loud, NAN, false, "nan");
    expect_figure(&loud, 0.0, false, "0.000"); /* flops of a variant that has none */
}

/* A time grows with the samples and a rate falls, which an uneven range shows. */
TEST(rates_and_times_have_ranges_of_their_own)
{
    const struct qp_record uneven = {
        .seconds = 2.0, .sample_count = 3, .samples = {2.0, 8.0, 1.0}, .spread = 1.75};
    expect_figure(&uneven, 8.0, true, "4.0-32.0");
    expect_figure(&uneven, 8.0, false, "2.0-16.0");
}

static void expect_ratio(const struct qp_record *record, const struct qp_record *other,
                         double ratio, const char *wanted)
{
    char text[FIGURE_SIZE];
    figure_print_ratio(text, 2, record, other, ratio);
    assert_string_equal(text, wanted);
}

TEST(ratios_carry_their_spread)
{
    struct qp_record still = quiet;
    still.spread = 0.0;
    const struct qp_record alike = quiet;
    expect_ratio(&quiet, &alike, 1.618, "1.62+-3%"); /* 2.2 %, rounded up */
    expect_ratio(&quiet, &quiet, 1.0, "1.00");
    expect_ratio(&quiet, &still, 1.618, "1.62+-2%");
    expect_ratio(&still, &(struct qp_record){.sample_count = 3}, 1.618, "1.62+-0%");
    expect_ratio(&just, &quiet, 1.618, "1.62+-22%");
    expect_ratio(&once, &quiet, 1.618, "1.62");
    expect_ratio(&quiet, NULL, 1.618, "1.62");
    expect_ratio(&loud, &quiet, 1.618, "-");
    expect_ratio(&once, &loud, 1.618, "-");
    expect_ratio(&quiet, &just, NAN, "-");
}
