/* SPDX-License-Identifier: MIT */
/* Running sums against plain C: exact where nothing is rounded, within the bound that reduce.h
 * states where it is. */
#include "support/cells.h"
#include "support/exact.h"

#include <math.h>
#include <stdlib.h>

static const struct qp_array_desc kinds[] = {
    {.channels = 1},
    {.channels = 4, .outside = QP_OUTSIDE_VALUE, .value = 3.0},
    {.channels = 2, .type = QP_ARRAY_HALF},
    {.channels = 1, .type = QP_ARRAY_INT, .outside = QP_OUTSIDE_WRAP},
    {.channels = 4, .type = QP_ARRAY_INT},
    {.channels = 2, .type = QP_ARRAY_UINT, .outside = QP_OUTSIDE_CLAMP},
};

/* Terms of either sign, whose sums halves can hold too; of integers large ones, whose sums wrap. */
static double term(const struct qp_array_desc *desc, int i)
{
    if (desc->type == QP_ARRAY_INT)
        return (i * 7919) % 1000003 * (i % 2 ? -2000.0 : 2100.0);
    if (desc->type == QP_ARRAY_UINT)
        return (double)((uint32_t)i * 2654435761u);
    return (i * 7919) % 17 - 8;
}

static double wrap(enum qp_array_type type, double sum)
{
    const double turns = floor(sum / 0x1p32), rest = sum - turns * 0x1p32;
    return type == QP_ARRAY_UINT || rest < 0x1p31 ? rest : rest - 0x1p32;
}

static void expect(const struct qp_array_desc *desc, const double *x, bool inclusive, double *out)
{
    for (int c = 0; c < desc->channels; c++) {
        double sum = 0.0;
        for (int i = c; i < desc->width * desc->height * desc->channels; i += desc->channels) {
            out[i] = inclusive ? sum + x[i] : sum;
            sum += x[i];
            if (desc->type == QP_ARRAY_INT || desc->type == QP_ARRAY_UINT) {
                out[i] = wrap(desc->type, out[i]);
                sum = wrap(desc->type, sum);
            }
        }
    }
}

static void scan_one(struct qp_context *context, const struct qp_array_desc *desc, bool inclusive)
{
    const int count = desc->width * desc->height * desc->channels;
    double *x = cells_values(desc), *wanted = cells_values(desc), *none = cells_values(desc);
    struct qp_array *whole[2], *in, *out;
    for (int i = 0; i < count; i++)
        x[i] = term(desc, i);
    expect(desc, x, inclusive, wanted);
    in = cells_view(context, desc, x, 3, 2, 9.0, &whole[0]);
    out = cells_view(context, desc, none, 1, 1, 9.0, &whole[1]);
    assert_ok(qp_scan(in, inclusive ? QP_SCAN_INCLUSIVE : QP_SCAN_EXCLUSIVE, out));
    double *got = cells_read(out);
    for (int i = 0; i < count; i++) {
        if (got[i] != wanted[i])
            fail_msg("type %d, %d channels, %d x %d, inclusive %d: value %d is %.9g, not %.9g",
                     (int)desc->type, desc->channels, desc->width, desc->height, inclusive, i,
                     got[i], wanted[i]);
    }
    for (int i = 0; i < 2; i++)
        qp_array_destroy(&whole[i]);
    qp_array_destroy(&in);
    qp_array_destroy(&out);
    free(x);
    free(wanted);
    free(none);
    free(got);
}

CLEAN_TEST(sums_are_exact)
{
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(kinds) * COUNT(cells_sizes); k++) {
        if (!support_takes(k % COUNT(kinds) + k / COUNT(kinds), 2))
            continue;
        struct qp_array_desc desc = kinds[k % COUNT(kinds)];
        desc.width = cells_sizes[k / COUNT(kinds)][0];
        desc.height = cells_sizes[k / COUNT(kinds)][1];
        scan_one(context, &desc, false);
        scan_one(context, &desc, true);
    }
}

/* ceil(log4 size). */
static int levels(int size)
{
    int passes = 0;
    for (double reach = 1.0; reach < size; reach *= 4.0)
        passes++;
    return passes;
}

