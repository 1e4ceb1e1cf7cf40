/* SPDX-License-Identifier: MIT */
/* Reduction by passes against exact sums, at every awkward size, inside larger textures whose
 * surroundings are NaN: one texel too many and the answer is NaN. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "exact.h"
#include "ops/reducer.h"

static const struct qp_climb *const climbs[] = {&qp_climb_tree, &qp_climb_tree_2x2,
                                                &qp_climb_tree_8x8, &qp_climb_compensated};
static const enum qp_format formats[] = {QP_LUMINANCE32F, QP_R32F, QP_RGBA32F};
static const GLenum targets[] = {GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_2D};

/* Two width x height inputs, X and Y texels from the near corner of their textures and REST from
 * the far one. */
enum { X = 3, Y = 1, REST = 2 };

struct bench {
    struct qp_context *context;
    GLenum target;
    enum qp_format format;
    int width, height, channels;
    float *texels[2]; /* of a whole texture */
    struct qp_texture texture[2];
};

/* Value `i` of an input, channel after channel, texel after texel, row after row. */
static float *value_at(const struct bench *bench, int input, int i)
{
    int row = bench->width * bench->channels;
    int texel = (Y + i / row) * (X + bench->width + REST) + X;
    return bench->texels[input] + texel * bench->channels + i % row;
}

static int values(const struct bench *bench)
{
    return bench->width * bench->height * bench->channels;
}

static void fill(struct bench *bench, int input, uint64_t seed)
{
    int all_x = X + bench->width + REST, all_y = Y + bench->height + REST;
    size_t floats = (size_t)(all_x * all_y * bench->channels);
    bench->texels[input] = qp_alloc_floats(floats, "a test's texels");
    assert_non_null(bench->texels[input]);
    for (size_t i = 0; i < floats; i++)
        bench->texels[input][i] = NAN;
    for (int i = 0; i < values(bench); i++)
        *value_at(bench, input, i) = (float)qp_random(&seed, -8.0, 2.0);
    assert_ok(qp_texture_create(bench->context, bench->target, bench->format, all_x, all_y,
                                bench->texels[input], &bench->texture[input]));
}

/* Values of both signs, the largest ones negative. */
static void open_bench(struct qp_context *context, GLenum target, enum qp_format format, int width,
                       int height, struct bench *bench)
{
    *bench = (struct bench){.context = context,
                            .target = target,
                            .format = format,
                            .width = width,
                            .height = height,
                            .channels = qp_format_channels(format)};
    fill(bench, 0, (uint64_t)width * 10007 + (uint64_t)height);
    fill(bench, 1, (uint64_t)width * 30011 + (uint64_t)height);
}

static void close_bench(struct bench *bench)
{
    for (int i = 0; i < 2; i++) {
        qp_texture_destroy(&bench->texture[i]);
        free(bench->texels[i]);
    }
}

/* The first input's values have changed. */
static void renew(struct bench *bench)
{
    assert_ok(qp_texture_upload(&bench->texture[0], bench->texels[0]));
}

static bool can(const struct bench *bench, const struct qp_climb *climb,
                enum qp_reduction reduction)
{
    bool precise = qp_context_device(bench->context)->abilities & QP_CAN_PRECISE;
    return qp_climb_first(climb, reduction, bench->format) != NULL && (precise || !climb->pairs);
}

/* ---- Answers ---- */

struct answer {
    double part[3]; /* value, column, row */
};

static struct answer run(struct bench *bench, struct qp_reducer *reducer)
{
    size_t before = qp_context_counters(bench->context).bytes_read;
    struct qp_region region = {.x = &bench->texture[0],
                               .y = reducer->reduction == QP_DOT ? &bench->texture[1] : NULL,
                               .left = X,
                               .bottom = Y,
                               .width = bench->width,
                               .height = bench->height};
    struct answer answer;
    assert_ok(qp_reducer_draw(reducer, &region));
    assert_ok(qp_reducer_read(reducer, answer.part));
    size_t bytes = qp_context_counters(bench->context).bytes_read - before;
    bool one_value = reducer->climb->pairs || reducer->reduction == QP_INDEX;
    assert_int_equal(bytes, sizeof(float) * (size_t)(one_value ? 4 : bench->channels));
    return answer;
}

