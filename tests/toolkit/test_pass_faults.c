/* SPDX-License-Identifier: MIT */
/* Every allocation and every OpenGL object of kernels, passes and lists fails once: a code and a sentence, nothing leaks,
 * and the next call succeeds. */
#include "support/faults.h"
#include "support/support.h"

#include <limits.h>
#include <stdio.h>

#include "toolkit/shelf.h"

static const struct qp_array_desc small = {.width = 5, .height = 3};

static bool computes; /* the kernel is a compute shader */
static int turn;      /* so that no program is found compiled */

/* Makes what a pass needs, runs it by itself and in a list, and destroys everything. */
static enum qp_status run_all(struct qp_context *context, struct qp_array *array[3],
                              struct qp_kernel **kernel, struct qp_list **list)
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
        status = qp_array_create(context, &small, NULL, &array[i]);
    if (status == QP_OK)
        status = qp_kernel_create(context,
                                  &(struct qp_kernel_desc){.body = computes ? NULL : text,
                                                           .compute = {computes ? text : NULL},
                                                           .input = {{.name = "x"}},
                                                           .number = {{.name = "a"}},
                                                           .outputs = 2},
                                  kernel);
    const struct qp_pass pass = {.kernel = *kernel,
                                 .input = {{"x", array[0]}},
                                 .number = {{.name = "a", .value = {2.0}}},
                                 .output = {array[1], array[2]}};
    if (status == QP_OK)
        status = qp_pass_run(&pass);
    if (status == QP_OK)
        status = qp_list_create(&pass, 1, list);
    if (status == QP_OK)
        status = qp_list_run(*list, 2);
    return status == QP_OK ? qp_context_finish(context) : status;
}

enum { WARM_UP = -1 /* in place of a number: tables are made that stay */ };

static enum qp_status play(struct qp_context *context, enum fault fault, int number)
{
    struct qp_array *array[3] = {NULL};
    struct qp_kernel *kernel = NULL;
    struct qp_list *list = NULL;
    qp_shelf_clear(context);
    const long before = faults_live_blocks();
    const size_t programs = qp_context_counters(context).kept_objects;
    faults_arm(fault, number == WARM_UP ? INT_MAX : number);
    const enum qp_status status = run_all(context, array, &kernel, &list);
    qp_list_destroy(&list);
    qp_kernel_destroy(&kernel);
    for (int i = 0; i < 3; i++)
        qp_array_destroy(&array[i]);
    qp_shelf_clear(context);
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

static void every_allocation(void **state)
{
    assert_true(each(support_need_context(state), FAULT_MEMORY) >= 12);
}

static void every_gl_object(void **state)
{
    assert_true(each(support_need_context(state), FAULT_GL) >= 8);
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

static void every_allocation_of_compute(void **state)
{
    need_compute(state);
    assert_true(each(support_need_context(state), FAULT_MEMORY) >= 12);
}

static void every_gl_object_of_compute(void **state)
{
    need_compute(state);
    assert_true(each(support_need_context(state), FAULT_GL) >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(every_allocation),
        clean_test(every_gl_object),
        cmocka_unit_test_teardown(every_allocation_of_compute, draw_again),
        cmocka_unit_test_teardown(every_gl_object_of_compute, draw_again),
    };
    return cmocka_run_group_tests(tests, faults_open_context, support_close_context);
}