CLEAN_TEST(keep_the_bound)
{
    static const int sizes[][2] = {{1000, 1}, {1, 1000}, {257, 129}};
    struct qp_context *context = support_need_context(state);
    double slack = INFINITY;
    for (int k = 0; k < COUNT(sizes); k++) {
        const struct qp_array_desc desc = {
            .width = sizes[k][0], .height = sizes[k][1], .channels = 1};
        const int count = desc.width * desc.height;
        double *x = cells_values(&desc);
        struct exact sum = {0.0, 0.0, 0.0};
        const double roundings = 3.0 * (levels(desc.width) + levels(desc.height)) + 1.0,
                     g = roundings * 0x1p-24 / (1.0 - roundings * 0x1p-24);
        for (int i = 0; i < count; i++)
            x[i] = (double)(float)((i % 5 - 1) * 0.1 + ldexp(i % 7, -20));
        struct qp_array *in = cells_array(context, &desc, x), *out = cells_array(context, &desc, x);
        assert_ok(qp_scan(in, QP_SCAN_INCLUSIVE, out));
        double *got = cells_read(out);
        for (int i = 0; i < count; i++) {
            exact_add(&sum, x[i]);
            const double error = exact_distance(&sum, got[i]), most = g * sum.magnitude;
            if (!(error <= most))
                fail_msg("%d x %d, cell %d: off by %.3g of %.3g", desc.width, desc.height, i, error,
                         most);
            slack = error > 0.0 ? fmin(slack, most / error) : slack;
        }
        qp_array_destroy(&in);
        qp_array_destroy(&out);
        free(x);
        free(got);
    }
    assert_true(slack < 100.0);
}

/* Sums of halves are floats between passes, at each level of the tree: what half cannot hold is not
 * lost, nor infinite. */
CLEAN_TEST(sums_of_halves_are_floats)
{
    static const struct {
        double first, second, last, wanted;
    } cases[] = {{2048.0, 1.0, -2048.0, 1.0}, {60000.0, 60000.0, -60000.0, 60000.0}};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < 2 * COUNT(cases); k++) {
        const bool inclusive = k / COUNT(cases);
        const int c = k % COUNT(cases);
        const struct qp_array_desc desc = {
            .width = 9, .height = 8, .channels = 1, .type = QP_ARRAY_HALF};
        for (int at = 2; at < 71; at += 3) { /* where the last term is */
            double *x = cells_values(&desc);
            x[0] = cases[c].first;
            x[1] = cases[c].second;
            x[at] = cases[c].last;
            struct qp_array *in = cells_array(context, &desc, x),
                            *out = cells_array(context, &desc, x);
            assert_ok(qp_scan(in, inclusive ? QP_SCAN_INCLUSIVE : QP_SCAN_EXCLUSIVE, out));
            double *got = cells_read(out);
            for (int i = at + !inclusive; i < 72; i++)
                assert_true(got[i] == cases[c].wanted);
            qp_array_destroy(&in);
            qp_array_destroy(&out);
            free(x);
            free(got);
        }
    }
}

/* NaN and infinity are in all sums from them on, and in none before. */
CLEAN_TEST(special_values_stay_behind)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc desc = {.width = 9, .height = 7, .channels = 1};
    for (int at = 0; at < 63; at += 5) {
        double *x = cells_values(&desc);
        x[at] = at % 2 ? NAN : INFINITY;
        struct qp_array *in = cells_array(context, &desc, x), *out = cells_array(context, &desc, x);
        assert_ok(qp_scan(in, QP_SCAN_EXCLUSIVE, out));
        double *got = cells_read(out);
        for (int i = 0; i < 63; i++)
            assert_true(i <= at  ? got[i] == 0.0
                        : at % 2 ? isnan(got[i])
                                 : isinf(got[i]) && got[i] > 0.0);
        qp_array_destroy(&in);
        qp_array_destroy(&out);
        free(x);
        free(got);
    }
}

CLEAN_TEST(errors)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc desc = {.width = 4, .height = 3}, other = {.width = 3, .height = 4},
                               whole = {.width = 4, .height = 3, .type = QP_ARRAY_INT};
    struct qp_array *x, *out, *turned, *ints, *view;
    assert_ok(qp_array_create(context, &desc, NULL, &x));
    assert_ok(qp_array_create(context, &desc, NULL, &out));
    assert_ok(qp_array_create(context, &other, NULL, &turned));
    assert_ok(qp_array_create(context, &whole, NULL, &ints));
    assert_ok(qp_array_view(x, NULL, &view));
    assert_int_equal(qp_scan(NULL, QP_SCAN_INCLUSIVE, out), QP_BAD_USE);
    support_assert_sentence("'x'");
    assert_int_equal(qp_scan(x, QP_SCAN_INCLUSIVE, NULL), QP_BAD_USE);
    support_assert_sentence("'out'");
    assert_int_equal(qp_scan(x, (enum qp_scan)2, out), QP_BAD_USE);
    support_assert_sentence("enum qp_scan");
    assert_int_equal(qp_scan(x, QP_SCAN_INCLUSIVE, turned), QP_BAD_USE);
    support_assert_sentence("4 x 3");
    assert_int_equal(qp_scan(x, QP_SCAN_INCLUSIVE, ints), QP_BAD_USE);
    support_assert_sentence("type");
    assert_int_equal(qp_scan(x, QP_SCAN_INCLUSIVE, view), QP_BAD_USE);
    support_assert_sentence("shares its cells");
    qp_array_destroy(&view);
    assert_int_equal(qp_scan(x, QP_SCAN_INCLUSIVE, (struct qp_array *)context), QP_BAD_USE);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
    qp_array_destroy(&turned);
    qp_array_destroy(&ints);
}

GROUP(support_open_context, support_close_context)
