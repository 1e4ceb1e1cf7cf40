/* SPDX-License-Identifier: MIT */
/* Numbers of passes: of every type, as many as there may be, and those that a type does not hold. */
#include "support/toolkit.h"

#include <math.h>
#include <stdio.h>

static void numbers_of_every_type(void **state)
{
    const double list[] = {1000.0, 2000.0, 4000.0};
    const float expected[] = {1.5f + 7.0f + 20.0f + 300.0f + 4000.0f + 50000.0f};
    context = support_need_context(state);
    struct qp_array *out = grid(1, 1, NULL);
    struct qp_kernel *sums = kernel(
        (struct qp_kernel_desc){.body = "float kernel(vec2 here)\n"
                                        "{\n"
                                        "    return a + float(n) + p.y + q.z + list[2] + r.w;\n"
                                        "}\n",
                                .number = {{"a"},
                                           {"n", QP_NUMBER_INT},
                                           {"p", QP_NUMBER_VEC2},
                                           {"q", QP_NUMBER_VEC3},
                                           {"r", QP_NUMBER_VEC4},
                                           {"list", .elements = 3}}});
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = sums,
                                            .number = {{"list", .list = list},
                                                       {"r", {1, 2, 3, 50000}},
                                                       {"q", {1, 2, 300}},
                                                       {"p", {9, 20}},
                                                       {"n", {7.9}},
                                                       {"a", {1.5}}},
                                            .output = {out}}));
    expect_values(out, expected, 1, "numbers");
    qp_kernel_destroy(&sums);
    qp_array_destroy(&out);
}

/* Sixteen arrays of 64 floats: cell i has the sum of all their elements number i. */
static void as_many_elements_as_there_may_be(void **state)
{
    enum { ELEMENTS = 64 };
    static char names[QP_KERNEL_NUMBERS][8];
    char body[1024];
    double lists[QP_KERNEL_NUMBERS][ELEMENTS];
    float expected[ELEMENTS] = {0}, got[ELEMENTS];
    struct qp_kernel_desc desc = {.body = body};
    struct qp_pass pass = {0};
    context = support_need_context(state);
    int used = snprintf(body, sizeof body, "float kernel(vec2 here) { return 0.0");
    for (int k = 0; k < QP_KERNEL_NUMBERS; k++) {
        snprintf(names[k], sizeof names[k], "a%d", k);
        used += snprintf(body + used, sizeof body - (size_t)used, " + %s[int(here.x)]", names[k]);
        desc.number[k] = (struct qp_kernel_number){.name = names[k], .elements = ELEMENTS};
        pass.number[k] = (struct qp_pass_number){.name = names[k], .list = lists[k]};
        for (int i = 0; i < ELEMENTS; i++)
            expected[i] += (float)(lists[k][i] = 100 * k + i);
    }
    snprintf(body + used, sizeof body - (size_t)used, "; }");
    struct qp_kernel *sums = kernel(desc);
    struct qp_array *out = grid(ELEMENTS, 1, NULL);
    pass.kernel = sums;
    pass.output[0] = out;
    assert_ok(qp_pass_run(&pass));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_memory_equal(got, expected, sizeof got);
    qp_kernel_destroy(&sums);
    qp_array_destroy(&out);
}

/* Rounded towards zero; what no int of 32 bits is, is refused. */
static void ints_are_of_32_bits(void **state)
{
    static const struct {
        double given;
        float expected; /* 0: refused */
    } cases[] = {{3.9, 3.0f},         {-3.9, -3.0f},    {2147483647.9, 0x1p31f},
                 {0x1p31, 0.0f},      {NAN, 0.0f},      {-2147483648.9, -0x1p31f},
                 {-0x1p31 - 1, 0.0f}, {-INFINITY, 0.0f}};
    context = support_need_context(state);
    struct qp_array *out = grid(1, 1, NULL);
    struct qp_kernel *shows =
        kernel((struct qp_kernel_desc){.name = "shows",
                                       .body = "float kernel(vec2 here) { return float(n); }",
                                       .number = {{"n", QP_NUMBER_INT}}});
    for (int i = 0; i < COUNT(cases); i++) {
        const struct qp_pass pass = {
            .kernel = shows, .number = {{"n", {cases[i].given}}}, .output = {out}};
        const enum qp_status status = qp_pass_run(&pass);
        assert_int_equal(status, cases[i].expected != 0.0f ? QP_OK : QP_BAD_USE);
        if (status == QP_OK)
            expect_values(out, &cases[i].expected, 1, "an int");
        else
            support_assert_sentence("shows: number 'n' is an int, which cannot be ");
    }
    qp_kernel_destroy(&shows);
    qp_array_destroy(&out);
}

