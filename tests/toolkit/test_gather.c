/* SPDX-License-Identifier: MIT */
/* Gathers by index arrays, and compaction, against plain C. */
#include "support/cells.h"

#include <math.h>
#include <stdlib.h>

static const struct qp_array_desc kinds[] = {
    {.channels = 1, .outside = QP_OUTSIDE_VALUE, .value = -3.0},
    {.channels = 4, .outside = QP_OUTSIDE_CLAMP},
    {.channels = 2, .type = QP_ARRAY_HALF, .outside = QP_OUTSIDE_WRAP},
    {.channels = 1, .type = QP_ARRAY_INT, .outside = QP_OUTSIDE_WRAP},
    {.channels = 2, .type = QP_ARRAY_INT, .outside = QP_OUTSIDE_VALUE, .value = 7.0},
    {.channels = 4, .type = QP_ARRAY_UINT},
};

static const struct qp_array_desc indices[] = {
    {.channels = 1, .type = QP_ARRAY_INT},   {.channels = 2, .type = QP_ARRAY_INT},
    {.channels = 1, .type = QP_ARRAY_UINT},  {.channels = 2, .type = QP_ARRAY_UINT},
    {.channels = 1, .type = QP_ARRAY_FLOAT}, {.channels = 2, .type = QP_ARRAY_FLOAT},
};

static uint64_t seed;

/* A whole number from `least` to `most`. */
static double whole(double least, double most)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return least + floor((double)(seed >> 32) * 0x1p-32 * (most - least + 1.0));
}

static double *fill(const struct qp_array_desc *desc)
{
    double *values = cells_values(desc);
    for (int i = 0; i < desc->width * desc->height * desc->channels; i++)
        values[i] = i % 1999 + (desc->type == QP_ARRAY_HALF ? 0.0 : 0x1p20);
    return values;
}

/* ---- Gathers ---- */

/* Cells in x and up to one width or height beyond, of which unsigned numbers know one side. Floats
 * lie within a cell. */
static double *choose(const struct qp_array_desc *index, const struct qp_array_desc *x)
{
    const double back = index->type == QP_ARRAY_UINT ? 0.0 : 1.0;
    const bool fraction = index->type == QP_ARRAY_FLOAT;
    double *values = cells_values(index);
    for (int i = 0; i < index->width * index->height; i++) {
        const double part = fraction ? whole(0.0, 3.0) / 4.0 : 0.0;
        const double column = whole(-back * x->width, 2.0 * x->width - 1.0),
                     row = whole(-back * x->height, 2.0 * x->height - 1.0),
                     number = whole(-back * x->width, (x->height + 1.0) * x->width);
        if (index->channels == 1) {
            values[i] = number + part;
        } else {
            values[2 * i] = column + part;
            values[2 * i + 1] = row + part;
        }
    }
    return values;
}

static int into(int i, int size, enum qp_outside outside)
{
    if (outside == QP_OUTSIDE_CLAMP)
        return i < 0 ? 0 : i >= size ? size - 1 : i;
    return outside == QP_OUTSIDE_WRAP ? ((i % size) + size) % size : i;
}

static double expect(const struct qp_array_desc *desc, const double *x,
                     const struct qp_array_desc *index, const double *at, int cell, int channel)
{
    const double number = floor(at[index->channels * cell]);
    const double row = index->channels == 2 ? floor(at[2 * cell + 1]) : floor(number / desc->width),
                 column = index->channels == 2 ? number : number - row * desc->width;
    const int i = into((int)column, desc->width, desc->outside),
              j = into((int)row, desc->height, desc->outside);
    if (i < 0 || j < 0 || i >= desc->width || j >= desc->height)
        return desc->outside == QP_OUTSIDE_VALUE ? desc->value : 0.0;
    return x[(j * desc->width + i) * desc->channels + channel];
}

