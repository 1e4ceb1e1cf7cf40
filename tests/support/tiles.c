/* SPDX-License-Identifier: MIT */
#include "support/tiles.h"

#include <string.h>

#include "toolkit/arrays/tiled.h"
#include "toolkit/gl/context/context.h"

struct qp_array *tiles_make(struct qp_context *context, const struct qp_array_desc *desc,
                            const void *values, int limit)
{
    const int own = context->device.rectangle_limit;
    struct qp_array *array;
    context->device.rectangle_limit = limit;
    const enum qp_status status = qp_array_create(context, desc, values, &array);
    context->device.rectangle_limit = own;
    assert_ok(status);
    return array;
}

struct tiles_pair tiles_make_pair(struct qp_context *context, struct qp_array_desc desc,
                                  const void *values)
{
    const struct tiles_pair pair = {
        tiles_make(context, &desc, values, context->device.rectangle_limit),
        tiles_make(context, &desc, values, TILES_LIMIT)};
    assert_null(pair.whole->tiles);
    assert_non_null(pair.tiled->tiles);
    return pair;
}

void tiles_destroy_pair(const struct tiles_pair *pair)
{
    struct tiles_pair gone = *pair;
    qp_array_destroy(&gone.whole);
    qp_array_destroy(&gone.tiled);
}

struct qp_array_desc tiles_grid(enum qp_outside outside)
{
    return (struct qp_array_desc){
        .width = TILES_WIDTH, .height = TILES_HEIGHT, .outside = outside, .value = -3.3};
}

static size_t bytes_of(const struct qp_array_desc *desc)
{
    return (size_t)desc->width * (size_t)desc->height * (size_t)desc->channels *
           (desc->type == QP_ARRAY_DOUBLE ? sizeof(double) : sizeof(float));
}

void tiles_expect_same(const struct tiles_pair *pair, const char *what)
{
    static unsigned char whole[TILES_BYTES], tiled[TILES_BYTES];
    const struct qp_array_desc desc = qp_array_describe(pair->tiled);
    const size_t bytes = bytes_of(&desc), cell = bytes / (size_t)(desc.width * desc.height);
    assert_true(bytes <= TILES_BYTES);
    assert_ok(qp_array_read(pair->whole, NULL, whole, 0));
    assert_ok(qp_array_read(pair->tiled, NULL, tiled, 0));
    for (size_t i = 0; i < bytes; i++) {
        if (whole[i] != tiled[i])
            fail_msg("%s: cell (%zu, %zu) of %d x %d differs", what, i / cell % (size_t)desc.width,
                     i / cell / (size_t)desc.width, desc.width, desc.height);
    }
}

void tiles_fill(float *values, int count, int seed)
{
    for (int i = 0; i < count; i++)
        values[i] = (float)((i * 7919 + seed) % 1009) / 8.0f - 50.0f;
}

void tiles_run(struct qp_pass pass, const struct tiles_pair *input, int inputs,
               const struct tiles_pair *output, int outputs)
{
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < inputs; i++)
            pass.input[i].array = turn ? input[i].tiled : input[i].whole;
        for (int i = 0; i < outputs; i++)
            pass.output[i] = turn ? output[i].tiled : output[i].whole;
        assert_ok(qp_pass_run(&pass));
    }
}

const struct tiles_kind tiles_kinds[] = {
    {QP_ARRAY_FLOAT, 1, 4}, {QP_ARRAY_FLOAT, 2, 8},  {QP_ARRAY_FLOAT, 4, 16},
    {QP_ARRAY_HALF, 1, 4},  {QP_ARRAY_HALF, 4, 16},  {QP_ARRAY_INT, 1, 4},
    {QP_ARRAY_UINT, 2, 8},  {QP_ARRAY_DOUBLE, 1, 8}, {QP_ARRAY_DOUBLE, 2, 16}};

bool tiles_has(const struct qp_context *context, const struct tiles_kind *kind)
{
    return kind->type != QP_ARRAY_DOUBLE ||
           (qp_context_device(context)->abilities & QP_CAN_DOUBLE) != 0;
}

void tiles_fill_kind(const struct tiles_kind *kind, void *values, int seed, int most)
{
    for (int i = 0; i < TILES_CELLS * kind->channels; i++) {
        const int number = (i * 37 + seed) % most + 1;
        if (kind->type == QP_ARRAY_DOUBLE)
            ((double *)values)[i] = number;
        else if (kind->type > QP_ARRAY_HALF)
            ((int32_t *)values)[i] = number;
        else
            ((float *)values)[i] = (float)number;
    }
}
