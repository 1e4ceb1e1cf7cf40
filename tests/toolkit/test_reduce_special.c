/* SPDX-License-Identifier: MIT */
/* Reductions: NaN, infinities, ties and the largest integers; maps; answers that stay on the
 * device; loops; errors. */
#include "support/cells.h"
#include "toolkit/reduce/reduction.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { KINDS = QP_REDUCE_NORM_MAX + 1 };

static struct qp_reduced reduce_by(struct qp_context *context, const struct qp_reduction_desc *desc,
                                   const struct qp_array *x, const struct qp_array *y)
{
    const struct qp_pass_input input[] = {
        {"x", x}, {desc->what == QP_REDUCE_DOT ? "y" : NULL, y}, {NULL, NULL}};
    struct qp_reduction *reduction;
    struct qp_reduced got;
    assert_ok(qp_reduction_create(context, desc, &reduction));
    assert_ok(qp_reduce(reduction, input, NULL, &got));
    qp_reduction_destroy(&reduction);
    return got;
}

/* ---- Values that are no usual numbers ---- */

/* A NaN at any cell is the answer of every kind, and its place the first NaN's. */
CLEAN_TEST(nan_is_never_lost)
{
    static const enum qp_array_type types[] = {QP_ARRAY_FLOAT, QP_ARRAY_HALF, QP_ARRAY_DOUBLE};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(types) * 35 * KINDS; k++) {
        const struct qp_reduction_desc desc = {
            .what = (enum qp_reduce_what)(k % KINDS),
            .of = {.width = 7, .height = 5, .channels = 1, .type = types[k / KINDS / 35]}};
        const int at = k / KINDS % 35;
        double *values = cells_values(&desc.of);
        values[(at + 3) % 35] = INFINITY;
        values[at] = NAN;
        if (at < 34)
            values[34] = NAN;
        struct qp_array *x = cells_array(context, &desc.of, values);
        const struct qp_reduced got = reduce_by(context, &desc, x, x);
        assert_true(isnan(got.value));
        if (desc.what == QP_REDUCE_MAX_PLACE || desc.what == QP_REDUCE_MIN_PLACE) {
            assert_int_equal(got.x, at % 7);
            assert_int_equal(got.y, at / 7);
        }
        qp_array_destroy(&x);
        free(values);
    }
}

CLEAN_TEST(infinities)
{
    static const double wanted[KINDS][2] = {
        {INFINITY, NAN},      {INFINITY, INFINITY}, {INFINITY, INFINITY},
        {1.0, -INFINITY},     {INFINITY, INFINITY}, {1.0, -INFINITY},
        {INFINITY, INFINITY}, {INFINITY, INFINITY}, {INFINITY, INFINITY}};
    static const enum qp_array_type types[] = {QP_ARRAY_FLOAT, QP_ARRAY_DOUBLE, QP_ARRAY_FLOAT};
    struct qp_context *context = support_need_context(state);
    const bool precise = (qp_context_device(context)->abilities & QP_CAN_PRECISE) != 0;
    for (int i = 0; i < 3 * 2 * KINDS; i++) {
        const int k = i % (2 * KINDS), way = i / (2 * KINDS);
        const struct qp_reduction_desc desc = {
            .what = (enum qp_reduce_what)(k / 2),
            .compensated = way == 2,
            .of = {.width = 9, .height = 3, .channels = 1, .type = types[way]}};
        const bool adds = desc.what == QP_REDUCE_SUM || desc.what == QP_REDUCE_DOT ||
                          desc.what == QP_REDUCE_NORM_1 || desc.what == QP_REDUCE_NORM_2;
        if (way == 2 && (!adds || !precise))
            continue;
        double *values = cells_values(&desc.of);
        for (int j = 0; j < 27; j++)
            values[j] = 1.0;
        values[3] = values[4] = desc.what == QP_REDUCE_SUM ? -0x1.8p127 : 1.0; /* beyond float */
        values[13] = INFINITY;
        if (k % 2)
            values[20] = -INFINITY;
        struct qp_array *x = cells_array(context, &desc.of, values);
        const struct qp_reduced got = reduce_by(context, &desc, x, x);
        assert_true(isnan(wanted[k / 2][k % 2]) ? isnan(got.value)
                                                : got.value == wanted[k / 2][k % 2]);
        qp_array_destroy(&x);
        free(values);
    }
}

/* The first of equal ones, wherever blocks end; the extreme of negative values alone; -FLT_MAX
 * itself. */