/* What stands outside keeps all its digits: so many of a double and an integer are none of a float. */
static void values_outside_are_of_the_type(void **state)
{
    static const struct {
        enum qp_array_type type;
        double given, expected;
        const char *body;
    } cases[] = {
        {QP_ARRAY_INT, -16777217, -16777217, "int kernel(vec2 here) { return x_at(1, 0); }"},
        {QP_ARRAY_INT, 2.75, 3, "int kernel(vec2 here) { return x_at(1, 0); }"},
        {QP_ARRAY_UINT, 3000000001, 3000000001, "uint kernel(vec2 here) { return x_at(1, 0); }"},
        {QP_ARRAY_DOUBLE, 0.1, 0.1, "double kernel(vec2 here) { return x_at(1, 0); }"}};
    context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++) {
        const enum qp_array_type type = cases[i].type;
        union {
            int32_t whole;
            uint32_t word;
            double real;
        } got;
        if (type == QP_ARRAY_DOUBLE && !(qp_context_device(context)->abilities & QP_CAN_DOUBLE))
            continue;
        struct qp_array_desc desc = {.width = 1,
                                     .height = 1,
                                     .type = type,
                                     .outside = QP_OUTSIDE_VALUE,
                                     .value = cases[i].given};
        struct qp_array *x = make(desc, NULL), *out = make(desc, NULL);
        struct qp_kernel *beside = kernel((struct qp_kernel_desc){
            .body = cases[i].body, .input = {{"x", type, .reach = 1}}, .output_type = type});
        assert_ok(
            qp_pass_run(&(struct qp_pass){.kernel = beside, .input = {{"x", x}}, .output = {out}}));
        assert_ok(qp_array_read(out, NULL, &got, 0));
        assert_true((type == QP_ARRAY_INT    ? got.whole
                     : type == QP_ARRAY_UINT ? got.word
                                             : got.real) == cases[i].expected);
        qp_kernel_destroy(&beside);
        qp_array_destroy(&x);
        qp_array_destroy(&out);
    }
}

/* Beside a view of halves it is a half, as its cells are. */
static void values_outside_halves_are_halves(void **state)
{
    const float tenth = 0.0999755859375f;
    context = support_need_context(state);
    struct qp_array *x = make((struct qp_array_desc){.width = 2,
                                                     .height = 1,
                                                     .type = QP_ARRAY_HALF,
                                                     .outside = QP_OUTSIDE_VALUE,
                                                     .value = 0.1},
                              NULL);
    struct qp_array *out = grid(1, 1, NULL), *view;
    struct qp_kernel *beside =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return x_at(1, 0); }",
                                       .input = {{"x", QP_ARRAY_HALF, .reach = 1}}});
    assert_ok(qp_array_view(x, &(struct qp_rect){0, 0, 1, 1}, &view));
    assert_ok(
        qp_pass_run(&(struct qp_pass){.kernel = beside, .input = {{"x", view}}, .output = {out}}));
    expect_values(out, &tenth, 1, "beside a view");
    qp_kernel_destroy(&beside);
    qp_array_destroy(&view);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        clean_test(numbers_of_every_type),
        clean_test(as_many_elements_as_there_may_be),
        clean_test(ints_are_of_32_bits),
        clean_test(values_outside_are_of_the_type),
        clean_test(values_outside_halves_are_halves),
    };
    return cmocka_run_group_tests(tests, support_open_context, support_close_context);
}
