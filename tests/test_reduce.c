/* SPDX-License-Identifier: MIT */
/* Reduction by passes against sums in double, at every awkward size, inside larger textures whose
 * surroundings are NaN: one texel too many and the answer is NaN. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/status.h"
#include "ops/reduce_gl.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

static const enum qp_reduction both[] = {QP_SUM_OF_SQUARES, QP_MAX_MAGNITUDE};
static const enum qp_format formats[] = {QP_LUMINANCE32F, QP_R32F, QP_RGBA32F};
static const GLenum targets[] = {GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_2D};

/* A width x height input, X and Y texels from the near corner of its texture and REST from the far
 * one, and its reducer. */
enum { X = 3, Y = 1, REST = 2 };

struct bench {
    int width, height, channels;
    float *texels; /* of the whole texture */
    struct qp_texture texture;
    struct qp_reducer reducer;
};

/* Value `i` of the input, channel after channel, texel after texel, row after row. */
static float *value_at(const struct bench *bench, int i)
{
    int row = bench->width * bench->channels;
    int texel = (Y + i / row) * (X + bench->width + REST) + X;
    return bench->texels + texel * bench->channels + i % row;
}

static int values(const struct bench *bench)
{
    return bench->width * bench->height * bench->channels;
}

/* Values of both signs, the largest ones negative. */
static void open_bench(struct qp_context *context, GLenum target, enum qp_format format, int width,
                       int height, struct bench *bench)
{
    int all_x = X + width + REST, all_y = Y + height + REST, channels = qp_format_channels(format);
    uint64_t seed = (uint64_t)width * 10007 + (uint64_t)height;
    *bench = (struct bench){.width = width, .height = height, .channels = channels};
    bench->texels = qp_alloc_floats((size_t)(all_x * all_y * channels), "a test's texels");
    assert_non_null(bench->texels);
    for (int i = 0; i < all_x * all_y * channels; i++)
        bench->texels[i] = NAN;
    for (int i = 0; i < values(bench); i++)
        *value_at(bench, i) = (float)qp_random(&seed, -8.0, 2.0);
    assert_ok(
        qp_texture_create(context, target, format, all_x, all_y, bench->texels, &bench->texture));
    assert_ok(qp_reducer_create(context, target, format, width, height, &bench->reducer));
}

static void close_bench(struct bench *bench)
{
    qp_reducer_destroy(&bench->reducer);
    qp_texture_destroy(&bench->texture);
    free(bench->texels);
}

/* Reads back one texel, no more, whatever the size. */
static double reduce(struct bench *bench, enum qp_reduction reduction)
{
    const struct qp_context *context = bench->reducer.context;
    size_t before = qp_context_counters(context).bytes_read;
    double result = -1.0;
    assert_ok(qp_reducer_run(&bench->reducer, reduction, &bench->texture, X, Y, &result));
    size_t bytes = qp_context_counters(context).bytes_read - before;
    assert_int_equal(bytes, sizeof(float) * (size_t)bench->channels);
    return result;
}

/* Both answers in double, the sum twice, because what a run leaves behind must not count; its bound
 * is the one stated in reduce_gl.h. */
static void check_answers(struct bench *bench)
{
    double sum = 0.0, largest = 0.0;
    int levels = 0, side = bench->width > bench->height ? bench->width : bench->height;
    for (int reach = 1; reach < side; reach *= 4)
        levels++;
    for (int i = 0; i < values(bench); i++) {
        double value = *value_at(bench, i);
        sum += value * value;
        largest = fmax(largest, fabs(value));
    }
    assert_true(fabs(reduce(bench, QP_SUM_OF_SQUARES) - sum) <= (4 * levels + 3) * 0x1p-24 * sum);
    assert_true(reduce(bench, QP_MAX_MAGNITUDE) == largest);
    assert_true(fabs(reduce(bench, QP_SUM_OF_SQUARES) - sum) <= (4 * levels + 3) * 0x1p-24 * sum);
}

static void check_size(struct qp_context *context, int width, int height)
{
    for (int i = 0; i < COUNT(formats) * COUNT(targets); i++) {
        struct bench bench;
        open_bench(context, targets[i % 2], formats[i / 2], width, height, &bench);
        check_answers(&bench);
        close_bench(&bench);
    }
}

static void every_small_size(void **state)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < 25; i++)
        check_size(context, 1 + i % 5, 1 + i / 5);
}

/* Rows, columns, primes, powers of four and one above them. */
static void awkward_sizes(void **state)
{
    static const int sizes[][2] = {{1, 7},    {7, 1},    {1, 16},   {17, 1},  {1, 257},
                                   {1021, 1}, {13, 11},  {31, 37},  {64, 64}, {65, 64},
                                   {64, 65},  {16, 17},  {127, 5},  {63, 4},  {4, 256},
                                   {257, 3},  {1023, 3}, {2048, 5}, {3, 1025}};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(sizes); i++)
        check_size(context, sizes[i][0], sizes[i][1]);
}

