/* SPDX-License-Identifier: MIT */
/* The model of a split grid on made-up times, whose best split is known by hand. */
#include "tools/tune/model.h"

#include <math.h>

#include "support/support.h"
#include "toolkit/base/random.h"

enum { HEIGHT = 1024, HEIGHTS = 6, SPLITS = 3 };

/* Two devices: seconds of a step are start + each rows + bend rows^2. */
struct device {
    double start, each, bend;
};

static double seconds_of(const struct device *device, double rows)
{
    return rows > 0.0 ? device->start + rows * (device->each + rows * device->bend) : 0.0;
}

/* Relative noise from -size to size. */
static double noisy(double seconds, double size, uint64_t *state)
{
    return seconds * (1.0 + qp_random(state, -size, size));
}

static double together(const struct device device[2], double rows, double hindrance,
                       double exchange)
{
    const double a = seconds_of(&device[0], rows), b = seconds_of(&device[1], HEIGHT - rows);
    return fmax(a, b) + hindrance * fmin(a, b) + exchange;
}

/* The model of these, from the runs that the command makes. */
static struct qp_model learn(const struct device device[2], double hindrance, double exchange,
                             double noise)
{
    static const int height_of[HEIGHTS] = {64, 128, 256, 512, 768, 1024};
    static const int split_of[SPLITS] = {256, 512, 768};
    struct qp_model model = {.height = HEIGHT};
    struct qp_sample samples[HEIGHTS];
    uint64_t state = 7;
    for (int part = 0; part < 2; part++) {
        for (int k = 0; k < HEIGHTS; k++)
            samples[k] = (struct qp_sample){
                height_of[k], noisy(seconds_of(&device[part], height_of[k]), noise, &state)};
        qp_curve_fit(samples, HEIGHTS, &model.part[part]);
    }
    for (int k = 0; k < SPLITS; k++)
        samples[k] = (struct qp_sample){
            split_of[k], noisy(together(device, split_of[k], hindrance, exchange), noise, &state)};
    qp_model_fit_together(&model, samples, SPLITS);
    return model;
}

/* Two lines that cross: 4 s = n - s, so a fifth of the rows, and the exchange on top. */
TEST(lines_that_cross)
{
    const struct device device[2] = {{0.0, 4e-6, 0.0}, {0.0, 1e-6, 0.0}};
    const struct qp_model model = learn(device, 0.0, 5e-5, 0.0);
    assert_int_equal(model.part[0].form, QP_CURVE_LINE);
    assert_float_equal(model.exchange, 5e-5, 1e-9);
    assert_float_equal(model.hindrance, 0.0, 1e-6);
    const int best = qp_model_best(&model, 1);
    assert_in_range(best, 204, 206);
    assert_float_equal(qp_model_seconds(&model, best), 4e-6 * 205 + 5e-5, 5e-6);
    assert_float_equal(qp_model_seconds(&model, 0), 1024e-6, 1e-9);
    assert_float_equal(qp_model_seconds(&model, HEIGHT), 4096e-6, 1e-9);
    assert_int_equal(qp_model_best(&model, 100), 200);
}

/* The exchange eats what the split would gain: alone the upper part takes 1.024 ms, at the split
 * 0.82 ms. */
TEST(exchange_that_is_dear)
{
    const struct device device[2] = {{0.0, 4e-6, 0.0}, {0.0, 1e-6, 0.0}};
    const struct qp_model cheap = learn(device, 0.0, 1.8e-4, 0.0),
                          dear = learn(device, 0.0, 2.2e-4, 0.0);
    assert_in_range(qp_model_best(&cheap, 1), 204, 206);
    assert_int_equal(qp_model_best(&dear, 1), 0);
}

/* The other one is faster. */
TEST(lower_part_alone)
{
    const struct device device[2] = {{0.0, 1e-6, 0.0}, {0.0, 4e-6, 0.0}};
    const struct qp_model model = learn(device, 0.0, 2.2e-4, 0.0);
    assert_int_equal(qp_model_best(&model, 1), HEIGHT);
}

/* The shorter part takes a thousandth of the time, and hinders by half of its own all the same. */
TEST(a_short_part_hinders)
{
    const struct device device[2] = {{0.0, 1e-3, 0.0}, {0.0, 1e-6, 0.0}};
    const struct qp_model model = learn(device, 0.5, 1e-5, 0.0);
    assert_float_equal(model.hindrance, 0.5, 1e-6);
    assert_float_equal(model.exchange, 1e-5, 1e-9);
}