CLEAN_TEST(places_of_equals)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc of = {.width = 21, .height = 18, .channels = 1};
    const int count = 21 * 18;
    for (int at = 0; at < count; at += 11) {
        double *values = cells_values(&of);
        for (int i = 0; i < count; i++)
            values[i] = i < at ? -FLT_MAX : i % 3 == at % 3 ? -2.0 : -3.0;
        struct qp_array *x = cells_array(context, &of, values);
        struct qp_reduced got;
        assert_ok(qp_array_reduce(x, QP_REDUCE_MAX_PLACE, &got));
        assert_true(got.value == -2.0 && got.x == at % 21 && got.y == at / 21);
        for (int i = 0; i < count; i++)
            values[i] = -values[i];
        assert_ok(qp_array_reduce(x, QP_REDUCE_MIN, &got));
        assert_true(got.value == (at > 0 ? -(double)FLT_MAX : -3.0));
        qp_array_destroy(&x);
        x = cells_array(context, &of, values);
        assert_ok(qp_array_reduce(x, QP_REDUCE_MIN_PLACE, &got));
        assert_true(got.value == 2.0 && got.x == at % 21 && got.y == at / 21);
        qp_array_destroy(&x);
        free(values);
    }
}

/* Sums beyond 32 bits, and the one integer whose magnitude is none. */
CLEAN_TEST(integers_are_exact)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array_desc of = {.width = 37, .height = 33, .channels = 1, .type = QP_ARRAY_INT};
    const double cells = 37 * 33;
    struct qp_array *x;
    struct qp_reduced got;
    assert_ok(qp_array_create(context, &of, NULL, &x));
    assert_ok(qp_array_fill(x, NULL, INT32_MIN));
    assert_ok(qp_array_reduce(x, QP_REDUCE_SUM, &got));
    assert_true(got.value == INT32_MIN * cells);
    assert_ok(qp_array_reduce(x, QP_REDUCE_NORM_1, &got));
    assert_true(got.value == -(double)INT32_MIN * cells);
    assert_ok(qp_array_reduce(x, QP_REDUCE_NORM_MAX, &got));
    assert_true(got.value == 0x1p31);
    assert_ok(qp_array_reduce(x, QP_REDUCE_MAX, &got));
    assert_true(got.value == INT32_MIN);
    assert_ok(qp_array_reduce(x, QP_REDUCE_NORM_2, &got));
    assert_true(fabs(got.value / (0x1p31 * sqrt(cells)) - 1.0) < 1e-6);
    assert_ok(qp_array_fill(x, NULL, INT32_MAX));
    assert_ok(qp_array_reduce(x, QP_REDUCE_SUM, &got));
    assert_true(got.value == INT32_MAX * cells);
    qp_array_destroy(&x);
    of.type = QP_ARRAY_UINT;
    assert_ok(qp_array_create(context, &of, NULL, &x));
    assert_ok(qp_array_fill(x, NULL, UINT32_MAX));
    assert_ok(qp_array_reduce(x, QP_REDUCE_SUM, &got));
    assert_true(got.value == UINT32_MAX * cells);
    assert_ok(qp_array_reduce(x, QP_REDUCE_MIN_PLACE, &got));
    assert_true(got.value == UINT32_MAX && got.x == 0 && got.y == 0);
    qp_array_destroy(&x);
}

/* ---- Maps ---- */

/* A mean over a mask, weighted, of arrays of two sizes: neighbours, other cells, a number, and the
 * grid's size. */
