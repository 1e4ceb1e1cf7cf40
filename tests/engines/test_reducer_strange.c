/* SPDX-License-Identifier: MIT */
/* NaN, infinity, zeros and ties in a reduction by passes, at every place. */
#include "support/pyramid.h"

#include <math.h>

/* A NaN is the answer of all reductions; so is infinity but where sums are compensated: NaN. */
static void check_strange(struct inputs *inputs, float strange)
{
    for (int k = 0; k < COUNT(pyramid_climbs) * QP_INDEX; k++) {
        const struct qp_climb *climb = pyramid_climbs[k / QP_INDEX];
        enum qp_reduction_kind reduction = (enum qp_reduction_kind)(k % QP_INDEX);
        if (!pyramid_can(inputs, climb, reduction))
            continue;
        double result = pyramid_reduce(inputs, climb, reduction).part[0];
        assert_true(isnan(strange) || climb->pairs ? isnan(result) : isinf(result));
        if (!isnan(result) && reduction == QP_SUM)
            assert_true(result == (double)strange);
    }
    pyramid_check_largest(inputs);
}

/* Puts one strange value at a time in every place. */
static void try_each_place(struct inputs *inputs, float strange, int stride)
{
    for (int i = 0; i < pyramid_values(inputs); i += stride) {
        float before = *pyramid_value(inputs, 0, i);
        *pyramid_value(inputs, 0, i) = strange;
        pyramid_renew(inputs);
        check_strange(inputs, strange);
        *pyramid_value(inputs, 0, i) = before;
    }
}

CLEAN_TEST(strange_values_get_through)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(pyramid_formats) * COUNT(pyramid_targets); i++) {
        struct inputs inputs;
        pyramid_open(context, pyramid_targets[i % 2], pyramid_formats[i / 2], 6, 5, &inputs);
        for (int k = 0; k < COUNT(strange); k++)
            try_each_place(&inputs, strange[k], 1);
        *pyramid_value(&inputs, 0, 7) = -INFINITY;
        *pyramid_value(&inputs, 0, 22) = NAN;
        pyramid_renew(&inputs);
        check_strange(&inputs, NAN);
        *pyramid_value(&inputs, 0, 22) = INFINITY;
        pyramid_renew(&inputs);
        assert_true(isnan(pyramid_reduce(&inputs, &qp_climb_tree, QP_SUM).part[0]));
        pyramid_close(&inputs);
    }
}

/* In a large input the strange value has further to go, through every level. */
CLEAN_TEST(strange_values_get_through_all_levels)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(pyramid_formats) * COUNT(pyramid_targets); i++) {
        struct inputs inputs;
        pyramid_open(context, pyramid_targets[i % 2], pyramid_formats[i / 2], 257, 66, &inputs);
        try_each_place(&inputs, NAN, 2 + pyramid_values(&inputs) / 13);
        pyramid_renew(&inputs);
        pyramid_check(&inputs); /* nothing is left in the levels */
        pyramid_close(&inputs);
    }
}

/* Nothing to add up, and nothing larger than nothing: the first place. */
CLEAN_TEST(zeros_give_zero)
{
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(pyramid_formats); k++) {
        struct inputs inputs;
        pyramid_open(context, GL_TEXTURE_RECTANGLE_ARB, pyramid_formats[k], 5, 6, &inputs);
        for (int i = 0; i < pyramid_values(&inputs); i++)
            *pyramid_value(&inputs, 0, i) = i % 2 ? 0.0f : -0.0f;
        pyramid_renew(&inputs);
        pyramid_check(&inputs);
        pyramid_close(&inputs);
    }
}

/* Two equal magnitudes, or two NaNs, in all pairs of places: the first counts, row by row. */
CLEAN_TEST(the_first_of_equals_counts)
{
    static const float equals[] = {-9.0f, NAN};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(pyramid_formats) * COUNT(equals); k++) {
        struct inputs inputs;
        pyramid_open(context, GL_TEXTURE_RECTANGLE_ARB, pyramid_formats[k / 2], k < 4 ? 5 : 2, 6,
                     &inputs);
        for (int pair = 0; pair < pyramid_values(&inputs) * pyramid_values(&inputs); pair++) {
            if (pair % pyramid_values(&inputs) > pair / pyramid_values(&inputs))
                continue;
            float *a = pyramid_value(&inputs, 0, pair % pyramid_values(&inputs));
            float *b = pyramid_value(&inputs, 0, pair / pyramid_values(&inputs));
            float before[] = {*a, *b};
            *a = equals[k % 2];
            *b = -equals[k % 2];
            pyramid_renew(&inputs);
            pyramid_check_largest(&inputs);
            *b = before[1];
            *a = before[0];
        }
        pyramid_close(&inputs);
    }
}

GROUP(support_open_context, support_close_context)