/* Splits of which the shorter parts differ by less than some 6e-5 do not distinguish an exchange
 * from a hindrance; then all of it is exchange. */
TEST(splits_that_are_too_near)
{
    const struct device device[2] = {{0.0, 1e-6, 0.0}, {0.0, 1e-6, 0.0}};
    struct qp_model model = learn(device, 0.0, 0.0, 0.0);
    for (int k = 0; k < 2; k++) {
        const double apart = k == 0 ? 5.5e-5 : 8e-5;
        struct qp_sample samples[2] = {{256.0, 0.0}, {256.0 * (1.0 + apart), 0.0}};
        for (int i = 0; i < 2; i++)
            samples[i].seconds = together(device, samples[i].rows, 0.5, 0.0);
        qp_model_fit_together(&model, samples, 2);
        assert_float_equal(model.hindrance, k == 0 ? 0.0 : 0.5, 1e-3);
        assert_float_equal(model.exchange, k == 0 ? 128e-6 : 0.0, 1e-6);
    }
}

/* An exchange below 0 is none, and the hindrance is then the best one by itself: sum of m d / t^2
 * over that of m^2 / t^2 for parts m, times t and what t is longer, d. */
TEST(no_exchange_is_below_zero)
{
    const struct device device[2] = {{0.0, 1e-6, 0.0}, {0.0, 1e-6, 0.0}};
    const double m[] = {256e-6, 512e-6, 256e-6}, d[] = {108e-6, 236e-6, 108e-6},
                 t[] = {876e-6, 748e-6, 876e-6};
    double above = 0.0, below = 0.0;
    for (int k = 0; k < 3; k++) {
        above += m[k] * d[k] / (t[k] * t[k]);
        below += m[k] * m[k] / (t[k] * t[k]);
    }
    const struct qp_model model = learn(device, 0.5, -2e-5, 0.0);
    assert_true(model.exchange == 0.0);
    assert_float_equal(model.hindrance, above / below, 1e-5);
}

/* Both on the same cores: nothing is gained however far they are apart. */
TEST(parts_that_share_their_cores)
{
    const struct device device[2] = {{0.0, 2e-6, 0.0}, {0.0, 1e-6, 0.0}};
    const struct qp_model model = learn(device, 1.0, 1e-5, 0.0);
    assert_float_equal(model.hindrance, 1.0, 1e-3);
    assert_float_equal(model.exchange, 1e-5, 1e-6);
    assert_int_equal(qp_model_best(&model, 1), 0);
}

/* Figure 16, left. A fifth of a tenth of the rows would gain a twentieth, which the exchange
 * takes. */
TEST(eighteen_times_apart)
{
    const struct device device[2] = {{0.0, 18e-6, 0.0}, {0.0, 1e-6, 0.0}};
    const struct qp_model model = learn(device, 0.0, 6e-5, 0.0),
                          noisy_model = learn(device, 0.0, 6e-5, 0.02);
    assert_int_equal(qp_model_best(&model, 1), 0);
    assert_int_equal(qp_model_best(&noisy_model, 1), 0);
}

/* At 54 rows 0.97 ms and the exchange, against 1.024 ms: a gain of half a hundredth is none, and
 * one of three hundredths is none where both together take other times than the model says. */
TEST(gains_that_are_too_small)
{
    const struct device device[2] = {{0.0, 18e-6, 0.0}, {0.0, 1e-6, 0.0}};
    const struct qp_model small = learn(device, 0.0, 4.9e-5, 0.0);
    struct qp_model model = learn(device, 0.0, 2.5e-5, 0.0);
    assert_int_equal(qp_model_best(&small, 1), 0);
    assert_in_range(qp_model_best(&model, 1), 53, 55);
    assert_true(model.residual < 1e-6);
    const struct qp_sample samples[] = {{256, 5.6e-3}, {512, 8.2e-3}, {768, 15.5e-3}};
    qp_model_fit_together(&model, samples, 3);
    assert_true(model.residual > 0.05 && model.residual < 0.3);
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += pow(qp_model_seconds(&model, samples[k].rows) / samples[k].seconds - 1.0, 2.0);
    assert_true(fabs(model.residual - sqrt(sum / 3.0)) < 1e-12);
    model.exchange = 2.5e-5;
    model.hindrance = 0.0;
    assert_int_equal(qp_model_best(&model, 1), 0);
    model.residual = 0.02;
    assert_in_range(qp_model_best(&model, 1), 53, 55);
}