CLEAN_TEST(maps)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc grid = {.width = 63, .height = 65, .channels = 1},
                               table = {.width = 4, .height = 1, .channels = 2};
    const struct qp_reduction_desc desc = {
        .of = grid,
        .map = "float map(vec2 here)\n"
               "{\n"
               "    float edge = here == size - 1.0 ? 1000.0 : 0.0;\n"
               "    return weight * x_at(1, 0) + t_cell(vec2(mod(here.x, 4.0), 0.0)).y + edge;\n"
               "}",
        .input = {{"x", QP_ARRAY_FLOAT, 1, 1}, {"t", QP_ARRAY_FLOAT, 2, 0}},
        .number = {{"weight", QP_NUMBER_FLOAT, 0}}};
    double *xs = cells_values(&grid), ts[8] = {9.0, 1.0, 9.0, 2.0, 9.0, 4.0, 9.0, 8.0};
    double wanted[2] = {1000.0, 1000.0};
    for (int i = 0; i < 63 * 65; i++)
        xs[i] = i % 23 - 7;
    for (int i = 0; i < 63 * 65; i++) {
        for (int k = 0; k < 2; k++)
            wanted[k] += (k + 2.0) * (i % 63 < 62 ? xs[i + 1] : 0.0) + (1 << i % 63 % 4);
    }
    struct qp_array *x = cells_array(context, &grid, xs), *t = cells_array(context, &table, ts);
    const struct qp_pass_input input[] = {{"t", t}, {"x", x}, {NULL, NULL}};
    struct qp_reduction *reduction;
    struct qp_reduced got;
    assert_ok(qp_reduction_create(context, &desc, &reduction));
    for (int k = 0; k < 2; k++) {
        const struct qp_pass_number number[] = {{.name = "weight", .value = {k + 2.0}}, {0}};
        assert_ok(qp_reduce(reduction, input, number, &got));
        assert_true(got.value == wanted[k]);
    }
    assert_int_equal(qp_reduce(reduction, input, NULL, &got), QP_BAD_USE);
    support_assert_sentence("weight");
    qp_reduction_destroy(&reduction);
    qp_array_destroy(&x);
    qp_array_destroy(&t);
    free(xs);
}

/* The sum of squares of the differences to some neighbours, by every reduction of a map. A loop
 * goes another way than what has none: called at 16 places, its 100 rounds would be compiled for
 * minutes. */
CLEAN_TEST(maps_with_loops)
{
    static const char *const maps[] = {
        "float map(vec2 here) { return x_at(0, 0) + x_at(1, 0); }",
        "float map(vec2 here) { float s = 0.0; for (int i = 0; i < 2; i++) s += x_at(i, 0); "
        "return s; }",
        "float map(vec2 here) { float s = 0.0; int i = 0; while (i < 2) s += x_at(i++, 0); "
        "return s; }",
        "float map(vec2 here) { float s = 0.0; int i = 0; do s += x_at(i, 0); while (++i < 2); "
        "return s; }",
        "float map(vec2 here) { float s = 0.0; for (int i = 0; i < 100; i++) s += x_at(i, 0) * "
        "(i < 2 ? 1.0 : 0.0); return s; }"};
    static const enum qp_reduce_what whats[] = {QP_REDUCE_SUM, QP_REDUCE_NORM_1, QP_REDUCE_NORM_2,
                                                QP_REDUCE_MAX};
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc of = {.width = 5, .height = 7, .channels = 1};
    double *xs = cells_values(&of), wanted[] = {0.0, 0.0, 0.0, -1000.0};
    for (int i = 0; i < 35; i++)
        xs[i] = i * 11 % 17 - 8;
    for (int i = 0; i < 35; i++) {
        const double value = xs[i] + (i % 5 < 4 ? xs[i + 1] : 0.0);
        wanted[0] += value;
        wanted[1] += fabs(value);
        wanted[2] += value * value;
        wanted[3] = fmax(wanted[3], value);
    }
    wanted[2] = sqrt(wanted[2]);
    struct qp_array *x = cells_array(context, &of, xs);
    for (int i = 0; i < COUNT(maps) * COUNT(whats); i++) {
        const struct qp_reduction_desc desc = {.what = whats[i % COUNT(whats)],
                                               .of = of,
                                               .map = maps[i / COUNT(whats)],
                                               .input = {{"x"}}};
        const struct qp_pass_input input[] = {{"x", x}, {NULL, NULL}};
        struct qp_reduction *reduction;
        struct qp_reduced got;
        assert_ok(qp_reduction_create(context, &desc, &reduction));
        assert_int_equal(reduction->first[QP_SCALE_NONE] == NULL,
                         i < 3); /* only these call the map 16 times */
        assert_ok(qp_reduce(reduction, input, NULL, &got));
        if (got.value != wanted[i % COUNT(whats)])
            fail_msg("%d: %g, not %g", i, got.value, wanted[i % COUNT(whats)]);
        qp_reduction_destroy(&reduction);
    }
    qp_array_destroy(&x);
    free(xs);
}

/* ---- Answers that stay ---- */