/* Reads back one texel, no more, whatever the size. Twice, because what a run leaves behind must
 * not count. */
static struct answer reduce(struct bench *bench, const struct qp_climb *climb,
                            enum qp_reduction reduction)
{
    struct qp_reducer_desc desc = {climb,        reduction,     bench->target, bench->format,
                                   bench->width, bench->height, false};
    struct qp_reducer reducer;
    assert_ok(qp_reducer_create(bench->context, &desc, &reducer));
    struct answer first = run(bench, &reducer), again = run(bench, &reducer);
    assert_memory_equal(&first, &again, sizeof first);
    qp_reducer_destroy(&reducer);
    return first;
}

static struct exact exact_sum(const struct bench *bench, enum qp_reduction reduction)
{
    struct exact sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < values(bench); i++) {
        double x = *value_at(bench, 0, i), y = *value_at(bench, 1, i);
        exact_add(&sum, reduction == QP_SUM ? x : reduction == QP_DOT ? x * y : x * x);
    }
    return sum;
}

/* The bounds that reducer.h states, before the answer's rounding to float: here it is a double. */
static double bound(const struct bench *bench, const struct qp_climb *climb, double magnitude)
{
    int passes = 0, side = bench->width > bench->height ? bench->width : bench->height;
    for (int reach = 1; reach < side; reach *= climb->fan)
        passes++;
    double h = passes * 2.0 * log2(climb->fan), u = 0x1p-24, all = (h + 1.0) * u;
    return (climb->pairs ? 2.0 * (h + 2.0) * (h + 2.0) * u * u : all / (1.0 - all)) * magnitude;
}

static void check_sum(struct bench *bench, const struct qp_climb *climb,
                      enum qp_reduction reduction)
{
    struct exact sum = exact_sum(bench, reduction);
    double got = reduce(bench, climb, reduction).part[0];
    double error = exact_distance(&sum, got), most = bound(bench, climb, sum.magnitude);
    if (!(error <= most))
        fail_msg("%s, %d x %d of %s: %.17g should be %.17g, off by %.3g of %.3g",
                 climb->next[reduction], bench->width, bench->height, qp_format_name(bench->format),
                 got, sum.high, error, most);
}

/* The place of the largest magnitude; of equal ones and of NaNs the first. */
static int largest(const struct bench *bench)
{
    int place = 0;
    for (int i = 1; i < values(bench); i++) {
        float most = *value_at(bench, 0, place), value = *value_at(bench, 0, i);
        if (!isnan(most) && (isnan(value) || fabsf(value) > fabsf(most)))
            place = i;
    }
    return place;
}

static void check_maximum(struct bench *bench)
{
    int place = largest(bench), row = bench->width * bench->channels;
    struct answer found = reduce(bench, &qp_climb_tree, QP_INDEX);
    double most = fabsf(*value_at(bench, 0, place));
    double alone = reduce(bench, &qp_climb_tree, QP_MAX_MAGNITUDE).part[0];
    assert_true(isnan(most) ? isnan(alone) && isnan(found.part[0])
                            : alone == most && found.part[0] == most);
    if (found.part[1] != place % row || found.part[2] != place / row)
        fail_msg("%d x %d of %s: (%g, %g) should be (%d, %d)", bench->width, bench->height,
                 qp_format_name(bench->format), found.part[1], found.part[2], place % row,
                 place / row);
}

static void check_answers(struct bench *bench)
{
    for (int k = 0; k < COUNT(climbs) * QP_MAX_MAGNITUDE; k++) {
        const struct qp_climb *climb = climbs[k / QP_MAX_MAGNITUDE];
        enum qp_reduction reduction = (enum qp_reduction)(k % QP_MAX_MAGNITUDE);
        if (can(bench, climb, reduction))
            check_sum(bench, climb, reduction);
    }
    check_maximum(bench);
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
    for (int i = 0; i < 81; i++)
        check_size(context, 1 + i % 9, 1 + i / 9);
}