/* A convex curve is distinguished from a line, and moves the best split: 1e-6 s + 4e-9 s^2 = 1e-6
 * (n - s), s = 315. */
TEST(curves_that_bend)
{
    const struct device device[2] = {{0.0, 1e-6, 4e-9}, {0.0, 1e-6, 0.0}};
    const struct qp_model model = learn(device, 0.0, 2e-5, 0.0);
    assert_int_equal(model.part[0].form, QP_CURVE_QUADRATIC);
    assert_int_equal(model.part[1].form, QP_CURVE_LINE);
    assert_in_range(qp_model_best(&model, 1), 313, 317);
}

/* Rows that are dear up to 512, 5e-6 each, and cheap from there on, 2e-7: no quadratic follows. */
TEST(curves_with_a_knee)
{
    struct qp_sample samples[8];
    struct qp_curve curve;
    for (int k = 0; k < 8; k++) {
        const double rows = 128.0 * (k + 1);
        samples[7 - k] =
            (struct qp_sample){rows, 5e-6 * fmin(rows, 512.0) + 2e-7 * fmax(rows - 512.0, 0.0)};
    }
    qp_curve_fit(samples, 8, &curve);
    assert_int_equal(curve.form, QP_CURVE_PIECEWISE);
    assert_float_equal(qp_curve_seconds(&curve, 576), 2560e-6 + 2e-7 * 64, 1e-9);
    assert_float_equal(qp_curve_seconds(&curve, 64), 320e-6, 1e-9);
    assert_float_equal(qp_curve_seconds(&curve, 1152), 2560e-6 + 2e-7 * 640, 1e-9);
}

/* Two per cent of noise: the split that it leads to costs no more than a twentieth over the
 * best. */
TEST(noise)
{
    const struct device device[2] = {{2e-5, 3e-6, 1e-9}, {1e-4, 1e-6, 0.0}};
    const struct qp_model model = learn(device, 0.1, 3e-5, 0.02);
    double least = INFINITY;
    for (int split = 1; split < HEIGHT; split++)
        least = fmin(least, together(device, split, 0.1, 3e-5));
    const int best = qp_model_best(&model, 1);
    assert_in_range(best, 1, HEIGHT - 1);
    assert_true(together(device, best, 0.1, 3e-5) < 1.05 * least);
}

/* Times that are none are left out; few samples make a line; a curve never is below 0. */
TEST(few_samples)
{
    const struct qp_sample samples[] = {{100, NAN}, {200, 2e-4}, {300, -1.0}, {400, 6e-4}};
    struct qp_curve curve;
    qp_curve_fit(samples, 4, &curve);
    assert_int_equal(curve.count, 2);
    assert_float_equal(qp_curve_seconds(&curve, 300), 4e-4, 1e-9);
    assert_float_equal(qp_curve_seconds(&curve, 50), 0.0, 1e-12);
    assert_float_equal(qp_curve_seconds(&curve, 0), 0.0, 0.0);
    qp_curve_fit(samples + 1, 1, &curve);
    assert_float_equal(qp_curve_seconds(&curve, 100), 1e-4, 1e-9);
    qp_curve_fit(samples, 1, &curve);
    assert_float_equal(qp_curve_seconds(&curve, 100), 0.0, 0.0);
    struct qp_model model = {.height = HEIGHT, .exchange = 1.0, .hindrance = 1.0, .residual = 1.0};
    const struct qp_sample same[] = {{512, 1e-3}, {512, 1e-3}, {512, 1e-3}};
    for (int count = 3; count > 0; count--) { /* samples of one split say nothing of hindrance */
        qp_model_fit_together(&model, same, count);
        assert_true(fabs(model.exchange - 1e-3) < 1e-15 && model.hindrance == 0.0);
    }
    qp_model_fit_together(&model, NULL, 0);
    assert_true(model.exchange == 0.0 && model.hindrance == 0.0 && model.residual == 0.0);
}