/* x / |x|, whose norm is 1: the norm is never read. */
CLEAN_TEST(answers_are_read_by_kernels)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc of = {.width = 40, .height = 30, .channels = 1},
                               one = {.width = 1, .height = 1};
    const struct qp_kernel_desc scale = {
        .body = "float kernel(vec2 here) { return x_cell(here) / s_cell(vec2(0.0)); }",
        .input = {{"x", QP_ARRAY_FLOAT, 1, 0}, {"s", QP_ARRAY_FLOAT, 1, 0}}};
    const struct qp_reduction_desc desc = {.what = QP_REDUCE_NORM_2, .of = of};
    double *xs = cells_values(&of);
    for (int i = 0; i < 1200; i++)
        xs[i] = i % 7 - 2;
    struct qp_array *x = cells_array(context, &of, xs), *out, *s;
    struct qp_reduction *norm;
    struct qp_kernel *kernel;
    struct qp_reduced got;
    assert_ok(qp_array_create(context, &of, NULL, &out));
    assert_ok(qp_array_create(context, &one, NULL, &s));
    assert_ok(qp_kernel_create(context, &scale, &kernel));
    assert_ok(qp_reduction_create(context, &desc, &norm));
    const struct qp_pass_input input[] = {{"x", x}, {NULL, NULL}};
    const struct qp_pass pass = {.kernel = kernel, .input = {{"x", x}, {"s", s}}, .output = {out}};
    const size_t read = qp_context_counters(context).bytes_read;
    assert_ok(qp_reduce_to(norm, input, NULL, s));
    assert_ok(qp_pass_run(&pass));
    assert_int_equal(qp_context_counters(context).bytes_read, read);
    assert_ok(qp_array_reduce(out, QP_REDUCE_NORM_2, &got));
    assert_true(fabs(got.value - 1.0) < 1e-6);
    qp_reduction_destroy(&norm);
    qp_kernel_destroy(&kernel);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
    qp_array_destroy(&s);
    free(xs);
}

/* Runs compile nothing and make no object. */
CLEAN_TEST(loops_make_nothing)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc of = {.width = 130, .height = 20, .channels = 1},
                               one = {.width = 1, .height = 1};
    const struct qp_reduction_desc desc = {.what = QP_REDUCE_DOT, .of = of};
    struct qp_array *x, *s;
    struct qp_reduction *reduction;
    struct qp_counters before = {0};
    assert_ok(qp_array_create(context, &of, NULL, &x));
    assert_ok(qp_array_create(context, &one, NULL, &s));
    assert_ok(qp_reduction_create(context, &desc, &reduction));
    const struct qp_pass_input input[] = {{"x", x}, {"y", x}, {NULL, NULL}};
    for (int i = 0; i < 20; i++) {
        assert_ok(qp_reduce_to(reduction, input, NULL, s));
        const struct qp_counters now = qp_context_counters(context);
        if (i == 0)
            before = now;
        assert_int_equal(now.live_objects, before.live_objects);
        assert_int_equal(now.kept_objects, before.kept_objects);
        assert_int_equal(now.passes, before.passes + (size_t)i * 5); /* 130, 33, 9, 3, 1; answer */
    }
    qp_reduction_destroy(&reduction);
    qp_array_destroy(&x);
    qp_array_destroy(&s);
}

/* ---- Four sums at once ---- */

/* Whole numbers are added exactly, on grids of one level and of several. */
CLEAN_TEST(four_sums)
{
    static const int sizes[][2] = {{1, 1}, {8, 8}, {9, 7}, {300, 5}, {3, 190}, {190, 150}};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(sizes); i++) {
        const struct qp_array_desc of = {sizes[i][0], sizes[i][1], .channels = 4};
        struct qp_pass pass[QP_PYRAMID_LEVELS];
        struct qp_pyramid sums = {0};
        struct qp_list *list;
        double *values = cells_values(&of), wanted[4] = {0.0}, got[4] = {0.0};
        for (int k = 0; k < 4 * of.width * of.height; k++)
            wanted[k % 4] += values[k] = k * 7919 % 31 - 11;
        struct qp_array *x = cells_array(context, &of, values);
        assert_ok(qp_sums_create(context, of.width, of.height, 0, &sums));
        pass[0] = (struct qp_pass){.kernel = sums.next, .input = {{"x", x}}};
        assert_ok(qp_list_create(pass, qp_pyramid_passes(&sums, pass), &list));
        assert_ok(qp_list_run(list, 1));
        assert_ok(qp_sums_read(&sums, got));
        for (int k = 0; k < 4; k++)
            assert_true(got[k] == wanted[k]);
        qp_list_destroy(&list);
        qp_pyramid_destroy(&sums);
        qp_array_destroy(&x);
        free(values);
    }
}

GROUP(support_open_context, support_close_context)