static void gather_one(struct qp_context *context, const struct qp_array_desc *desc,
                       const struct qp_array_desc *index)
{
    struct qp_array_desc wanted = *desc;
    wanted.width = index->width;
    wanted.height = index->height;
    double *xs = fill(desc), *at = choose(index, desc), *none = cells_values(&wanted);
    struct qp_array *larger[3], *x, *places, *out;
    x = cells_view(context, desc, xs, 2, 1, 5.0, &larger[0]);
    places = cells_view(context, index, at, 1, 3, 0.0, &larger[1]);
    out = cells_view(context, &wanted, none, 3, 1, 5.0, &larger[2]);
    assert_ok(qp_gather(x, places, out));
    double *got = cells_read(out);
    for (int i = 0; i < wanted.width * wanted.height * wanted.channels; i++) {
        const double value = expect(desc, xs, index, at, i / wanted.channels, i % wanted.channels);
        if (got[i] != value)
            fail_msg("type %d of %d by type %d of %d, %d x %d: value %d is %.9g, not %.9g",
                     (int)desc->type, desc->channels, (int)index->type, index->channels,
                     desc->width, desc->height, i, got[i], value);
    }
    for (int i = 0; i < 3; i++)
        qp_array_destroy(&larger[i]);
    qp_array_destroy(&x);
    qp_array_destroy(&places);
    qp_array_destroy(&out);
    free(xs);
    free(at);
    free(none);
    free(got);
}

CLEAN_TEST(gathers)
{
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(kinds) * COUNT(indices); k++) {
        if (!support_takes(k % COUNT(kinds) + k / COUNT(kinds), 2))
            continue;
        const int *size = cells_sizes[k % COUNT(cells_sizes)],
                  *other = cells_sizes[(k + 3) % COUNT(cells_sizes)];
        struct qp_array_desc desc = kinds[k % COUNT(kinds)], index = indices[k / COUNT(kinds)];
        desc.width = size[0];
        desc.height = size[1];
        index.width = other[0];
        index.height = other[1];
        gather_one(context, &desc, &index);
    }
}

/* The largest numbers are outside, on their side, or wrap to the bit; so are infinities and NaN, on
 * the left and below. The cell (i, j) of 5 x 4 holds i + 10 j. */
CLEAN_TEST(extreme_indices)
{
    static const enum qp_outside outsides[] = {QP_OUTSIDE_VALUE, QP_OUTSIDE_CLAMP, QP_OUTSIDE_WRAP};
    static const struct {
        enum qp_array_type type;
        int channels;
        double index[2], wanted[3]; /* -1 outside */
    } cases[] = {
        {QP_ARRAY_INT, 1, {INT32_MIN}, {-1.0, 2.0, 22.0}},
        {QP_ARRAY_INT, 1, {INT32_MAX}, {-1.0, 32.0, 12.0}},
        {QP_ARRAY_INT, 1, {20.0}, {-1.0, 30.0, 0.0}},
        {QP_ARRAY_UINT, 1, {UINT32_MAX}, {-1.0, 30.0, 30.0}},
        {QP_ARRAY_INT, 2, {INT32_MIN, 1.0}, {-1.0, 10.0, 12.0}},
        {QP_ARRAY_INT, 2, {INT32_MAX, 1.0}, {-1.0, 14.0, 12.0}},
        {QP_ARRAY_INT, 2, {2.0, -16777219.0}, {-1.0, 2.0, 12.0}},
        {QP_ARRAY_UINT, 2, {UINT32_MAX, 0.0}, {-1.0, 4.0, 0.0}},
        {QP_ARRAY_UINT, 2, {1.0, UINT32_MAX - 1.0}, {-1.0, 31.0, 21.0}},
        {QP_ARRAY_FLOAT, 1, {NAN}, {-1.0, 0.0, 34.0}},
        {QP_ARRAY_FLOAT, 1, {INFINITY}, {-1.0, 0.0, 34.0}},
        {QP_ARRAY_FLOAT, 1, {-INFINITY}, {-1.0, 0.0, 34.0}},
        {QP_ARRAY_FLOAT, 2, {NAN, 2.0}, {-1.0, 0.0, 34.0}},
        {QP_ARRAY_FLOAT, 2, {3e38, 2.0}, {-1.0, 24.0, 34.0}},
        {QP_ARRAY_FLOAT, 2, {-3e38, 2.0}, {-1.0, 20.0, 34.0}},
        {QP_ARRAY_FLOAT, 2, {16777213.0, -16777213.0}, {-1.0, 4.0, 33.0}},
    };
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < 3 * COUNT(cases); k++) {
        const struct qp_array_desc desc = {.width = 5,
                                           .height = 4,
                                           .channels = 1,
                                           .outside = outsides[k % 3],
                                           .value = -1.0},
                                   of = {.width = 1,
                                         .height = 1,
                                         .channels = cases[k / 3].channels,
                                         .type = cases[k / 3].type},
                                   one = {.width = 1, .height = 1, .channels = 1};
        double xs[20];
        for (int i = 0; i < 20; i++)
            xs[i] = i % 5 + 10.0 * (i / 5);
        struct qp_array *x = cells_array(context, &desc, xs),
                        *index = cells_array(context, &of, cases[k / 3].index),
                        *out = cells_array(context, &one, xs);
        assert_ok(qp_gather(x, index, out));
        double *got = cells_read(out);
        if (got[0] != cases[k / 3].wanted[k % 3])
            fail_msg("case %d, outside %d: %g", k / 3, (int)desc.outside, got[0]);
        free(got);
        qp_array_destroy(&x);
        qp_array_destroy(&index);
        qp_array_destroy(&out);
    }
}

