/* SPDX-License-Identifier: MIT */
/* Numbers of passes: of every type, as many as there may be, and those that a type does not
 * hold. */
/* wrap: faults.c */
#include "support/faults.h"
#include "support/toolkit.h"

#include <math.h>
#include <stdio.h>

CLEAN_TEST(numbers_of_every_type)
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

/* ---- Arrays of floats: each element takes a register of the device ---- */

enum { ELEMENTS = 64 };

/* A kernel whose cell i sums elements i of arrays of some length together, and its pass. */
struct lists {
    char name[QP_KERNEL_NUMBERS][8], text[1024];
    double list[QP_KERNEL_NUMBERS][ELEMENTS];
    float expected[ELEMENTS];
    struct qp_kernel_desc desc;
    struct qp_pass pass;
};

static void fill_lists(struct lists *lists, int elements)
{
    *lists = (struct lists){.desc = {.name = "sums", .body = lists->text}};
    int used = snprintf(lists->text, sizeof lists->text,
                        "float kernel(vec2 here) { int i = int(here.x); return 0.0");
    for (int k = 0; elements > 0; k++, elements -= ELEMENTS) {
        const int count = elements < ELEMENTS ? elements : ELEMENTS;
        snprintf(lists->name[k], sizeof lists->name[k], "a%d", k);
        used += snprintf(lists->text + used, sizeof lists->text - (size_t)used,
                         " + (i < %d ? %s[i] : 0.0)", count, lists->name[k]);
        lists->desc.number[k] =
            (struct qp_kernel_number){.name = lists->name[k], .elements = count};
        lists->pass.number[k] =
            (struct qp_pass_number){.name = lists->name[k], .list = lists->list[k]};
        for (int i = 0; i < count; i++)
            lists->expected[i] += (float)(lists->list[k][i] = 100 * k + i);
    }
    snprintf(lists->text + used, sizeof lists->text - (size_t)used, "; }");
}

static void expect_sums(int elements)
{
    struct lists lists;
    fill_lists(&lists, elements);
    struct qp_kernel *sums = kernel(lists.desc);
    struct qp_array *out = grid(ELEMENTS, 1, NULL);
    lists.pass.kernel = sums;
    lists.pass.output[0] = out;
    assert_ok(qp_pass_run(&lists.pass));
    expect_values(out, lists.expected, ELEMENTS, "sums");
    qp_kernel_destroy(&sums);
    qp_array_destroy(&out);
}

static void expect_too_many(int elements, int registers)
{
    char words[128];
    struct lists lists;
    struct qp_kernel *sums;
    fill_lists(&lists, elements);
    assert_int_equal(qp_kernel_create(context, &lists.desc, &sums), QP_UNSUPPORTED);
    snprintf(words, sizeof words, "sums: its numbers take %d registers, ", elements + 1);
    support_assert_sentence(words);
    snprintf(words, sizeof words, "this device has %d; put long arrays into an input", registers);
    support_assert_sentence(words);
}

/* NVIDIA has 1024 registers, fewer than all elements and `origin` take; a driver needs some for
 * itself. */
CLEAN_TEST(as_many_elements_as_the_device_has)
{
    enum { ALL = QP_KERNEL_NUMBERS * ELEMENTS, SPARE = 32 };
    context = support_need_context(state);
    GLint components = 0;
    glGetIntegerv(GL_MAX_FRAGMENT_UNIFORM_COMPONENTS, &components);
    const int registers = components / 4;
    expect_sums(registers > ALL ? ALL : registers - SPARE);
    if (registers <= ALL)
        expect_too_many(ALL, registers);
}

/* Set-up and tear-down of a test: the device says that it has the fewest that OpenGL 3 allows, and
 * again what it has. */
static int say_few_registers(void **state)
{
    (void)state;
    faults_integer(GL_MAX_FRAGMENT_UNIFORM_COMPONENTS, 1024);
    return 0;
}

static int say_own_registers(void **state)
{
    faults_integer(0, 0);
    return support_check_clean(state);
}

#define FEW_REGISTERS_TEST(test) \
    TEST(test, .setup_func = say_few_registers, .teardown_func = say_own_registers)

FEW_REGISTERS_TEST(elements_beyond_the_device_are_refused)
{
    context = support_need_context(state);
    expect_sums(255);
    expect_too_many(256, 256);
}

/* A number that the text does not use takes none. */
FEW_REGISTERS_TEST(unused_elements_take_no_registers)
{
    struct lists lists;
    context = support_need_context(state);
    fill_lists(&lists, 256);
    lists.desc.body = "float kernel(vec2 here) { return a1[2]; } // a0[1]";
    struct qp_kernel *one = kernel(lists.desc);
    qp_kernel_destroy(&one);
}

/* In a whole shader the driver finds it. */
CLEAN_TEST(too_long_arrays_of_whole_shaders)
{
    static const char text[] = "#version 120\nuniform float list[20000];\nvoid main()\n{\n"
                               "    gl_FragColor = vec4(list[int(gl_FragCoord.x)]);\n}\n";
    struct qp_kernel *sums;
    context = support_need_context(state);
    const enum qp_status status = qp_kernel_create(
        context,
        &(struct qp_kernel_desc){.name = "long", .fragment = {.text = text}, .number = {{"list"}}},
        &sums);
    assert_int_equal(status, QP_BAD_INPUT);
    support_assert_sentence(
        "each element of an array takes a register: put long arrays into an input");
}

/* Rounded towards zero; what no int of 32 bits is, is refused. */
CLEAN_TEST(ints_are_of_32_bits)
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

/* Values outside keep all their digits: a float does not have the digits of a double and of an
 * integer. */
CLEAN_TEST(values_outside_are_of_the_type)
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
CLEAN_TEST(values_outside_halves_are_halves)
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

GROUP(faults_open_context, support_close_context)
