/* SPDX-License-Identifier: MIT */
/* Every allocation and every OpenGL object of kernels, masks, depths, passes and lists fails once:
 * a code and a sentence, nothing leaks, and the next call succeeds. */
/* wrap: faults.c */
#include "support/faults.h"
#include "support/support.h"

#include <limits.h>
#include <stdio.h>

#include "toolkit/arrays/texture_pool.h"

static const struct qp_array_desc small = {.width = 5, .height = 3};

static bool computes; /* the kernel is a compute shader */
static int turn;      /* so that no program is found compiled */

/* Objects that passes need. */
struct things {
    struct qp_array *array[3];
    struct qp_kernel *kernel;
    struct qp_mask *mask;
    struct qp_depth *depth;
    struct qp_list *list;
};

/* A mask of the first array, which is set again, and a depth. */
static enum qp_status make_tests(struct qp_context *context, struct things *t)
{
    enum qp_status status = qp_mask_create(context, small.width, small.height, &t->mask);
    for (int i = 0; i < 2 && status == QP_OK; i++)
        status = qp_mask_set(t->mask, t->array[0]);
    if (status == QP_OK)
        status = qp_depth_create(context, small.width, small.height, QP_DEPTH_FARTHEST, &t->depth);
    return status == QP_OK ? qp_depth_clear(t->depth) : status;
}

/* Makes them, and runs a pass by itself and in a list. */
static enum qp_status run_all(struct qp_context *context, struct things *t)
{
    char text[256];
    snprintf(text, sizeof text,
             computes ? "uniform sampler2DRect x;\nuniform float a;\nvoid main()\n{\n"
                        "    imageStore(out0, ivec2(0), texelFetch(x, ivec2(0)) + a);\n"
                        "    imageStore(out1, ivec2(0), vec4(%d));\n}\n"
                      : "void kernel(vec2 here) { out0 = x_at(0, 0) + a; out1 = float(%d); }",
             turn++);
    enum qp_status status = QP_OK;
    for (int i = 0; i < 3 && status == QP_OK; i++)
        status = qp_array_create(context, &small, NULL, &t->array[i]);
    if (status == QP_OK)
        status = qp_kernel_create(context,
                                  &(struct qp_kernel_desc){.body = computes ? NULL : text,
                                                           .compute = {computes ? text : NULL},
                                                           .input = {{.name = "x"}},
                                                           .number = {{.name = "a"}},
                                                           .outputs = 2},
                                  &t->kernel);
    if (status == QP_OK)
        status = make_tests(context, t);
    struct qp_pass pass = {.kernel = t->kernel,
                           .input = {{"x", t->array[0]}},
                           .number = {{.name = "a", .value = {2.0}}},
                           .output = {t->array[1], t->array[2]},
                           .mask = computes ? NULL : t->mask};
    if (status == QP_OK)
        status = qp_pass_run(&pass);
    pass.mask = NULL;
    pass.depth = computes ? NULL : t->depth;
    if (status == QP_OK)
        status = qp_list_create(&pass, 1, &t->list);
    if (status == QP_OK)
        status = qp_list_run(t->list, 2);
    return status == QP_OK ? qp_context_finish(context) : status;
}

enum { WARM_UP = -1 /* in place of a number: tables are made that stay */ };

static enum qp_status play(struct qp_context *context, enum fault fault, int number)
{
    struct things t = {.kernel = NULL};
    qp_texture_pool_clear(context);
    const long before = faults_live_blocks();
    const size_t programs = qp_context_counters(context).kept_objects;
    faults_arm(fault, number == WARM_UP ? INT_MAX : number);
    const enum qp_status status = run_all(context, &t);
    qp_list_destroy(&t.list);
    qp_mask_destroy(&t.mask);
    qp_depth_destroy(&t.depth);
    qp_kernel_destroy(&t.kernel);
    for (int i = 0; i < 3; i++)
        qp_array_destroy(&t.array[i]);
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

static int each(struct qp_context *context, enum fault fault)
{
    assert_ok(play(context, fault, WARM_UP));
    assert_ok(play(context, fault, INT_MAX));
    const int requests = faults_disarm();
    for (int k = 1; k <= requests; k++) {
        const enum qp_status status = play(context, fault, k);
        const bool struck = faults_struck() != NULL;
        faults_disarm();
        if (struck && !(is_right(status) && qp_error()[0] != '\0'))
            fail_msg("fault %d: code %d and '%s'", k, (int)status, qp_error());
        assert_ok(play(context, fault, INT_MAX));
        faults_disarm();
    }
    return requests;
}

CLEAN_TEST(every_allocation)
{
    assert_true(each(support_need_context(state), FAULT_MEMORY) >= 16);
}

CLEAN_TEST(every_gl_object)
{
    assert_true(each(support_need_context(state), FAULT_GL) >= 14);
}

CLEAN_TEST(every_error)
{
    assert_true(each(support_need_context(state), FAULT_ERROR) >= 5);
}

static void need_compute(void **state)
{
    struct qp_context *context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_COMPUTE))
        skip();
    computes = true;
}

static int draw_again(void **state)
{
    (void)state;
    computes = false;
    return 0;
}

TEST(every_allocation_of_compute, .teardown_func = draw_again)
{
    need_compute(state);
    assert_true(each(support_need_context(state), FAULT_MEMORY) >= 12);
}

TEST(every_gl_object_of_compute, .teardown_func = draw_again)
{
    need_compute(state);
    assert_true(each(support_need_context(state), FAULT_GL) >= 5);
}

GROUP(faults_open_context, support_close_context)
