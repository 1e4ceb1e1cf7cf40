/* SPDX-License-Identifier: MIT */
/* Errors of use of depths, each with its sentence; threads, contexts that end first, and what a
 * depth costs. */
#include "support/toolkit.h"

#include <pthread.h>
#include <string.h>

static struct qp_kernel *ones_kernel(void)
{
    struct qp_kernel *made;
    assert_ok(qp_kernel_create(
        context,
        &(struct qp_kernel_desc){.name = "ones", .body = "float kernel(vec2 here) { return 1.0; }"},
        &made));
    return made;
}

static struct qp_depth *nearest_of(struct qp_context *of, int width, int height)
{
    struct qp_depth *depth;
    assert_ok(qp_depth_create(of, width, height, QP_DEPTH_NEAREST, &depth));
    return depth;
}

/* ---- Errors ---- */

static void expect_words(enum qp_status got, enum qp_status wanted, const char *words)
{
    assert_int_equal(got, wanted);
    support_assert_sentence(words);
}

CLEAN_TEST(depths_that_cannot_be)
{
    context = support_need_context(state);
    const int limit = qp_context_device(context)->rectangle_limit;
    const enum qp_depth_keeps near = QP_DEPTH_NEAREST;
    struct qp_depth *made = (struct qp_depth *)&made, *gone, *kept;
    expect_words(qp_depth_create(context, 3, 3, near, NULL), QP_BAD_USE, "NULL");
    expect_words(qp_depth_create(NULL, 3, 3, near, &made), QP_BAD_USE, "NULL");
    assert_null(made);
    expect_words(qp_depth_create(context, 0, 3, near, &made), QP_BAD_USE, "a depth of 0 x 3");
    expect_words(qp_depth_create(context, 3, -9, near, &made), QP_BAD_USE, "a depth of 3 x -9");
    expect_words(qp_depth_create(context, limit + 1, 3, near, &made), QP_UNSUPPORTED, "limit of");
    expect_words(qp_depth_create(context, 3, limit + 1, near, &made), QP_UNSUPPORTED, "limit of");
    expect_words(qp_depth_create(context, 3, 3, (enum qp_depth_keeps)2, &made), QP_BAD_USE,
                 "a depth keeps 2, which is none");
    assert_null(made);
    qp_depth_destroy(NULL);
    qp_depth_destroy(&made);
    kept = gone = nearest_of(context, 3, 3);
    qp_depth_destroy(&gone);
    assert_null(gone);
    expect_words(qp_depth_clear(NULL), QP_BAD_USE, "'depth' is NULL, and a depth is needed");
    expect_words(qp_depth_clear(kept), QP_BAD_USE, "'depth' is not a depth that lives");
}