/* Rows, columns, primes, powers of four and one above them. */
static void awkward_sizes(void **state)
{
    static const int sizes[][2] = {{1, 16},  {17, 1},  {1, 257},  {1021, 1}, {13, 11}, {31, 37},
                                   {64, 64}, {65, 64}, {64, 65},  {16, 17},  {127, 5}, {63, 4},
                                   {4, 256}, {257, 3}, {1023, 3}, {2048, 5}, {3, 1025}};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(sizes); i++)
        check_size(context, sizes[i][0], sizes[i][1]);
}

/* ---- NaN, infinity, zero, ties ---- */

/* A NaN is the answer of all reductions; so is infinity but where sums are compensated: NaN. */
static void check_strange(struct bench *bench, float strange)
{
    for (int k = 0; k < COUNT(climbs) * QP_INDEX; k++) {
        const struct qp_climb *climb = climbs[k / QP_INDEX];
        enum qp_reduction reduction = (enum qp_reduction)(k % QP_INDEX);
        if (!can(bench, climb, reduction))
            continue;
        double result = reduce(bench, climb, reduction).part[0];
        assert_true(isnan(strange) || climb->pairs ? isnan(result) : isinf(result));
        if (!isnan(result) && reduction == QP_SUM)
            assert_true(result == (double)strange);
    }
    check_maximum(bench);
}

/* One strange value at a time, in every place. */
static void try_each_place(struct bench *bench, float strange, int stride)
{
    for (int i = 0; i < values(bench); i += stride) {
        float before = *value_at(bench, 0, i);
        *value_at(bench, 0, i) = strange;
        renew(bench);
        check_strange(bench, strange);
        *value_at(bench, 0, i) = before;
    }
}

static void strange_values_get_through(void **state)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(formats) * COUNT(targets); i++) {
        struct bench bench;
        open_bench(context, targets[i % 2], formats[i / 2], 6, 5, &bench);
        for (int k = 0; k < COUNT(strange); k++)
            try_each_place(&bench, strange[k], 1);
        *value_at(&bench, 0, 7) = -INFINITY;
        *value_at(&bench, 0, 22) = NAN;
        renew(&bench);
        check_strange(&bench, NAN);
        *value_at(&bench, 0, 22) = INFINITY;
        renew(&bench);
        assert_true(isnan(reduce(&bench, &qp_climb_tree, QP_SUM).part[0]));
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
        try_each_place(&bench, NAN, 2 + values(&bench) / 13);
        renew(&bench);
        check_answers(&bench); /* nothing stays behind in the levels */
        close_bench(&bench);
    }
}

/* Nothing to add up, and nothing larger than nothing: the first place. */
static void zeros_give_zero(void **state)
{
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(formats); k++) {
        struct bench bench;
        open_bench(context, GL_TEXTURE_RECTANGLE_ARB, formats[k], 5, 6, &bench);
        for (int i = 0; i < values(&bench); i++)
            *value_at(&bench, 0, i) = i % 2 ? 0.0f : -0.0f;
        renew(&bench);
        check_answers(&bench);
        close_bench(&bench);
    }
}

/* Two equal magnitudes, or two NaNs, in all pairs of places: the first counts, row by row. */
static void the_first_of_equals_counts(void **state)
{
    static const float equals[] = {-9.0f, NAN};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(formats) * COUNT(equals); k++) {
        struct bench bench;
        open_bench(context, GL_TEXTURE_RECTANGLE_ARB, formats[k / 2], k < 4 ? 5 : 2, 6, &bench);
        for (int pair = 0; pair < values(&bench) * values(&bench); pair++) {
            if (pair % values(&bench) > pair / values(&bench))
                continue;
            float *a = value_at(&bench, 0, pair % values(&bench));
            float *b = value_at(&bench, 0, pair / values(&bench));
            float before[] = {*a, *b};
            *a = equals[k % 2];
            *b = -equals[k % 2];
            renew(&bench);
            check_maximum(&bench);
            *b = before[1];
            *a = before[0];
        }
        close_bench(&bench);
    }
}

