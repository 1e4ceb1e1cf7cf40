/* SPDX-License-Identifier: MIT */
/* Names in kernels: the text in front of a body hides none, and what is said of wrong ones is right. */
#include "support/toolkit.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/kernel.h"

/* Names that the text in front of a body might take for its own parameters. */
static void short_names_hide_nothing(void **state)
{
    static const char *const names[] = {"p", "c", "n", "v", "w", "cell", "dx", "texel"};
    const float values[] = {1, 2, 3}, expected[] = {3, 5, 3};
    const struct qp_array_desc row = {.width = 3, .height = 1};
    float got[3];
    context = support_need_context(state);
    struct qp_array *x, *out;
    assert_ok(qp_array_create(context, &row, values, &x));
    assert_ok(qp_array_create(context, &row, NULL, &out));
    for (int i = 0; i < COUNT(names); i++) {
        char body[96];
        snprintf(body, sizeof body, "float kernel(vec2 here) { return %s_at(0, 0) + %s_at(1, 0); }",
                 names[i], names[i]);
        const struct qp_kernel_desc desc = {.body = body, .input = {{names[i], .reach = 1}}};
        struct qp_kernel *pairs;
        assert_ok(qp_kernel_create(context, &desc, &pairs));
        assert_ok(qp_pass_run(
            &(struct qp_pass){.kernel = pairs, .input = {{names[i], x}}, .output = {out}}));
        assert_ok(qp_array_read(out, NULL, got, 0));
        assert_memory_equal(got, expected, sizeof got);
        qp_kernel_destroy(&pairs);
    }
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* A mistake of the body is not laid on names: an open brace, a large number in the line, a word unlike all. */
static void names_are_not_blamed(void **state)
{
    static const char *const bodies[] = {"float kernel(vec2 here)\n{\n    return 0.0;\n",
                                         "float kernel(vec2 here) { return 200000.0 * unknown; }",
                                         "float kernel(vec2 here)\n{\n    return x_at;\n}"};
    context = support_need_context(state);
    for (int i = 0; i < COUNT(bodies); i++) {
        const struct qp_kernel_desc desc = {.body = bodies[i], .input = {{"x"}}};
        struct qp_kernel *made;
        assert_int_equal(qp_kernel_create(context, &desc, &made), QP_BAD_INPUT);
        assert_null(strstr(qp_error(), "GLSL?"));
        assert_null(strstr(qp_error(), "did you mean"));
    }
}

/* A kernel without numbers says that it has none; one with names, which is near. */
static void unknown_names(void **state)
{
    context = support_need_context(state);
    const struct qp_kernel_desc desc = {.name = "same",
                                        .body =
                                            "float kernel(vec2 here) { return photo_at(0, 0); }",
                                        .input = {{"photo"}}};
    struct qp_kernel *same;
    assert_ok(qp_kernel_create(context, &desc, &same));
    struct qp_pass pass = {.kernel = same, .number = {{.name = "a"}}};
    assert_int_equal(qp_pass_run(&pass), QP_BAD_USE);
    support_assert_sentence("same has no number called 'a', nor any other");
    pass.input[0].name = "foto";
    assert_int_equal(qp_pass_run(&pass), QP_BAD_USE);
    support_assert_sentence("same has no input called 'foto'; did you mean 'photo'?");
    qp_kernel_destroy(&same);
}

/* One for each kind of array that was met, and none twice. */
static void programs_are_kept(void **state)
{
    context = support_need_context(state);
    struct qp_array *x[] = {
        grid(3, 1, NULL),
        make((struct qp_array_desc){.width = 3, .height = 1, .outside = QP_OUTSIDE_WRAP}, NULL)};
    struct qp_array *out = grid(3, 1, NULL);
    struct qp_kernel *same = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return x_at(1, 0); }", .input = {{"x", .reach = 1}}});
    for (int i = 0; i < 6; i++)
        assert_ok(qp_pass_run(
            &(struct qp_pass){.kernel = same, .input = {{"x", x[i % 2]}}, .output = {out}}));
    int forms = 0;
    for (const struct qp_kernel_form *form = same->forms; form != NULL; form = form->next)
        forms++;
    assert_int_equal(forms, 2);
    qp_kernel_destroy(&same);
    qp_array_destroy(&x[0]);
    qp_array_destroy(&x[1]);
    qp_array_destroy(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(short_names_hide_nothing),
        clean_test(names_are_not_blamed),
        clean_test(unknown_names),
        clean_test(programs_are_kept),
    };
    return cmocka_run_group_tests(tests, support_open_context, support_close_context);
}
