/* SPDX-License-Identifier: MIT */
/* Reductions of every kind and type against plain C, where nothing is rounded: at awkward sizes, of
 * each channel, of views, and with the answer left on the device. */
#include "support/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = QP_REDUCE_NORM_MAX + 1, TYPES = QP_ARRAY_DOUBLE + 1 };

static bool has_place(int what)
{
    return what == QP_REDUCE_MAX_PLACE || what == QP_REDUCE_MIN_PLACE;
}

/* Small whole numbers, negative ones too where the type has them; many are equal, and none is 0. */
static void fill(const struct qp_array_desc *desc, uint64_t seed, double *values)
{
    const int count = desc->width * desc->height * desc->channels;
    for (int i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        values[i] = 1.0 + (double)(seed >> 33 & 7);
        if (desc->type != QP_ARRAY_UINT && seed >> 40 & 1)
            values[i] = -values[i];
    }
}

/* ---- Plain C ---- */

static double term(int what, double x, double y)
{
    switch (what) {
    case QP_REDUCE_DOT:
        return x * y;
    case QP_REDUCE_NORM_1:
    case QP_REDUCE_NORM_MAX:
        return fabs(x);
    case QP_REDUCE_NORM_2:
        return x * x;
    default:
        return x;
    }
}

static struct qp_reduced expect(int what, const struct qp_array_desc *desc, int channel,
                                const double *x, const double *y)
{
    struct qp_reduced all = {.value = term(what, x[channel], y[channel])};
    for (int i = 1; i < desc->width * desc->height; i++) {
        const int k = i * desc->channels + channel;
        const double t = term(what, x[k], y[k]);
        const bool least = what == QP_REDUCE_MIN || what == QP_REDUCE_MIN_PLACE;
        if (!least && !has_place(what) && what != QP_REDUCE_MAX && what != QP_REDUCE_NORM_MAX)
            all.value += t;
        else if (least ? t < all.value : t > all.value)
            all = (struct qp_reduced){t, i % desc->width, i / desc->width};
    }
    if (what == QP_REDUCE_NORM_2)
        all.value = sqrt(all.value);
    if (!has_place(what))
        all.x = all.y = 0;
    return all;
}

/* ---- An array ---- */

static struct qp_reduced wanted;
static int compared;

static void compare(const struct qp_reduced *got, const struct qp_reduction_desc *desc,
                    const char *how, double rounding)
{
    compared++;
    if (fabs(got->value - wanted.value) <= rounding * fabs(wanted.value) && got->x == wanted.x &&
        got->y == wanted.y)
        return;
    fail_msg("%s: kind %d of type %d, %d x %d, channel %d of %d, compensated %d: %.17g at (%d, "
             "%d), not %.17g at (%d, %d)",
             how, (int)desc->what, (int)desc->of.type, desc->of.width, desc->of.height,
             desc->channel, desc->of.channels, desc->compensated, got->value, got->x, got->y,
             wanted.value, wanted.x, wanted.y);
}

/* Integers of dot products and 2-norms are floats. */
static enum qp_array_type type_of_answer(const struct qp_reduction_desc *desc)
{
    const bool whole = desc->of.type == QP_ARRAY_INT || desc->of.type == QP_ARRAY_UINT;
    if (desc->of.type == QP_ARRAY_HALF)
        return QP_ARRAY_FLOAT;
    return whole && (desc->what == QP_REDUCE_DOT || desc->what == QP_REDUCE_NORM_2) ? QP_ARRAY_FLOAT
                                                                                    : desc->of.type;
}

/* The answer that stays on the device, in a cell of a larger array. */
static void reduce_to(struct qp_context *context, struct qp_reduction *reduction,
                      const struct qp_reduction_desc *desc, const struct qp_pass_input *input)
{
    const struct qp_array_desc one = {.width = 1,
                                      .height = 1,
                                      .type = type_of_answer(desc),
                                      .channels = has_place((int)desc->what) ? 4 : 1};
    const double none[4] = {0};
    struct qp_array *whole, *cell;
    if (one.type == QP_ARRAY_DOUBLE && one.channels > 1)
        return; /* there are no such arrays */
    cell = cells_view(context, &one, none, 1, 2, 5.0, &whole);
    assert_ok(qp_reduce_to(reduction, input, NULL, cell));
    double *values = cells_read(cell), *all = cells_read(whole);
    struct qp_reduced got = {.value = values[0]};
    if (one.channels > 1) {
        got.x = (int)values[1];
        got.y = (int)values[2];
        assert_true(values[3] == 0.0);
    }
    compare(&got, desc, "on the device",
            desc->what != QP_REDUCE_NORM_2 ? 0.0
            : one.type == QP_ARRAY_DOUBLE  ? 0x1p-50
                                           : 0x1p-21);
    for (int i = 0; i < 5 * 5 * one.channels; i++)
        assert_true(i / one.channels == 2 * 5 + 1 || all[i] == 5.0);
    free(values);
    free(all);
    qp_array_destroy(&cell);
    qp_array_destroy(&whole);
}

