/* SPDX-License-Identifier: MIT */
#include "support/pyramid.h"

#include <math.h>
#include <stdlib.h>

#include "support/exact.h"
#include "toolkit/base/random.h"
#include "toolkit/base/status.h"

const struct qp_climb *const pyramid_climbs[] = {&qp_climb_tree, &qp_climb_tree_2x2,
                                                 &qp_climb_tree_8x8, &qp_climb_compensated};
const enum qp_format pyramid_formats[] = {QP_LUMINANCE32F, QP_R32F, QP_RGBA32F};
const GLenum pyramid_targets[] = {GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_2D};

/* Texels from the far corner. */
enum { REST = 2 };

float *pyramid_value(const struct inputs *inputs, int input, int i)
{
    int row = inputs->width * inputs->channels;
    int texel = (PYRAMID_BOTTOM + i / row) * (PYRAMID_LEFT + inputs->width + REST) + PYRAMID_LEFT;
    return inputs->texels[input] + texel * inputs->channels + i % row;
}

int pyramid_values(const struct inputs *inputs)
{
    return inputs->width * inputs->height * inputs->channels;
}

static void fill(struct inputs *inputs, int input, uint64_t seed)
{
    int all_x = PYRAMID_LEFT + inputs->width + REST, all_y = PYRAMID_BOTTOM + inputs->height + REST;
    size_t floats = (size_t)(all_x * all_y * inputs->channels);
    inputs->texels[input] = qp_alloc_floats(floats, "a test's texels");
    assert_non_null(inputs->texels[input]);
    for (size_t i = 0; i < floats; i++)
        inputs->texels[input][i] = NAN;
    for (int i = 0; i < pyramid_values(inputs); i++)
        *pyramid_value(inputs, input, i) = (float)qp_random(&seed, -8.0, 2.0);
    assert_ok(qp_texture_create(inputs->context, inputs->target, inputs->format, all_x, all_y,
                                inputs->texels[input], &inputs->texture[input]));
}

void pyramid_open(struct qp_context *context, GLenum target, enum qp_format format, int width,
                  int height, struct inputs *inputs)
{
    *inputs = (struct inputs){.context = context,
                              .target = target,
                              .format = format,
                              .width = width,
                              .height = height,
                              .channels = qp_format_channels(format)};
    fill(inputs, 0, (uint64_t)width * 10007 + (uint64_t)height);
    fill(inputs, 1, (uint64_t)width * 30011 + (uint64_t)height);
}

void pyramid_close(struct inputs *inputs)
{
    for (int i = 0; i < 2; i++) {
        qp_texture_destroy(&inputs->texture[i]);
        free(inputs->texels[i]);
    }
}

void pyramid_renew(struct inputs *inputs)
{
    assert_ok(qp_texture_upload(&inputs->texture[0], inputs->texels[0]));
}

bool pyramid_can(const struct inputs *inputs, const struct qp_climb *climb,
                 enum qp_reduction_kind reduction)
{
    bool precise = qp_context_device(inputs->context)->abilities & QP_CAN_PRECISE;
    return qp_climb_first(climb, reduction, inputs->format) != NULL && (precise || !climb->pairs);
}

/* ---- Answers ---- */

enum qp_status pyramid_draw(struct qp_reducer *reducer, const struct qp_region *region)
{
    struct qp_passes *to = qp_passes_of(reducer->context);
    assert_non_null(to);
    qp_reducer_list(reducer, region, to);
    return qp_passes_run(reducer->context, to);
}

static struct answer run(struct inputs *inputs, struct qp_reducer *reducer)
{
    size_t before = qp_context_counters(inputs->context).bytes_read;
    struct qp_region region = {.x = &inputs->texture[0],
                               .y = reducer->reduction == QP_DOT ? &inputs->texture[1] : NULL,
                               .left = PYRAMID_LEFT,
                               .bottom = PYRAMID_BOTTOM,
                               .width = inputs->width,
                               .height = inputs->height};
    struct answer answer;
    assert_ok(pyramid_draw(reducer, &region));
    assert_ok(qp_reducer_read(reducer, answer.part));
    size_t bytes = qp_context_counters(inputs->context).bytes_read - before;
    bool one_value = reducer->climb->pairs || reducer->reduction == QP_INDEX;
    assert_int_equal(bytes, sizeof(float) * (size_t)(one_value ? 4 : inputs->channels));
    return answer;
}

