/* SPDX-License-Identifier: MIT */
/* Every allocation and every OpenGL object of arrays with tiles fails once: a code and a sentence,
 * nothing leaks, and the next call succeeds. */
/* wrap: faults.c */
#include "support/faults.h"
#include "support/support.h"

#include <limits.h>
#include <stdio.h>

#include "toolkit/arrays/texture_pool.h"
#include "toolkit/gl/context/context.h"

static const struct qp_array_desc wide = {.width = 5, .height = 3, .outside = QP_OUTSIDE_WRAP};

/* Makes arrays, runs a pass with windows, reduces and reads. */
static enum qp_status run_all(struct qp_context *context, struct qp_array *array[2],
                              struct qp_kernel **kernel)
{
    static int turn; /* so that no program is found compiled */
    float values[5 * 3] = {0};
    char body[160];
    struct qp_reduced sum;
    snprintf(body, sizeof body, "float kernel(vec2 here) { return x_at(-1, 1) + float(%d); }",
             turn++);
    enum qp_status status = qp_array_create(context, &wide, values, &array[0]);
    if (status == QP_OK)
        status = qp_array_create(context, &wide, NULL, &array[1]);
    if (status == QP_OK)
        status = qp_kernel_create(
            context, &(struct qp_kernel_desc){.body = body, .input = {{.name = "x", .reach = 1}}},
            kernel);
    if (status == QP_OK)
        status = qp_pass_run(
            &(struct qp_pass){.kernel = *kernel, .input = {{"x", array[0]}}, .output = {array[1]}});
    if (status == QP_OK)
        status = qp_array_reduce(array[1], QP_REDUCE_SUM, &sum);
    return status == QP_OK ? qp_array_read(array[1], NULL, values, 0) : status;
}

enum { WARM_UP = -1 /* in place of a number: tables are made that stay */ };

static enum qp_status play(struct qp_context *context, enum fault fault, int number)
{
    struct qp_array *array[2] = {NULL};
    struct qp_kernel *kernel = NULL;
    qp_texture_pool_clear(context);
    const long before = faults_live_blocks();
    const size_t programs = qp_context_counters(context).kept_objects;
    faults_arm(fault, number == WARM_UP ? INT_MAX : number);
    const enum qp_status status = run_all(context, array, &kernel);
    qp_kernel_destroy(&kernel);
    for (int i = 0; i < 2; i++)
        qp_array_destroy(&array[i]);
    qp_texture_pool_clear(context);
    faults_disarm();
    support_check_clean((void *[]){context});
    /* A program that was linked is kept: itself, and its texts. */
    const long kept = 4 * (long)(qp_context_counters(context).kept_objects - programs);
    if (number != WARM_UP && faults_live_blocks() > before + kept)
        fail_msg("fault %d (%s): %ld blocks leak", number, faults_struck(),
                 faults_live_blocks() - before - kept);
    return status;
}

static bool is_right(enum qp_status status)
{
    return faults_ran_out() ? status == QP_NO_MEMORY
                            : status == QP_DEVICE || status == QP_UNSUPPORTED;
}

/* A fault where an object is kept anyway, as a texture on the pool, is none; all others are
 * reported. */
static int each(struct qp_context *context, enum fault fault)
{
    const int limit = context->device.rectangle_limit;
    int told = 0;
    context->device.rectangle_limit = 4;
    assert_ok(play(context, fault, WARM_UP));
    assert_ok(play(context, fault, INT_MAX));
    const int requests = faults_disarm();
    for (int k = 1; k <= requests; k++) {
        const enum qp_status status = play(context, fault, k);
        const bool struck = faults_struck() != NULL;
        faults_disarm();
        if (struck && (status != QP_OK || fault == FAULT_ERROR) &&
            !(is_right(status) && qp_error()[0] != '\0'))
            fail_msg("fault %d: code %d and '%s'", k, (int)status, qp_error());
        told += status != QP_OK;
        assert_ok(play(context, fault, INT_MAX));
        faults_disarm();
    }
    context->device.rectangle_limit = limit;
    return told;
}

CLEAN_TEST(every_allocation)
{
    assert_true(each(support_need_context(state), FAULT_MEMORY) >= 24);
}

CLEAN_TEST(every_gl_object)
{
    assert_true(each(support_need_context(state), FAULT_GL) >= 24);
}

CLEAN_TEST(every_error)
{
    assert_true(each(support_need_context(state), FAULT_ERROR) >= 5);
}

/* On tiles as large as the device allows: windows are that large at most, however reaches follow
 * each other. */
CLEAN_TEST(windows_are_no_larger_than_tiles)
{
    enum { LIMIT = 16 };
    const struct qp_array_desc desc = {.width = 50, .height = 37};
    struct qp_context *context = support_need_context(state);
    const int limit = context->device.rectangle_limit;
    struct qp_array *x, *y, *out;
    struct qp_kernel *kernel;
    context->device.rectangle_limit = LIMIT;
    assert_ok(qp_array_create(context, &desc, NULL, &x));
    assert_ok(qp_array_create(context, &desc, NULL, &y));
    assert_ok(qp_array_create(context, &desc, NULL, &out));
    assert_ok(qp_kernel_create(
        context,
        &(struct qp_kernel_desc){
            .body = "float kernel(vec2 here) { return x_at(-3, 3) + y_at(1, -1); }",
            .input = {{.name = "x", .reach = 3}, {.name = "y", .reach = 1}}},
        &kernel));
    qp_texture_pool_clear(context);
    faults_arm(FAULT_GL, INT_MAX);
    assert_ok(qp_pass_run(
        &(struct qp_pass){.kernel = kernel, .input = {{"x", x}, {"y", y}}, .output = {out}}));
    faults_disarm();
    assert_in_range(faults_largest(), 2 * 3 + 1, LIMIT);
    qp_kernel_destroy(&kernel);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
    qp_array_destroy(&out);
    context->device.rectangle_limit = limit;
}

/* Blocks that a context leaves which is destroyed before its array. */
static long blocks_left(void)
{
    const long before = faults_live_blocks();
    struct qp_context *own;
    struct qp_array *array;
    assert_ok(qp_context_create(NULL, &own));
    own->device.rectangle_limit = 4;
    assert_ok(qp_array_create(own, &wide, NULL, &array));
    qp_context_destroy(&own);
    return faults_live_blocks() - before;
}

CLEAN_TEST(tiles_go_with_their_context)
{
    support_need_context(state);
    blocks_left(); /* makes tables that stay */
    assert_int_equal(blocks_left(), 0);
}

GROUP(faults_open_context, support_close_context)
