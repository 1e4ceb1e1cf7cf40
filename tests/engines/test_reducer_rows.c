/* SPDX-License-Identifier: MIT */
/* Sums of each row by itself: right to their bound, whatever is in other rows and however many
 * there are, and read back as one column. */
#include "support/pyramid.h"

#include <math.h>
#include <string.h>

#include "support/exact.h"

enum { MOST = 70 * 4 /* sums of a test's rows and channels */ };

/* Rows from `first` on; the sums of channel c of row y are at y * channels + c. */
static void reduce_rows(struct inputs *inputs, enum qp_reduction_kind reduction, int first,
                        int rows, float sums[MOST])
{
    const struct qp_reducer_desc desc = {.climb = &qp_climb_rows,
                                         .reduction = reduction,
                                         .target = inputs->target,
                                         .format = inputs->format,
                                         .width = inputs->width,
                                         .height = inputs->height};
    const struct qp_region region = {.x = &inputs->texture[0],
                                     .left = PYRAMID_LEFT,
                                     .bottom = PYRAMID_BOTTOM + first,
                                     .width = inputs->width,
                                     .height = rows};
    struct qp_reducer reducer;
    assert_true(rows * inputs->channels <= MOST);
    assert_ok(qp_reducer_create(inputs->context, &desc, &reducer));
    const size_t before = qp_context_counters(inputs->context).bytes_read;
    assert_ok(pyramid_draw(&reducer, &region));
    assert_ok(qp_reducer_read_rows(&reducer, rows, sums));
    assert_int_equal(qp_context_counters(inputs->context).bytes_read - before,
                     sizeof(float) * (size_t)(rows * inputs->channels));
    qp_reducer_destroy(&reducer);
}

static float value_at(const struct inputs *inputs, int x, int y, int channel)
{
    return *pyramid_value(inputs, 0, (y * inputs->width + x) * inputs->channels + channel);
}

/* A pass adds 16 values as a tree four deep (reducer.h). */
static void check_row(const struct inputs *inputs, enum qp_reduction_kind reduction, int y,
                      int channel, float got)
{
    struct exact sum = {0.0, 0.0, 0.0};
    int depth = 0;
    for (int reach = 1; reach < inputs->width; reach *= 16)
        depth += 4;
    for (int x = 0; x < inputs->width; x++) {
        const double value = value_at(inputs, x, y, channel);
        exact_add(&sum, reduction == QP_SUM ? value : value * value);
    }
    const double all = (depth + 1) * 0x1p-24, most = all / (1.0 - all) * sum.magnitude;
    if (!(exact_distance(&sum, got) <= most))
        fail_msg("%d x %d of %s, row %d, channel %d: %.9g should be %.17g", inputs->width,
                 inputs->height, qp_format_name(inputs->format), y, channel, got, sum.high);
}

static void check_rows(struct inputs *inputs)
{
    float sums[MOST];
    for (int k = 0; k < 2; k++) {
        const enum qp_reduction_kind reduction = k == 0 ? QP_SUM : QP_SUM_OF_SQUARES;
        reduce_rows(inputs, reduction, 0, inputs->height, sums);
        for (int i = 0; i < inputs->height * inputs->channels; i++)
            check_row(inputs, reduction, i / inputs->channels, i % inputs->channels, sums[i]);
    }
}

/* Widths for one pass, for one value more than a pass takes, for two passes, for three. */
CLEAN_TEST(rows_of_every_width)
{
    static const int sizes[][2] = {{1, 1},  {1, 5},  {2, 3},   {15, 4},  {16, 4},   {17, 4},
                                   {3, 70}, {65, 9}, {255, 2}, {256, 2}, {257, 30}, {4099, 3}};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(sizes) * COUNT(pyramid_formats) * COUNT(pyramid_targets); i++) {
        const int *size = sizes[i / 6];
        struct inputs inputs;
        pyramid_open(context, pyramid_targets[i % 2], pyramid_formats[i / 2 % 3], size[0], size[1],
                     &inputs);
        check_rows(&inputs);
        pyramid_close(&inputs);
    }
}

/* Whichever rows are asked for, theirs have the same bits: so parts of a grid sum as the whole
 * does. */
CLEAN_TEST(a_row_depends_on_no_other)
{
    struct qp_context *context = support_need_context(state);
    struct inputs inputs;
    float all[MOST], some[MOST];
    pyramid_open(context, GL_TEXTURE_RECTANGLE_ARB, QP_RGBA32F, 53, 23, &inputs);
    reduce_rows(&inputs, QP_SUM_OF_SQUARES, 0, 23, all);
    for (int k = 0; k < 23 * 23; k++) {
        const int first = k % 23, rows = k / 23 + 1;
        if (first + rows > 23 || (rows > 4 && first % 3 > 0))
            continue;
        reduce_rows(&inputs, QP_SUM_OF_SQUARES, first, rows, some);
        assert_memory_equal(some, all + 4 * first, sizeof *some * 4 * (size_t)rows);
    }
    pyramid_close(&inputs);
}

/* NaN and infinity are the sums of their row and channel, in every place, and of no other. */
CLEAN_TEST(strange_values_stay_in_their_row)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(strange) * COUNT(pyramid_formats); k++) {
        struct inputs inputs;
        float sound[MOST], sums[MOST];
        pyramid_open(context, pyramid_targets[k % 2], pyramid_formats[k / 3], 19, 3, &inputs);
        reduce_rows(&inputs, QP_SUM, 0, 3, sound);
        for (int i = 0; i < pyramid_values(&inputs); i += 1 + (inputs.channels > 1)) {
            const int place = i / (19 * inputs.channels) * inputs.channels + i % inputs.channels;
            float *value = pyramid_value(&inputs, 0, i), before = *value;
            *value = strange[k % 3];
            pyramid_renew(&inputs);
            reduce_rows(&inputs, QP_SUM, 0, 3, sums);
            assert_true(isnan(*value) ? isnan(sums[place]) : sums[place] == *value);
            sums[place] = sound[place];
            assert_memory_equal(sums, sound, sizeof *sums * 3 * (size_t)inputs.channels);
            reduce_rows(&inputs, QP_SUM_OF_SQUARES, 0, 3, sums);
            assert_true(isnan(*value) ? isnan(sums[place])
                                      : isinf(sums[place]) && sums[place] > 0.0f);
            *value = before;
        }
        pyramid_close(&inputs);
    }
}

GROUP(support_open_context, support_close_context)