struct answer pyramid_reduce(struct inputs *inputs, const struct qp_climb *climb,
                             enum qp_reduction_kind reduction)
{
    struct qp_reducer_desc desc = {climb,         reduction,      inputs->target, inputs->format,
                                   inputs->width, inputs->height, false};
    struct qp_reducer reducer;
    assert_ok(qp_reducer_create(inputs->context, &desc, &reducer));
    struct answer first = run(inputs, &reducer), again = run(inputs, &reducer);
    assert_memory_equal(&first, &again, sizeof first);
    qp_reducer_destroy(&reducer);
    return first;
}

static struct exact exact_sum(const struct inputs *inputs, enum qp_reduction_kind reduction)
{
    struct exact sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < pyramid_values(inputs); i++) {
        double x = *pyramid_value(inputs, 0, i), y = *pyramid_value(inputs, 1, i);
        exact_add(&sum, reduction == QP_SUM ? x : reduction == QP_DOT ? x * y : x * x);
    }
    return sum;
}

/* The bounds that reducer.h states, before the answer's rounding to float: here it is a double. */
static double bound(const struct inputs *inputs, const struct qp_climb *climb, double magnitude)
{
    int passes = 0, side = inputs->width > inputs->height ? inputs->width : inputs->height;
    for (int reach = 1; reach < side; reach *= climb->fan)
        passes++;
    double h = passes * 2.0 * log2(climb->fan), u = 0x1p-24, all = (h + 1.0) * u;
    return (climb->pairs ? 2.0 * (h + 2.0) * (h + 2.0) * u * u : all / (1.0 - all)) * magnitude;
}

static void check_sum(struct inputs *inputs, const struct qp_climb *climb,
                      enum qp_reduction_kind reduction)
{
    struct exact sum = exact_sum(inputs, reduction);
    double got = pyramid_reduce(inputs, climb, reduction).part[0];
    double error = exact_distance(&sum, got), most = bound(inputs, climb, sum.magnitude);
    if (!(error <= most))
        fail_msg("%s, %d x %d of %s: %.17g should be %.17g, off by %.3g of %.3g",
                 climb->next[reduction], inputs->width, inputs->height,
                 qp_format_name(inputs->format), got, sum.high, error, most);
}

/* The place of the largest magnitude; of equal ones and of NaNs the first. */
static int largest(const struct inputs *inputs)
{
    int place = 0;
    for (int i = 1; i < pyramid_values(inputs); i++) {
        float most = *pyramid_value(inputs, 0, place), value = *pyramid_value(inputs, 0, i);
        if (!isnan(most) && (isnan(value) || fabsf(value) > fabsf(most)))
            place = i;
    }
    return place;
}

void pyramid_check_largest(struct inputs *inputs)
{
    int place = largest(inputs), row = inputs->width * inputs->channels;
    struct answer found = pyramid_reduce(inputs, &qp_climb_tree, QP_INDEX);
    double most = fabsf(*pyramid_value(inputs, 0, place));
    double alone = pyramid_reduce(inputs, &qp_climb_tree, QP_MAX_MAGNITUDE).part[0];
    assert_true(isnan(most) ? isnan(alone) && isnan(found.part[0])
                            : alone == most && found.part[0] == most);
    if (found.part[1] != place % row || found.part[2] != place / row)
        fail_msg("%d x %d of %s: (%g, %g) should be (%d, %d)", inputs->width, inputs->height,
                 qp_format_name(inputs->format), found.part[1], found.part[2], place % row,
                 place / row);
}

void pyramid_check(struct inputs *inputs)
{
    for (int k = 0; k < COUNT(pyramid_climbs) * QP_MAX_MAGNITUDE; k++) {
        const struct qp_climb *climb = pyramid_climbs[k / QP_MAX_MAGNITUDE];
        enum qp_reduction_kind reduction = (enum qp_reduction_kind)(k % QP_MAX_MAGNITUDE);
        if (pyramid_can(inputs, climb, reduction))
            check_sum(inputs, climb, reduction);
    }
    pyramid_check_largest(inputs);
}