CLEAN_TEST(passes_that_cannot_be)
{
    context = support_need_context(state);
    struct qp_context *other;
    assert_ok(qp_context_create(NULL, &other));
    struct qp_array *out = grid(4, 2, NULL), *wide = grid(5, 3, NULL), *view;
    struct qp_depth *depth = nearest_of(context, 4, 2), *foreign = nearest_of(other, 4, 2),
                    *gone = nearest_of(context, 4, 2), *kept = gone;
    struct qp_mask *mask;
    struct qp_kernel *ones = ones_kernel();
    float got[8];
    assert_ok(qp_array_view(wide, &(struct qp_rect){0, 1, 4, 2}, &view));
    assert_ok(qp_mask_create(context, 4, 2, &mask));
    qp_depth_destroy(&gone);
    const struct {
        struct qp_pass pass;
        const char *words;
    } cases[] = {
        {{.output = {out}, .depth = foreign}, "'depth' is a depth of another context"},
        {{.output = {out}, .depth = kept}, "'depth' is not a depth that lives"},
        {{.output = {out}, .depth = (struct qp_depth *)mask}, "'depth' is not a depth that lives"},
        {{.output = {wide}, .depth = depth}, "ones: the depth has 4 x 2 cells, and output 0 has 5"},
        {{.output = {view}, .depth = depth}, "ones: output 0 is a view from cell (0, 1)"},
        {{.output = {out}, .depth = depth, .mask = mask}, "ones: a pass has a mask or a depth"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_pass pass = cases[i].pass;
        struct qp_list *list;
        pass.kernel = ones;
        expect_words(qp_pass_run(&pass), QP_BAD_USE, cases[i].words);
        expect_words(qp_list_create(&pass, 1, &list), QP_BAD_USE, cases[i].words);
    }
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_memory_equal(got, (const float[8]){0}, sizeof got);
    qp_kernel_destroy(&ones);
    qp_mask_destroy(&mask);
    qp_depth_destroy(&depth);
    qp_depth_destroy(&foreign);
    qp_array_destroy(&out);
    qp_array_destroy(&view);
    qp_array_destroy(&wide);
    qp_context_destroy(&other);
}

CLEAN_TEST(a_list_names_what_is_gone)
{
    context = support_need_context(state);
    struct qp_array *out = grid(4, 2, NULL);
    struct qp_depth *depth = nearest_of(context, 4, 2);
    struct qp_kernel *ones = ones_kernel();
    struct qp_list *list;
    assert_ok(qp_list_create(&(struct qp_pass){.kernel = ones, .output = {out}, .depth = depth}, 1,
                             &list));
    assert_ok(qp_list_run(list, 1));
    qp_depth_destroy(&depth);
    expect_words(qp_list_run(list, 1), QP_BAD_USE,
                 "pass 0 of the list: 'depth' is not a depth that lives");
    qp_list_destroy(&list);
    qp_kernel_destroy(&ones);
    qp_array_destroy(&out);
}

/* ---- Threads, and contexts that end first ---- */

static void *use_elsewhere(void *depth)
{
    struct qp_depth *mine = depth, *made;
    const bool refused = qp_depth_clear(depth) == QP_BAD_USE &&
                         strstr(qp_error(), "thread") != NULL &&
                         qp_depth_create(context, 3, 3, QP_DEPTH_NEAREST, &made) == QP_BAD_USE;
    qp_depth_destroy(&mine);
    return refused && mine == NULL ? depth : NULL;
}

CLEAN_TEST(another_thread)
{
    void *answer;
    pthread_t thread;
    context = support_need_context(state);
    struct qp_depth *depth = nearest_of(context, 4, 2);
    assert_int_equal(pthread_create(&thread, NULL, use_elsewhere, depth), 0);
    pthread_join(thread, &answer);
    assert_ptr_equal(answer, depth);
    assert_ok(qp_depth_clear(depth)); /* it lives on */
    qp_depth_destroy(&depth);
}

CLEAN_TEST(a_context_frees_its_depths)
{
    struct qp_context *mine = support_need_context(state);
    assert_ok(qp_context_create(NULL, &mine));
    struct qp_depth *depth = nearest_of(mine, 4, 2);
    qp_context_destroy(&mine);
    assert_int_equal(qp_depth_clear(depth), QP_BAD_USE);
    qp_depth_destroy(&depth);
    assert_null(depth);
}

/* ---- Costs ---- */

/* With LONG=1 times are printed. Every pass but the first is farther away, and is dropped. */
CLEAN_TEST(small_passes)
{
    const int passes = support_takes_long() ? 20000 : 10;
    float got[8];
    context = support_need_context(state);
    struct qp_array *out = grid(4, 2, NULL);
    struct qp_depth *depth = nearest_of(context, 4, 2);
    struct qp_kernel *ones = ones_kernel();
    struct qp_pass pass = {.kernel = ones, .output = {out}};
    microseconds_each(&pass, passes);
    const double without = microseconds_each(&pass, passes);
    assert_ok(qp_array_fill(out, NULL, 5.0));
    pass.depth = depth;
    assert_ok(qp_pass_run(&pass));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_true(got[0] == 1.0f && got[7] == 1.0f);
    assert_ok(qp_array_fill(out, NULL, 5.0));
    const double with = microseconds_each(&pass, passes);
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_true(got[0] == 5.0f && got[7] == 5.0f);
    if (support_takes_long())
        print_message("a pass over 4 x 2 cells: %.3g us, with a depth %.3g us\n", without, with);
    qp_kernel_destroy(&ones);
    qp_depth_destroy(&depth);
    qp_array_destroy(&out);
}

GROUP(support_open_context, support_close_context)