/* A number of 25 bits, whose row and width multiply to one more than 24 bits hold. */
CLEAN_TEST(large_numbers)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc desc = {.width = 16381, .height = 1026, .channels = 1},
                               one = {.width = 1, .height = 1, .channels = 1};
    const double number = 1025.0 * 16381.0 + 1.0;
    const float row[] = {0.0f, 1.0f, 2.0f};
    struct qp_array *x, *index, *out;
    if (qp_context_device(context)->rectangle_limit < desc.width)
        skip();
    index = cells_array(context, &one, &number);
    out = cells_array(context, &one, &number);
    assert_ok(qp_array_create(context, &desc, NULL, &x));
    assert_ok(qp_array_write(x, &(struct qp_rect){0, 1025, 3, 1}, row, 0));
    assert_ok(qp_gather(x, index, out));
    double *got = cells_read(out);
    assert_true(got[0] == 1.0);
    free(got);
    qp_array_destroy(&x);
    qp_array_destroy(&index);
    qp_array_destroy(&out);
}

/* ---- Compaction ---- */

/* Keeps one cell in `one_in`; 0: none. */
static void compact_one(struct qp_context *context, const struct qp_array_desc *desc,
                        enum qp_array_type mask_type, int one_in, const int size[2])
{
    const struct qp_array_desc mask = {
        .width = desc->width, .height = desc->height, .channels = 1, .type = mask_type};
    struct qp_array_desc wanted = *desc;
    const int cells = desc->width * desc->height, n = desc->channels;
    size_t kept = 0, count;
    wanted.width = size[0];
    wanted.height = size[1];
    double *xs = fill(desc), *flags = cells_values(&mask), *expected = cells_values(&wanted);
    struct qp_array *larger[3], *x, *flagged, *out;
    for (int i = 0; i < cells; i++) {
        const bool keep = one_in > 0 && whole(0.0, one_in - 1.0) == 0.0;
        flags[i] = keep ? 1.0 + i % 3 : 0.0;
        if (mask_type == QP_ARRAY_FLOAT && i % 4 == 1)
            flags[i] = keep ? (i % 8 == 1 ? NAN : -0.5) : -0.0;
        for (int c = 0; keep && c < n && kept < (size_t)(wanted.width * wanted.height); c++)
            expected[kept * (size_t)n + (size_t)c] = xs[i * n + c];
        kept += keep;
    }
    x = cells_view(context, desc, xs, 2, 1, 5.0, &larger[0]);
    flagged = cells_view(context, &mask, flags, 1, 3, 1.0, &larger[1]);
    out = cells_view(context, &wanted, expected, 3, 1, 5.0, &larger[2]);
    assert_ok(qp_array_fill(out, NULL, 5.0));
    assert_ok(qp_compact(x, flagged, out, &count));
    assert_int_equal(count, kept);
    double *got = cells_read(out);
    for (int i = 0; i < wanted.width * wanted.height * n; i++) {
        if (got[i] != expected[i])
            fail_msg("type %d of %d, %d x %d, one in %d to %d x %d: value %d is %.9g, not %.9g",
                     (int)desc->type, n, desc->width, desc->height, one_in, wanted.width,
                     wanted.height, i, got[i], expected[i]);
    }
    assert_ok(qp_compact(x, flagged, out, NULL));
    for (int i = 0; i < 3; i++)
        qp_array_destroy(&larger[i]);
    qp_array_destroy(&x);
    qp_array_destroy(&flagged);
    qp_array_destroy(&out);
    free(xs);
    free(flags);
    free(expected);
    free(got);
}

