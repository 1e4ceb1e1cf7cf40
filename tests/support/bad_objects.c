/* SPDX-License-Identifier: MIT */
#include "support/bad_objects.h"

#include <limits.h>
#include <pthread.h>

const struct qp_array_desc usual = {.width = SIDE, .height = SIDE};

struct good good, strange;

const struct qp_kernel_desc adds = {.body = "float kernel(vec2 here) { return x_at(0, 0) + a; }",
                                    .input = {{"x"}},
                                    .number = {{"a"}}};

static void make(struct good *set, struct qp_context *context)
{
    const struct qp_array_desc one = {.width = 1, .height = 1};
    struct qp_array **const arrays[] = {&set->x, &set->y, &set->out};
    *set = (struct good){.context = context};
    for (int i = 0; i < COUNT(arrays); i++)
        assert_ok(qp_array_create(context, &usual, NULL, arrays[i]));
    assert_ok(qp_array_create(context, &one, NULL, &set->one));
    assert_ok(qp_kernel_create(context, &adds, &set->kernel));
    set->pass = (struct qp_pass){.kernel = set->kernel,
                                 .input = {{"x", set->x}},
                                 .number = {{"a", {1.0}}},
                                 .output = {set->out}};
    assert_ok(qp_list_create(&set->pass, 1, &set->list));
    assert_ok(qp_array_ask(set->x, NULL, &set->download));
    assert_ok(
        qp_reduction_create(context, &(struct qp_reduction_desc){.of = usual}, &set->reduction));
    assert_ok(qp_mask_create(context, SIDE, SIDE, &set->mask));
    assert_ok(qp_depth_create(context, SIDE, SIDE, QP_DEPTH_NEAREST, &set->depth));
}

static void drop(struct good *set)
{
    qp_depth_destroy(&set->depth);
    qp_mask_destroy(&set->mask);
    qp_reduction_destroy(&set->reduction);
    qp_download_cancel(&set->download);
    qp_list_destroy(&set->list);
    qp_kernel_destroy(&set->kernel);
    qp_array_destroy(&set->x);
    qp_array_destroy(&set->y);
    qp_array_destroy(&set->out);
    qp_array_destroy(&set->one);
}

double anything[32];

struct qp_array *bad_array(int row)
{
    struct qp_array *const bad[BAD] = {NULL, (struct qp_array *)(void *)anything,
                                       (struct qp_array *)(void *)good.kernel, strange.x,
                                       (struct qp_array *)(void *)good.context};
    return bad[row];
}

const struct qp_rect bad_parts[BAD_PARTS] = {{0, 0, 0, 1},  {0, 0, 1, 0},       {-1, 0, 1, 1},
                                             {0, -1, 1, 1}, {0, 0, 5, 1},       {0, 0, 1, 5},
                                             {4, 0, 1, 1},  {0, 0, INT_MAX, 1}, {INT_MAX, 0, 2, 1},
                                             {0, 0, -1, 1}, {INT_MIN, 0, 1, 1}};

static void *run(void *elsewhere)
{
    (*(void (**)(void))elsewhere)();
    return NULL;
}

void with_objects(void **state, void (*call)(void), void (*elsewhere)(void))
{
    struct qp_context *context = support_need_context(state), *other;
    pthread_t thread;
    if (!(qp_context_device(context)->abilities & QP_CAN_R32F))
        skip();
    assert_ok(qp_context_create(NULL, &other));
    make(&strange, other);
    make(&good, context);
    refused_row = -1;
    call();
    if (elsewhere != NULL) {
        assert_int_equal(pthread_create(&thread, NULL, run, &elsewhere), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    drop(&good);
    drop(&strange);
    qp_context_destroy(&other);
    assert_no_faults();
}
