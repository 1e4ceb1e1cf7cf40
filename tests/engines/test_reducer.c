/* SPDX-License-Identifier: MIT */
/* Reduction by passes against exact sums, at every awkward size; and what else a reducer
 * promises. */
#include "support/pyramid.h"

#include <math.h>

static void check_size(struct qp_context *context, int width, int height)
{
    for (int i = 0; i < COUNT(pyramid_formats) * COUNT(pyramid_targets); i++) {
        struct inputs inputs;
        if (!support_takes(i + width + 2 * height, 6))
            continue;
        pyramid_open(context, pyramid_targets[i % 2], pyramid_formats[i / 2], width, height,
                     &inputs);
        pyramid_check(&inputs);
        pyramid_close(&inputs);
    }
}

CLEAN_TEST(every_small_size)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < 81; i++)
        check_size(context, 1 + i % 9, 1 + i / 9);
}

/* Rows, columns, primes, powers of four and one above them. */
CLEAN_TEST(awkward_sizes)
{
    static const int sizes[][2] = {{1, 16},  {17, 1},  {1, 257},  {1021, 1}, {13, 11}, {31, 37},
                                   {64, 64}, {65, 64}, {64, 65},  {16, 17},  {127, 5}, {63, 4},
                                   {4, 256}, {257, 3}, {1023, 3}, {2048, 5}, {3, 1025}};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(sizes); i++)
        check_size(context, sizes[i][0], sizes[i][1]);
}

/* ---- Other promises of a reducer ---- */

/* The residual is drawn into the reducer's own level 0 and reduced from there. */
CLEAN_TEST(level_zero_is_a_target_and_an_input)
{
    struct qp_context *context = support_need_context(state);
    struct qp_reducer_desc desc = {.reduction = QP_SUM_OF_SQUARES,
                                   .target = GL_TEXTURE_RECTANGLE_ARB,
                                   .format = QP_R32F,
                                   .width = 9,
                                   .height = 6,
                                   .scratch = true};
    struct qp_reducer reducer;
    assert_ok(qp_reducer_create(context, &desc, &reducer));
    struct qp_region region = {.x = &reducer.texture[0], .width = 9, .height = 6};
    struct qp_gl_pass pass = {.surface = qp_reducer_surface(&reducer),
                              .width = 9,
                              .height = 6,
                              .geometry = qp_quad(0.0f, 0.0f, 9.0f, 6.0f)};
    const struct qp_program_source source = {.fragment = {.name = "probe/coordinates.frag"},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    assert_ok(qp_program_make(context, &source, NULL, NULL, &pass.program));
    double sum = 0.0, result[3];
    for (int i = 0; i < 9 * 6; i++)
        sum += pow(-1.25 * (i % 9 + 0.5 + 100.0 * (i / 9 + 0.5)), 2.0);
    for (int again = 0; again < 2; again++) {
        qp_pass_draw(context, &pass);
        assert_ok(pyramid_draw(&reducer, &region));
        assert_ok(qp_reducer_read(&reducer, result));
        assert_true(fabs(result[0] - sum) <= 9.0 * 0x1p-24 * sum);
    }
    qp_reducer_destroy(&reducer);
}

/* Channels by themselves, as four systems' residuals are. */
CLEAN_TEST(channels_stay_apart)
{
    struct qp_reducer_desc desc = {
        .target = GL_TEXTURE_2D, .format = QP_RGBA32F, .width = 7, .height = 5};
    struct qp_context *context = support_need_context(state);
    struct qp_reducer reducer;
    struct qp_texture texture;
    float texels[7 * 5 * 4];
    double sum[4];
    for (int i = 0; i < 7 * 5 * 4; i++)
        texels[i] = (float)(i / 4 * (i % 4 + 1));
    assert_ok(qp_texture_create(context, desc.target, desc.format, 7, 5, texels, &texture));
    assert_ok(qp_reducer_create(context, &desc, &reducer));
    assert_ok(pyramid_draw(&reducer, &(struct qp_region){.x = &texture, .width = 7, .height = 5}));
    assert_ok(qp_reducer_read_channels(&reducer, sum));
    for (int k = 0; k < 4; k++)
        assert_true(sum[k] == 595.0 * (k + 1)); /* 0 + 1 + ... + 34 */
    qp_reducer_destroy(&reducer);
    qp_texture_destroy(&texture);
}

/* A part of what the reducer was made for, down to one value; no more than that. */
CLEAN_TEST(regions_may_be_smaller)
{
    struct qp_context *context = support_need_context(state);
    struct qp_reducer_desc desc = {
        .target = GL_TEXTURE_RECTANGLE_ARB, .format = QP_R32F, .width = 40, .height = 30};
    struct qp_reducer reducer;
    struct inputs inputs;
    pyramid_open(context, desc.target, desc.format, 41, 30, &inputs);
    assert_ok(qp_reducer_create(context, &desc, &reducer));
    for (int side = 1; side <= 30; side++) {
        struct qp_region region = {.x = &inputs.texture[0],
                                   .left = PYRAMID_LEFT,
                                   .bottom = PYRAMID_BOTTOM,
                                   .width = side,
                                   .height = 31 - side};
        double sum = 0.0, result[3];
        for (int i = 0; i < side * (31 - side); i++)
            sum += *pyramid_value(&inputs, 0, i / side * 41 + i % side);
        assert_ok(pyramid_draw(&reducer, &region));
        assert_ok(qp_reducer_read(&reducer, result));
        assert_true(fabs(result[0] - sum) <= 13.0 * 0x1p-24 * 8.0 * side * (31 - side));
    }
    struct qp_region region = {.x = &inputs.texture[0], .width = 41, .height = 30};
    assert_int_equal(pyramid_draw(&reducer, &region), QP_BAD_USE);
    support_assert_sentence("41 x 30 texels do not fit a reducer made for 40 x 30");
    qp_reducer_destroy(&reducer);
    pyramid_close(&inputs);
}

/* A reducer that cannot be made is freed by destroying it. */
CLEAN_TEST(what_cannot_be_made)
{
    struct qp_context *context = support_need_context(state);
    struct qp_reducer reducer;
    int limit = qp_context_device(context)->rectangle_limit;
    struct qp_reducer_desc desc = {.target = GL_TEXTURE_RECTANGLE_ARB,
                                   .format = QP_R32F,
                                   .width = limit + 1,
                                   .height = 1,
                                   .scratch = true};
    assert_int_equal(qp_reducer_create(context, &desc, &reducer), QP_UNSUPPORTED);
    qp_reducer_destroy(&reducer);
    qp_reducer_destroy(&reducer);
    desc.width = limit;
    assert_ok(qp_reducer_create(context, &desc, &reducer));
    qp_reducer_destroy(&reducer);
    desc.climb = &qp_climb_compensated;
    desc.format = QP_RGBA32F;
    assert_int_equal(qp_reducer_create(context, &desc, &reducer), QP_UNSUPPORTED);
    support_assert_sentence("RGBA32F");
    qp_reducer_destroy(&reducer);
}

GROUP(support_open_context, support_close_context)