static void reduce(struct qp_context *context, struct qp_reduction_desc *desc,
                   const struct qp_array *x, const struct qp_array *y)
{
    const struct qp_pass_input input[] = {
        {"x", x}, {desc->what == QP_REDUCE_DOT ? "y" : NULL, y}, {NULL, NULL}};
    struct qp_reduction *reduction;
    struct qp_reduced got;
    assert_ok(qp_reduction_create(context, desc, &reduction));
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(qp_reduce(reduction, input, NULL, &got));
        compare(&got, desc, "on the host", 0.0);
    }
    reduce_to(context, reduction, desc, input);
    qp_reduction_destroy(&reduction);
    assert_null(reduction);
}

/* All kinds of one type, x and y being views at different places. */
static void each_kind(struct qp_context *context, const struct qp_array_desc *of, int channel)
{
    const bool can = qp_context_device(context)->abilities & QP_CAN_PRECISE;
    double *xs = cells_values(of), *ys = cells_values(of);
    struct qp_array *whole[2], *x, *y;
    fill(of, 1, xs);
    fill(of, 2, ys);
    x = cells_view(context, of, xs, 2, 3, 99.0, &whole[0]);
    y = cells_view(context, of, ys, 3, 1, 77.0, &whole[1]);
    for (int what = 0; what < KINDS; what++) {
        struct qp_reduction_desc desc = {
            .what = (enum qp_reduce_what)what, .of = *of, .channel = channel};
        wanted = expect(what, of, channel, xs, ys);
        reduce(context, &desc, x, y);
        const bool sum = what == QP_REDUCE_SUM || what == QP_REDUCE_DOT ||
                         what == QP_REDUCE_NORM_1 || what == QP_REDUCE_NORM_2;
        desc.compensated = true;
        if (can && sum && (of->type == QP_ARRAY_FLOAT || of->type == QP_ARRAY_HALF))
            reduce(context, &desc, x, y);
    }
    for (int i = 0; i < 2; i++)
        qp_array_destroy(&whole[i]);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
    free(xs);
    free(ys);
}

static void all_kinds_of(void **state, enum qp_array_type type)
{
    static const int channels[][2] = {{1, 0}, {4, 3}, {1, 0}, {1, 0}, {2, 1}};
    struct qp_context *context = support_need_context(state);
    int sizes = 0;
    compared = 0;
    for (int i = 0; i < COUNT(cells_sizes); i++) {
        if (type != QP_ARRAY_FLOAT && !support_takes(i + 1, 2))
            continue;
        sizes++;
        const int count = type == QP_ARRAY_DOUBLE && channels[i][0] == 4 ? 2 : channels[i][0];
        const struct qp_array_desc of = {.width = cells_sizes[i][0],
                                         .height = cells_sizes[i][1],
                                         .channels = count,
                                         .type = type,
                                         .outside = (enum qp_outside)(i % 4),
                                         .value = 50.0};
        each_kind(context, &of, channels[i][1] % count);
    }
    assert_true(compared >= sizes * (3 * KINDS - 2)); /* doubles leave no places on the device */
}

CLEAN_TEST(floats)
{
    all_kinds_of(state, QP_ARRAY_FLOAT);
}

CLEAN_TEST(halves)
{
    all_kinds_of(state, QP_ARRAY_HALF);
}

CLEAN_TEST(ints)
{
    all_kinds_of(state, QP_ARRAY_INT);
}

CLEAN_TEST(uints)
{
    all_kinds_of(state, QP_ARRAY_UINT);
}

CLEAN_TEST(doubles)
{
    all_kinds_of(state, QP_ARRAY_DOUBLE);
}

GROUP(support_open_context, support_close_context)