CLEAN_TEST(compactions)
{
    static const enum qp_array_type masks[] = {QP_ARRAY_FLOAT, QP_ARRAY_HALF, QP_ARRAY_INT,
                                               QP_ARRAY_UINT};
    static const int one_in[] = {3, 0, 1, 7}, outs[][2] = {{1000, 40}, {13, 5}, {1, 900}};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(kinds) * COUNT(cells_sizes); k++) {
        if (!support_takes(k % COUNT(kinds) + k / COUNT(kinds), 2))
            continue;
        struct qp_array_desc desc = kinds[k % COUNT(kinds)];
        desc.width = cells_sizes[k % COUNT(cells_sizes)][0];
        desc.height = cells_sizes[k % COUNT(cells_sizes)][1];
        compact_one(context, &desc, masks[k % 4], one_in[k / 2 % 4], outs[k % 3]);
    }
}

/* ---- Errors ---- */

static struct qp_array *make(struct qp_context *context, int width, int height, int channels,
                             enum qp_array_type type)
{
    const struct qp_array_desc desc = {
        .width = width, .height = height, .channels = channels, .type = type};
    struct qp_array *array;
    return qp_array_create(context, &desc, NULL, &array) == QP_OK ? array : NULL;
}

CLEAN_TEST(errors)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array *x = make(context, 4, 3, 1, QP_ARRAY_FLOAT),
                    *out = make(context, 4, 3, 1, QP_ARRAY_FLOAT),
                    *four = make(context, 4, 3, 4, QP_ARRAY_FLOAT),
                    *ints = make(context, 4, 3, 1, QP_ARRAY_INT),
                    *turned = make(context, 3, 4, 1, QP_ARRAY_INT),
                    *doubles = make(context, 4, 3, 1, QP_ARRAY_DOUBLE), *view;
    size_t count = 9;
    assert_ok(qp_array_view(x, NULL, &view));
    const struct {
        const struct qp_array *x, *second;
        struct qp_array *out;
        const char *gather, *compact; /* words of the sentence; NULL: no error */
    } bad[] = {
        {NULL, ints, out, "'x'", "'x'"},
        {x, NULL, out, "'index'", "'mask'"},
        {x, ints, NULL, "'out'", "'out'"},
        {x, four, out, "4 channels", "4 channels"},
        {x, turned, out, "3 x 4", "3 x 4"},
        {x, ints, four, "channels than 'x'", "channels than 'x'"},
        {x, ints, view, "shares its cells with 'x'", "shares its cells with 'x'"},
        {ints, x, ints, "shares its cells with 'x'", "shares its cells with 'x'"},
        {out, x, view, "shares its cells with 'index'", "shares its cells with 'mask'"},
        {(const struct qp_array *)context, ints, out, "'x'", "'x'"},
        {doubles, ints, out, doubles != NULL ? "doubles" : "'x'",
         doubles != NULL ? "doubles" : "'x'"},
    };
    for (int i = 0; i < COUNT(bad); i++) {
        assert_int_equal(qp_gather(bad[i].x, bad[i].second, bad[i].out), QP_BAD_USE);
        support_assert_sentence(bad[i].gather);
        assert_int_equal(qp_compact(bad[i].x, bad[i].second, bad[i].out, &count), QP_BAD_USE);
        support_assert_sentence(bad[i].compact);
        assert_int_equal(count, 0);
    }
    struct qp_array *all[] = {x, out, four, ints, turned, doubles, view};
    for (int i = 0; i < COUNT(all); i++)
        qp_array_destroy(&all[i]);
}

GROUP(support_open_context, support_close_context)
