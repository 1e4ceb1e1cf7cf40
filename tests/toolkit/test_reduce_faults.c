/* SPDX-License-Identifier: MIT */
/* The k-th allocation fails, and the k-th making of a GL object, in reductions, running sums,
 * gathers, compaction and checks of passes: a code, a sentence, nothing left behind, and a context
 * that goes on to work. */
/* wrap: faults.c */
#include "support/support.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "support/faults.h"
#include "toolkit/arrays/texture_pool.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/program.h"

static const struct qp_array_desc small = {.width = 5, .height = 6, .channels = 1},
                                  one = {.width = 1, .height = 1};

/* ---- Scenes ---- */

static enum qp_status create(struct qp_context *context, struct qp_array *arrays[3])
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < 3; i++)
        arrays[i] = NULL;
    for (int i = 0; i < 3 && status == QP_OK; i++)
        status = qp_array_create(context, i < 2 ? &small : &one, NULL, &arrays[i]);
    return status;
}

static void destroy(struct qp_array *arrays[3])
{
    for (int i = 0; i < 3; i++)
        qp_array_destroy(&arrays[i]);
}

static enum qp_status reduce(struct qp_context *context, const struct qp_reduction_desc *desc)
{
    struct qp_array *arrays[3];
    struct qp_reduction *reduction = NULL;
    struct qp_reduced got;
    enum qp_status status = create(context, arrays);
    const struct qp_pass_input input[] = {
        {"x", arrays[0]}, {desc->what == QP_REDUCE_DOT ? "y" : NULL, arrays[1]}, {NULL, NULL}};
    if (status == QP_OK)
        status = qp_reduction_create(context, desc, &reduction);
    if (status == QP_OK)
        status = qp_reduce(reduction, input, NULL, &got);
    if (status == QP_OK)
        status = qp_reduce_to(reduction, input, NULL, arrays[2]);
    qp_reduction_destroy(&reduction);
    destroy(arrays);
    return status;
}

static enum qp_status dot(struct qp_context *context)
{
    const struct qp_reduction_desc desc = {.what = QP_REDUCE_DOT, .of = small, .compensated = true};
    return reduce(context, &desc);
}

static enum qp_status map(struct qp_context *context)
{
    const struct qp_reduction_desc desc = {.what = QP_REDUCE_MAX,
                                           .of = small,
                                           .map = "float map(vec2 here) { return x_cell(here); }",
                                           .input = {{"x", QP_ARRAY_FLOAT, 1, 0}}};
    return reduce(context, &desc);
}

static enum qp_status scan(struct qp_context *context)
{
    struct qp_array *arrays[3];
    enum qp_status status = create(context, arrays);
    if (status == QP_OK)
        status = qp_scan(arrays[0], QP_SCAN_EXCLUSIVE, arrays[1]);
    destroy(arrays);
    return status;
}

static enum qp_status gather(struct qp_context *context)
{
    struct qp_array *arrays[3];
    enum qp_status status = create(context, arrays);
    struct qp_array *out = NULL;
    if (status == QP_OK)
        status = qp_array_create(context, &small, NULL, &out);
    if (status == QP_OK)
        status = qp_gather(arrays[0], arrays[1], out);
    qp_array_destroy(&out);
    destroy(arrays);
    return status;
}

static enum qp_status compact(struct qp_context *context)
{
    struct qp_array *arrays[3];
    size_t count;
    enum qp_status status = create(context, arrays);
    if (status == QP_OK)
        status = qp_compact(arrays[0], arrays[1], arrays[2], &count);
    destroy(arrays);
    return status;
}

static double thrice(const struct qp_kernel_grid *pass, double *const output[])
{
    for (int i = 0; i < pass->width * pass->height; i++)
        output[0][i] = 3.0 * ((const double *)pass->input[0].values)[i];
    return 0.0;
}

static enum qp_status check(struct qp_context *context)
{
    struct qp_array *arrays[3];
    struct qp_kernel *kernel = NULL;
    struct qp_pass_check_result result;
    enum qp_status status = create(context, arrays);
    if (status == QP_OK)
        status = qp_kernel_create(
            context,
            &(struct qp_kernel_desc){.body = "float kernel(vec2 here) { return 3.0 * x_at(0, 0); }",
                                     .input = {{"x"}}},
            &kernel);
    if (status == QP_OK)
        status = qp_pass_check(
            &(struct qp_pass){kernel, {{"x", arrays[0]}}, .output = {arrays[1]}},
            &(struct qp_pass_check_desc){.reference = thrice, .width = 3, .height = 2}, &result);
    assert_true(status != QP_OK || result.verdict == QP_PASS);
    qp_kernel_destroy(&kernel);
    destroy(arrays);
    return status;
}

/* ---- The rule ---- */

static const struct scene {
    const char *name;
    enum qp_status (*play)(struct qp_context *context);
    bool recovers; /* the pool has textures by then, which make room for one that was refused */
} scenes[] = {{"dot", dot, false},       {"map", map, false},         {"scan", scan, false},
              {"gather", gather, false}, {"compact", compact, false}, {"check", check, true}};

static void tidy(struct qp_context *context)
{
    qp_texture_pool_clear(context);
    qp_program_forget_all(context);
}

static enum qp_status play(const struct scene *scene, struct qp_context *context, enum fault fault,
                           int number)
{
    tidy(context);
    const long before = faults_live_blocks();
    faults_arm(fault, number);
    const enum qp_status status = scene->play(context);
    faults_disarm();
    tidy(context);
    if (faults_live_blocks() != before)
        fail_msg("%s, fault %d (%s): %ld blocks leak", scene->name, number, faults_struck(),
                 faults_live_blocks() - before);
    support_check_clean((void *[]){context});
    return status;
}

/* A device that lacks an ability, or a compiler that refuses, is no lack of memory. */
static bool is_right(enum qp_status status)
{
    return faults_ran_out() ? status == QP_NO_MEMORY
                            : status == QP_DEVICE || status == QP_UNSUPPORTED;
}

/* A request in three fails, with LONG=1 each; which ones changes from scene to scene. */
enum { ONE_IN = 3 };

static void each_fault(struct qp_context *context, enum fault fault, int turn)
{
    const struct scene *scene = &scenes[turn];
    assert_ok(scene->play(context)); /* so that the pool and the table of objects are there */
    assert_ok(play(scene, context, fault, INT_MAX));
    const int requests = faults_disarm();
    assert_true(requests > 3);
    for (int k = 1; k <= requests; k++) {
        if (k % ONE_IN != turn % ONE_IN && !support_takes_long())
            continue;
        const enum qp_status status = play(scene, context, fault, k);
        if (faults_struck() == NULL)
            fail_msg("%s asked for less than %d the second time", scene->name, k);
        const bool recovered = status == QP_OK && scene->recovers && fault == FAULT_GL;
        if ((!is_right(status) && !recovered) || qp_error()[0] == '\0')
            fail_msg("%s, fault %d (%s): code %d and '%s'", scene->name, k, faults_struck(),
                     (int)status, qp_error());
    }
    assert_ok(play(scene, context, fault, INT_MAX));
}

CLEAN_TEST(every_allocation)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(scenes); i++)
        each_fault(context, FAULT_MEMORY, i);
}

CLEAN_TEST(every_gl_object)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(scenes); i++)
        each_fault(context, FAULT_GL, i);
}

CLEAN_TEST(every_error)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(scenes); i++) {
        if (scenes[i].play != check) /* which looks as often as its draws take turns */
            each_fault(context, FAULT_ERROR, i);
    }
}

GROUP(faults_open_context, support_close_context)
