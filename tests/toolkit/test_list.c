/* SPDX-License-Identifier: MIT */
/* Recorded lists: they run again with new numbers, and say what is wrong with them. */
#include "support/toolkit.h"

#include <stdlib.h>

CLEAN_TEST(lists_run_again_with_new_numbers)
{
    static const float x_values[] = {1, 2, 3}, y_values[] = {10, 20, 30};
    static const float thrice[] = {13, 26, 39}, new[] = {3, 6, 9};
    context = support_need_context(state);
    struct qp_array *x = row_of(3, x_values), *y = row_of(3, y_values), *t = row_of(3, NULL);
    struct qp_kernel *adds = saxpy(), *copies = kernel((struct qp_kernel_desc){
                                          .body = "float kernel(vec2 here) { return x_at(0, 0); }",
                                          .input = {{"x"}}});
    const struct qp_pass passes[] = {
        {.kernel = adds, .input = {{"x", x}, {"y", y}}, .number = {{"a", {1}}}, .output = {t}},
        {.kernel = copies, .input = {{"x", t}}, .output = {y}}};
    struct qp_list *list;
    assert_ok(qp_list_create(passes, 2, &list));
    expect_values(y, y_values, 3, ""); /* nothing has run */
    assert_ok(qp_list_run(list, 3));
    expect_values(y, thrice, 3, "");
    assert_ok(qp_list_run(list, 0));
    expect_values(y, thrice, 3, "");
    assert_ok(qp_array_fill(y, NULL, 0.0));
    assert_ok(qp_list_set(list, 0, &(struct qp_pass_number){.name = "a", .value = {3}}));
    assert_ok(qp_list_run(list, 1));
    expect_values(y, new, 3, "");
    qp_list_destroy(&list);
    assert_null(list);
    qp_kernel_destroy(&adds);
    qp_kernel_destroy(&copies);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
    qp_array_destroy(&t);
}

CLEAN_TEST(lists_that_cannot_be)
{
    static const float three[] = {1, 2, 3};
    context = support_need_context(state);
    struct qp_array *x = row_of(3, three), *y = row_of(3, three), *out = row_of(3, NULL);
    struct qp_kernel *adds = saxpy();
    const struct qp_pass pass = {
        .kernel = adds, .input = {{"x", x}, {"y", y}}, .number = {{.name = "a"}}, .output = {out}};
    struct qp_list *list;
    assert_int_equal(qp_list_create(NULL, 1, &list), QP_BAD_USE);
    assert_int_equal(qp_list_create(&pass, 0, &list), QP_BAD_USE);
    assert_int_equal(qp_list_create(&pass, 1, NULL), QP_BAD_USE);
    assert_ok(qp_list_create(&pass, 1, &list));
    assert_int_equal(qp_list_run(NULL, 1), QP_BAD_USE);
    assert_int_equal(qp_list_run(list, -1), QP_BAD_USE);
    assert_int_equal(qp_list_set(list, 1, &(struct qp_pass_number){.name = "a"}), QP_BAD_USE);
    support_assert_sentence("pass 1 is none of a list of 1");
    assert_int_equal(qp_list_set(list, 0, &(struct qp_pass_number){.name = "b"}), QP_BAD_USE);
    assert_int_equal(qp_list_set(list, 0, &(struct qp_pass_number){0}), QP_BAD_USE);
    assert_int_equal(qp_list_set(list, 0, NULL), QP_BAD_USE);
    qp_array_destroy(&y);
    assert_int_equal(qp_list_run(list, 1), QP_BAD_USE);
    support_assert_sentence("pass 0 of the list: 'y' is not an array that lives");
    qp_kernel_destroy(&adds);
    assert_int_equal(qp_list_run(list, 1), QP_BAD_USE);
    struct qp_list *kept = list;
    qp_list_destroy(&list);
    assert_int_equal(qp_list_run(kept, 1), QP_BAD_USE);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* Objects that were destroyed are gone, even where memory gives their place to a new one of their
 * kind. */
CLEAN_TEST(successors_are_not_taken_for_it)
{
    enum { TRIES = 64 };
    context = support_need_context(state);
    int met = 0;
    for (int what = 0; what < 2; what++) {
        struct qp_array *out = row_of(3, NULL);
        struct qp_kernel *one =
            kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return 1.0; }"});
        struct qp_list *list;
        const void *gone = what == 0 ? (void *)one : (void *)out, *next = NULL;
        struct qp_kernel *kernels[TRIES] = {NULL};
        struct qp_array *arrays[TRIES] = {NULL};
        assert_ok(qp_list_create(&(struct qp_pass){.kernel = one, .output = {out}}, 1, &list));
        if (what == 0)
            qp_kernel_destroy(&one);
        else
            qp_array_destroy(&out);
        for (int i = 0; i < TRIES && next != gone; i++) {
            if (what == 0)
                next = kernels[i] = saxpy();
            else
                next = arrays[i] = row_of(2, NULL);
        }
        assert_int_equal(qp_list_run(list, 1), QP_BAD_USE);
        support_assert_sentence(what == 0 ? "pass 0 of the list: 'kernel' "
                                          : "pass 0 of the list: 'output' ");
        if (next == gone)
            support_assert_sentence("destroyed after the list was made");
        met += next == gone;
        qp_list_destroy(&list);
        for (int i = 0; i < TRIES; i++) {
            qp_kernel_destroy(&kernels[i]);
            qp_array_destroy(&arrays[i]);
        }
        qp_kernel_destroy(&one);
        qp_array_destroy(&out);
    }
    if (met == 0)
        print_message("no object got the place of another\n");
}

/* Lists with the most passes, and one more. */
CLEAN_TEST(lists_have_a_limit)
{
    enum { MOST = 65536 };
    context = support_need_context(state);
    struct qp_array *out = row_of(3, NULL);
    struct qp_kernel *one =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return 1.0; }"});
    struct qp_pass *passes = calloc(MOST + 1, sizeof *passes);
    struct qp_list *list;
    assert_non_null(passes);
    for (int i = 0; i <= MOST; i++)
        passes[i] = (struct qp_pass){.kernel = one, .output = {out}};
    assert_int_equal(qp_list_create(passes, MOST + 1, &list), QP_BAD_USE);
    support_assert_sentence("a list of 65537 passes; take 1 to 65536");
    assert_ok(qp_list_create(passes, MOST, &list));
    qp_list_destroy(&list);
    free(passes);
    qp_kernel_destroy(&one);
    qp_array_destroy(&out);
}

GROUP(support_open_context, support_close_context)