/* One strange value at a time, in every place. */
static void try_each_place(struct bench *bench, float strange)
{
    for (int i = 0; i < values(bench); i++) {
        float before = *value_at(bench, i);
        *value_at(bench, i) = strange;
        assert_ok(qp_texture_upload(&bench->texture, bench->texels));
        for (int k = 0; k < COUNT(both); k++) {
            double result = reduce(bench, both[k]);
            assert_true(isnan(strange) ? isnan(result) : result == INFINITY);
        }
        *value_at(bench, i) = before;
    }
}

/* A NaN anywhere is the answer, next to an infinity too; else infinity is, of either sign. */
static void strange_values_get_through(void **state)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(formats) * COUNT(targets); i++) {
        struct bench bench;
        open_bench(context, targets[i % 2], formats[i / 2], 6, 5, &bench);
        for (int k = 0; k < COUNT(strange); k++)
            try_each_place(&bench, strange[k]);
        *value_at(&bench, 7) = -INFINITY;
        *value_at(&bench, 22) = NAN;
        assert_ok(qp_texture_upload(&bench.texture, bench.texels));
        assert_true(isnan(reduce(&bench, QP_SUM_OF_SQUARES)) &&
                    isnan(reduce(&bench, QP_MAX_MAGNITUDE)));
        close_bench(&bench);
    }
}

/* In a large input the strange value has further to go, through every level. */
static void strange_values_get_through_all_levels(void **state)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(formats) * COUNT(targets); i++) {
        struct bench bench;
        open_bench(context, targets[i % 2], formats[i / 2], 257, 66, &bench);
        for (int place = 0; place < values(&bench); place += 2 + values(&bench) / 13) {
            float before = *value_at(&bench, place);
            *value_at(&bench, place) = NAN;
            assert_ok(qp_texture_upload(&bench.texture, bench.texels));
            assert_true(isnan(reduce(&bench, QP_SUM_OF_SQUARES)));
            assert_true(isnan(reduce(&bench, QP_MAX_MAGNITUDE)));
            *value_at(&bench, place) = before;
        }
        assert_ok(qp_texture_upload(&bench.texture, bench.texels));
        check_answers(&bench); /* nothing stays behind in the levels */
        close_bench(&bench);
    }
}

/* Nothing to add up, and nothing larger than nothing. */
static void zeros_give_zero(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct bench bench;
    open_bench(context, GL_TEXTURE_RECTANGLE_ARB, QP_RGBA32F, 5, 6, &bench);
    for (int i = 0; i < values(&bench); i++)
        *value_at(&bench, i) = i % 2 ? 0.0f : -0.0f;
    assert_ok(qp_texture_upload(&bench.texture, bench.texels));
    assert_true(reduce(&bench, QP_SUM_OF_SQUARES) == 0.0 &&
                reduce(&bench, QP_MAX_MAGNITUDE) == 0.0);
    close_bench(&bench);
}

/* The residual is drawn into the reducer's own level 0 and reduced from there. */
static void level_zero_is_a_target_and_an_input(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct bench bench;
    open_bench(context, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, 9, 6, &bench);
    struct qp_pass pass = {.surface = qp_reducer_surface(&bench.reducer),
                           .width = 9,
                           .height = 6,
                           .geometry = qp_quad(0.0f, 0.0f, 9.0f, 6.0f)};
    assert_ok(qp_program_get(context, NULL, "probe/coordinates.frag", GL_TEXTURE_RECTANGLE_ARB,
                             &pass.program));
    double sum = 0.0, result = NAN;
    for (int i = 0; i < 9 * 6; i++)
        sum += pow(-1.25 * (i % 9 + 0.5 + 100.0 * (i / 9 + 0.5)), 2.0);
    for (int again = 0; again < 2; again++) {
        qp_pass_draw(context, &pass);
        assert_ok(qp_reducer_run(&bench.reducer, QP_MAX_MAGNITUDE, &bench.reducer.texture[0], 0, 0,
                                 &result));
        assert_true(result == 1.25 * (8.5 + 100.0 * 5.5));
        assert_ok(qp_reducer_run(&bench.reducer, QP_SUM_OF_SQUARES, &bench.reducer.texture[0], 0, 0,
                                 &result));
        assert_true(fabs(result - sum) <= 11.0 * 0x1p-24 * sum);
    }
    close_bench(&bench);
}

/* What cannot be made leaves nothing behind that destroying does not take. */
static void above_the_limit(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_reducer reducer;
    int limit = qp_context_device(context)->rectangle_limit;
    assert_int_equal(
        qp_reducer_create(context, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, limit + 1, 1, &reducer),
        QP_UNSUPPORTED);
    qp_reducer_destroy(&reducer);
    qp_reducer_destroy(&reducer);
    assert_ok(qp_reducer_create(context, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, limit, 1, &reducer));
    qp_reducer_destroy(&reducer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(every_small_size),
        clean_test(awkward_sizes),
        clean_test(strange_values_get_through),
        clean_test(strange_values_get_through_all_levels),
        clean_test(zeros_give_zero),
        clean_test(level_zero_is_a_target_and_an_input),
        clean_test(above_the_limit),
    };
    return cmocka_run_group_tests_name("reduce", tests, support_open_context,
                                       support_close_context);
}
