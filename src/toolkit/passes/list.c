/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "toolkit/base/caller.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/passes/pass.h"

enum { MOST_PASSES = 1 << 16, MOST_TIMES = 1 << 24 };

struct qp_list {
    struct qp_context *context;
    int count;
    struct qp_prepared pass[];
};

/* ---- Making lists ---- */

static enum qp_status prepare_all(struct qp_list *list, const struct qp_pass *passes)
{
    for (int i = 0; i < list->count; i++) {
        const enum qp_status status = qp_pass_prepare(&passes[i], &list->pass[i]);
        if (status != QP_OK)
            return qp_fail_within(status, "pass %d of the list", i);
        if (list->pass[i].kernel->context != list->pass[0].kernel->context)
            return qp_fail(QP_BAD_USE, "pass %d of the list is of another context", i);
    }
    list->context = list->pass[0].kernel->context;
    return qp_object_born(list, QP_OBJECT_LIST, list->context, free);
}

enum qp_status qp_list_create(const struct qp_pass *passes, int count, struct qp_list **out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, NULL) || QP_NEED(passes))
        return QP_BAD_USE;
    if (count < 1 || count > MOST_PASSES)
        return qp_fail(QP_BAD_USE, "a list of %d passes; take 1 to %d", count, MOST_PASSES);
    enum qp_status status = qp_call_begin(&call, NULL);
    struct qp_list *list = NULL;
    if (status == QP_OK) {
        list = qp_alloc_zero(1, sizeof *list + (size_t)count * sizeof list->pass[0], "a list");
        status = list != NULL ? QP_OK : QP_NO_MEMORY;
    }
    if (status == QP_OK) {
        list->count = count;
        status = prepare_all(list, passes);
    }
    qp_call_end(&call, QP_OK);
    if (status != QP_OK)
        free(list);
    else
        *out = list;
    return status;
}

void qp_list_destroy(struct qp_list **list)
{
    if (list == NULL || *list == NULL)
        return;
    if (qp_object_context(*list, QP_OBJECT_LIST, "list") != NULL) {
        qp_object_gone(*list);
        free(*list);
    }
    *list = NULL;
}

/* ---- Running ---- */

/* An object that lives may have been born after the list, where another one was. */
static enum qp_status check_object(const struct qp_list *list, const void *object,
                                   enum qp_object_kind kind, const char *what)
{
    const enum qp_status status = qp_object_check(object, kind, NULL, what);
    if (status == QP_OK && !qp_object_is_older(object, list))
        return qp_fail(QP_BAD_USE,
                       "'%s' was destroyed after the list was made, and a new object has its "
                       "place; make the list anew",
                       what);
    return status;
}

/* Checks that all objects of a pass still exist; one that was destroyed before the list is
 * named. */
static enum qp_status check_living(const struct qp_list *list, const struct qp_prepared *pass)
{
    enum qp_status status = check_object(list, pass->kernel, QP_OBJECT_KERNEL, "kernel");
    for (int i = 0; i < QP_KERNEL_INPUTS && status == QP_OK; i++) {
        if (pass->input[i] != NULL)
            status = check_object(list, pass->input[i], QP_OBJECT_ARRAY,
                                  pass->kernel->desc.input[i].name);
    }
    for (int i = 0; i < QP_KERNEL_OUTPUTS && status == QP_OK; i++) {
        if (pass->output[i] != NULL)
            status = check_object(list, pass->output[i], QP_OBJECT_ARRAY, "output");
    }
    if (status == QP_OK && pass->mask != NULL)
        status = check_object(list, pass->mask, QP_OBJECT_MASK, "mask");
    if (status == QP_OK && pass->depth != NULL)
        status = check_object(list, pass->depth, QP_OBJECT_DEPTH, "depth");
    return status;
}

static enum qp_status run(const struct qp_list *list, int times)
{
    enum qp_status status = qp_context_enter(list->context);
    for (int i = 0; i < list->count && status == QP_OK; i++) {
        if ((status = check_living(list, &list->pass[i])) != QP_OK)
            return qp_fail_within(status, "pass %d of the list", i);
    }
    list->context->earlier.follows = list->context->on_pass == NULL;
    for (int k = 0; k < times && status == QP_OK; k++) {
        for (int i = 0; i < list->count && status == QP_OK; i++)
            status = qp_prepared_draw(&list->pass[i]);
    }
    list->context->earlier = (struct qp_earlier_draw){0};
    return status == QP_OK ? qp_gl_check(list->context, "running a list") : status;
}

enum qp_status qp_list_run(struct qp_list *list, int times)
{
    struct qp_call call;
    if (qp_object_context(list, QP_OBJECT_LIST, "list") == NULL)
        return QP_BAD_USE;
    if (times < 0 || times > MOST_TIMES)
        return qp_fail(QP_BAD_USE, "a list cannot run %d times; take 0 to %d", times, MOST_TIMES);
    enum qp_status status = qp_call_begin(&call, NULL);
    if (status == QP_OK)
        status = run(list, times);
    return qp_call_end(&call, status);
}

enum qp_status qp_list_set(struct qp_list *list, int pass, const struct qp_pass_number *number)
{
    if (qp_object_context(list, QP_OBJECT_LIST, "list") == NULL || QP_NEED(number))
        return QP_BAD_USE;
    if (pass < 0 || pass >= list->count)
        return qp_fail(QP_BAD_USE, "pass %d is none of a list of %d", pass, list->count);
    if (QP_NEED(number->name))
        return QP_BAD_USE;
    const enum qp_status status = check_living(list, &list->pass[pass]);
    return status == QP_OK ? qp_prepared_set(&list->pass[pass], number) : status;
}