/* ---- What else a reducer promises ---- */

/* The residual is drawn into the reducer's own level 0 and reduced from there. */
static void level_zero_is_a_target_and_an_input(void **state)
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
    struct qp_pass pass = {.surface = qp_reducer_surface(&reducer),
                           .width = 9,
                           .height = 6,
                           .geometry = qp_quad(0.0f, 0.0f, 9.0f, 6.0f)};
    assert_ok(qp_program_get(context, NULL, "probe/coordinates.frag", GL_TEXTURE_RECTANGLE_ARB,
                             &pass.program));
    double sum = 0.0, result[3];
    for (int i = 0; i < 9 * 6; i++)
        sum += pow(-1.25 * (i % 9 + 0.5 + 100.0 * (i / 9 + 0.5)), 2.0);
    for (int again = 0; again < 2; again++) {
        qp_pass_draw(context, &pass);
        assert_ok(qp_reducer_draw(&reducer, &region));
        assert_ok(qp_reducer_read(&reducer, result));
        assert_true(fabs(result[0] - sum) <= 9.0 * 0x1p-24 * sum);
    }
    qp_reducer_destroy(&reducer);
}

/* Channels by themselves, as four systems' residuals are. */
static void channels_stay_apart(void **state)
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
    assert_ok(
        qp_reducer_draw(&reducer, &(struct qp_region){.x = &texture, .width = 7, .height = 5}));
    assert_ok(qp_reducer_read_channels(&reducer, sum));
    for (int k = 0; k < 4; k++)
        assert_true(sum[k] == 595.0 * (k + 1)); /* 0 + 1 + ... + 34 */
    qp_reducer_destroy(&reducer);
    qp_texture_destroy(&texture);
}

/* A part of what the reducer was made for, down to one value; no more than that. */
static void regions_may_be_smaller(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_reducer_desc desc = {
        .target = GL_TEXTURE_RECTANGLE_ARB, .format = QP_R32F, .width = 40, .height = 30};
    struct qp_reducer reducer;
    struct bench bench;
    open_bench(context, desc.target, desc.format, 41, 30, &bench);
    assert_ok(qp_reducer_create(context, &desc, &reducer));
    for (int side = 1; side <= 30; side++) {
        struct qp_region region = {
            .x = &bench.texture[0], .left = X, .bottom = Y, .width = side, .height = 31 - side};
        double sum = 0.0, result[3];
        for (int i = 0; i < side * (31 - side); i++)
            sum += *value_at(&bench, 0, i / side * 41 + i % side);
        assert_ok(qp_reducer_draw(&reducer, &region));
        assert_ok(qp_reducer_read(&reducer, result));
        assert_true(fabs(result[0] - sum) <= 13.0 * 0x1p-24 * 8.0 * side * (31 - side));
    }
    struct qp_region region = {.x = &bench.texture[0], .width = 41, .height = 30};
    assert_int_equal(qp_reducer_draw(&reducer, &region), QP_BAD_USE);
    support_assert_sentence("41 x 30 texels do not fit a reducer made for 40 x 30");
    qp_reducer_destroy(&reducer);
    close_bench(&bench);
}

/* What cannot be made leaves nothing behind that destroying does not take. */
static void what_cannot_be_made(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(every_small_size),
        clean_test(awkward_sizes),
        clean_test(strange_values_get_through),
        clean_test(strange_values_get_through_all_levels),
        clean_test(zeros_give_zero),
        clean_test(the_first_of_equals_counts),
        clean_test(level_zero_is_a_target_and_an_input),
        clean_test(channels_stay_apart),
        clean_test(regions_may_be_smaller),
        clean_test(what_cannot_be_made),
    };
    return cmocka_run_group_tests_name("reduce", tests, support_open_context,
                                       support_close_context);
}
