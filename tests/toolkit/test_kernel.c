/* SPDX-License-Identifier: MIT */
/* Names in kernels: the text in front of a body hides none, and what is said of wrong ones is
 * right; their outputs and programs. */
#include "support/toolkit.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/kernel/kernel.h"

/* Names that the text in front of a body might take for its own parameters. */
CLEAN_TEST(short_names_hide_nothing)
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

/* A mistake of the body is not laid on names: an open brace, a large number in the line, a word
 * unlike all. */
CLEAN_TEST(names_are_not_blamed)
{
    static const char *const bodies[] = {"float kernel(vec2 here)\n{\n    return 0.0;\n",
                                         "float kernel(vec2 here) { return 200000.0 * unknown; }",
                                         "float kernel(vec2 here)\n{\n    return x_at;\n}",
                                         "float kernel \n ( vec2 here) { return unknown; }"};
    context = support_need_context(state);
    for (int i = 0; i < COUNT(bodies); i++) {
        const struct qp_kernel_desc desc = {.body = bodies[i], .input = {{"x"}}};
        struct qp_kernel *made;
        assert_int_equal(qp_kernel_create(context, &desc, &made), QP_BAD_INPUT);
        assert_null(strstr(qp_error(), "GLSL?"));
        assert_null(strstr(qp_error(), "did you mean"));
        assert_null(strstr(qp_error(), "a body has a function"));
    }
}

/* Names that are meant: of all inputs with all endings, and of all numbers. */
CLEAN_TEST(names_that_are_meant)
{
    static const char *const words[][2] = {
        {"yell_at(0, 0)", "yelp_at"}, {"yell_cell(here)", "yelp_cell"},
        {"bel_size.x", "bell_size"},  {"bel_cell(here)", "bell_cell"},
        {"2.0 * bett", "beta"},       {"2.0 * alpa", "alpha"}};
    context = support_need_context(state);
    for (int i = 0; i < COUNT(words); i++) {
        char body[96], meant[64];
        struct qp_kernel *made;
        snprintf(body, sizeof body, "float kernel(vec2 here) { return %s; }", words[i][0]);
        snprintf(meant, sizeof meant, "; did you mean '%s'?", words[i][1]);
        const struct qp_kernel_desc desc = {
            .body = body, .input = {{"yelp"}, {"bell"}}, .number = {{"beta"}, {"alpha"}}};
        assert_int_equal(qp_kernel_create(context, &desc, &made), QP_BAD_INPUT);
        support_assert_sentence(meant);
    }
}

/* A kernel without numbers says that it has none; one with names, which is near. */
CLEAN_TEST(unknown_names)
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

/* Words of GLSL 1.30 in a kernel of floats: it is drawn as that version. */
CLEAN_TEST(words_of_later_versions)
{
    static const struct {
        const char *value;
        float of[2]; /* results for 2.75 and -2.75 */
    } cases[] = {
        {"float(int(v) & 3 | 4)", {6, 6}},
        {"float(int(v) << 2 ^ ~0)", {-9, 7}},
        {"float(int(v) >> 1)", {1, -1}},
        {"float(uint(abs(v)) % 2u)", {0, 0}},
        {"trunc(v) + round(v)", {5, -5}},
        {"isnan(sqrt(v)) ? 1.0 : 2.0", {2, 1}},
        {"isinf(1.0 / (v - 2.75)) ? 1.0 : 2.0", {1, 2}},
        {"tanh(100.0 * v) + sinh(0.0) * cosh(v)", {1, -1}},
        {"0.0; switch (int(v)) { case 2: return 7.0; default: return 8.0; } return 0.0", {7, 8}}};
    const float values[] = {2.75f, -2.75f};
    context = support_need_context(state);
    struct qp_array *x = row_of(2, values), *out = row_of(2, NULL);
    for (int i = 0; i < COUNT(cases); i++) {
        char body[256];
        float got[2];
        snprintf(body, sizeof body,
                 "float kernel(vec2 here) { float v = x_at(0, 0); float t = %s; return t; }",
                 cases[i].value);
        struct qp_kernel *made = kernel((struct qp_kernel_desc){.body = body, .input = {{"x"}}});
        assert_ok(
            qp_pass_run(&(struct qp_pass){.kernel = made, .input = {{"x", x}}, .output = {out}}));
        assert_ok(qp_array_read(out, NULL, got, 0));
        if (memcmp(got, cases[i].of, sizeof got) != 0)
            fail_msg("%s: %g and %g", cases[i].value, got[0], got[1]);
        qp_kernel_destroy(&made);
    }
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* A program for each kind of array that was met, and none twice. */
CLEAN_TEST(programs_are_kept)
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

/* Programs that nobody uses any more are kept for the same text, but not without end: the last
 * ones, and those that a kernel uses. */
CLEAN_TEST(unused_programs_are_dropped)
{
    enum { KERNELS = QP_PROGRAMS_UNUSED + 20 };
    context = support_need_context(state);
    struct qp_array *out = grid(1, 1, NULL);
    struct qp_kernel *lives =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return 0.5; }"});
    size_t first = 0, counted[2] = {0};
    for (int i = 0; i < KERNELS; i++) {
        char body[64];
        snprintf(body, sizeof body, "float kernel(vec2 here) { return %d.0; }", i);
        struct qp_kernel *made = kernel((struct qp_kernel_desc){.body = body}),
                         *again = kernel((struct qp_kernel_desc){.body = body});
        qp_kernel_destroy(&made);
        if (i == 0)
            first = qp_context_counters(context).kept_objects;
        assert_ok(qp_pass_run(&(struct qp_pass){.kernel = again, .output = {out}}));
        expect_values(out, &(float){(float)i}, 1, body);
        qp_kernel_destroy(&again);
        counted[0] = qp_context_counters(context).kept_objects;
    }
    assert_in_range(counted[0], QP_PROGRAMS_UNUSED, first + QP_PROGRAMS_UNUSED);
    static const int numbers[] = {83, 20, 0}; /* the last 64 are found again, the first is not */
    for (int i = 0; i < COUNT(numbers); i++) {
        char body[64];
        snprintf(body, sizeof body, "float kernel(vec2 here) { return %d.0; }", numbers[i]);
        struct qp_kernel *found = kernel((struct qp_kernel_desc){.body = body});
        counted[1] = qp_context_counters(context).kept_objects;
        assert_int_equal(counted[1], counted[0] + (numbers[i] == 0));
        qp_kernel_destroy(&found);
        assert_int_equal(qp_context_counters(context).kept_objects, counted[0]);
    }
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = lives, .output = {out}}));
    expect_values(out, &(float){0.5f}, 1, "a kernel that lives");
    qp_kernel_destroy(&lives);
    qp_array_destroy(&out);
}

#define OLD   "#version 120\n"
#define NEW   "#version 330 compatibility\n"
#define AT(n) "layout(location = " #n ") "

/* Outputs of whole shaders that do not fit would be wrong numbers, or none. */
CLEAN_TEST(outputs_are_compared)
{
    static const struct {
        const char *text;
        int outputs;
        enum qp_array_type type;
        int channels;
        const char *words; /* NULL: they fit */
    } cases[] = {
        {OLD "void main() { gl_FragColor = vec4(5.0); }", 1, QP_ARRAY_FLOAT, 4, NULL},
        {OLD "void main() { gl_FragColor = vec4(5.0); }", 2, QP_ARRAY_HALF, 1, NULL},
        {OLD "void main() { gl_FragData[0] = vec4(1.0); gl_FragData [ 1 ] = vec4(2.0); }", 2,
         QP_ARRAY_FLOAT, 1, NULL},
        {OLD "void main() { for (int i = 0; i < 2; i++) gl_FragData[i] = vec4(1.0); }", 2,
         QP_ARRAY_FLOAT, 1, NULL},
        {OLD "// not gl_FragData[1]\nvoid main() { gl_FragData[0] = vec4(1.0); }", 1,
         QP_ARRAY_FLOAT, 1, NULL},
        {OLD "// gl_FragColor\nvoid main() { gl_FragData[0] = vec4(1.0); }", 2, QP_ARRAY_FLOAT, 1,
         "nothing writes output 1 of 2"},
        {OLD "void main() { gl_FragData[1] = vec4(1.0); }", 2, QP_ARRAY_FLOAT, 1,
         "kernel: nothing writes output 0 of 2: gl_FragData[0], or layout(location = 0)"},
        {OLD "void main() { gl_FragData[0] = gl_FragData[2] = vec4(1.0); }", 1, QP_ARRAY_FLOAT, 1,
         "'gl_FragData' is output 2, and the kernel has 1, from 0 on"},
        {OLD "void main() { gl_FragColor = vec4(5.0); }", 1, QP_ARRAY_INT, 1,
         "kernel:2: 'void main() { gl_FragColor = vec4(5.0); }': 'gl_FragColor' is a vec4 and must "
         "be an ivec4"},
        {NEW "out vec4 c;\nvoid main() { c = vec4(5.0); }", 1, QP_ARRAY_FLOAT, 4, NULL},
        {NEW "out float c;\nvoid main() { c = 5.0; }", 1, QP_ARRAY_HALF, 1, NULL},
        {NEW AT(0) "out vec4 c[2];\nvoid main() { c[0] = c[1] = vec4(5.0); }", 2, QP_ARRAY_FLOAT, 1,
         NULL},
        {NEW "out ivec2 c;\nvoid main() { c = ivec2(5); }", 1, QP_ARRAY_INT, 2, NULL},
        {NEW "out uvec4 c;\nvoid main() { c = uvec4(5u); }", 1, QP_ARRAY_UINT, 4, NULL},
        {NEW "out uvec2 c;\nvoid main() { c = uvec2(5u); }", 1, QP_ARRAY_DOUBLE, 1, NULL},
        {NEW "out ivec4 c;\nvoid main() { c = ivec4(5); }", 1, QP_ARRAY_FLOAT, 1,
         "kernel:2: 'out ivec4 c;': 'c' is an ivec4 and must be a vec4"},
        {NEW "out vec4 c;\nvoid main() { c = vec4(5.0); }", 1, QP_ARRAY_INT, 1,
         "'c' is a vec4 and must be an ivec4"},
        {NEW "out ivec4 c;\nvoid main() { c = ivec4(5); }", 1, QP_ARRAY_UINT, 1,
         "'c' is an ivec4 and must be a uvec4"},
        {NEW "out uint c;\nvoid main() { c = 5u; }", 1, QP_ARRAY_DOUBLE, 1,
         "'c' is a uint and must be a uvec4"},
        {NEW "out vec2 c;\nvoid main() { c = vec2(5.0); }", 1, QP_ARRAY_FLOAT, 4,
         "'c' is a vec2 and must be a vec4"},
        {NEW AT(1) "out vec4 c;\nvoid main() { c = vec4(5.0); }", 1, QP_ARRAY_FLOAT, 1,
         "'c' is output 1, and the kernel has 1, from 0 on"},
        {NEW AT(7) "out vec4 c;\nvoid main() { c = vec4(5.0); }", 1, QP_ARRAY_FLOAT, 1,
         "'c' is output 7"},
        {NEW AT(0) "out vec4 c;\n" AT(1) "out vec4 d;\nvoid main() { c = d = vec4(5.0); }", 1,
         QP_ARRAY_FLOAT, 1, "'d' is output 1"},
        {NEW AT(0) "out vec4 c;\nvoid main() { c = vec4(5.0); }", 2, QP_ARRAY_FLOAT, 1,
         "kernel: nothing writes output 1 of 2: gl_FragData[1], or layout(location = 1)"},
    };
    context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++) {
        const struct qp_kernel_desc desc = {.name = "kernel",
                                            .fragment = {.text = cases[i].text},
                                            .outputs = cases[i].outputs,
                                            .output_type = cases[i].type,
                                            .output_channels = cases[i].channels};
        struct qp_kernel *made;
        const enum qp_status status = qp_kernel_create(context, &desc, &made);
        if (status == QP_UNSUPPORTED)
            continue; /* doubles */
        if (status != (cases[i].words != NULL ? QP_BAD_INPUT : QP_OK))
            fail_msg("case %d: %d, %s", i, status, qp_error());
        if (cases[i].words != NULL)
            support_assert_sentence(cases[i].words);
        qp_kernel_destroy(&made);
    }
}

/* Bodies that Mesa takes and drops, computes in another order than C, or makes other numbers of. */
CLEAN_TEST(wrong_bodies_are_refused)
{
    static const char *const rows[][2] = {
        {"x_at(1.0, 0.0) = 2.0;", "k:3: 'x_at(1.0, 0.0)' is set, but a kernel writes its own cell"},
        {"a = 10.0 * a + a++;",
         "k:3: 'a' is set and named again by one expression, and OpenGL and"},
        {"a = join(a, a += 1.0);", "k:3: 'a' is set and named again"},
        {"a = float(3000000000);", "k:3: 3000000000 is beyond int"},
        {"a = 1e39;", "k:3: 1e39 is beyond float"},
    };
    context = support_need_context(state);
    for (int k = 0; k < COUNT(rows); k++) {
        char body[256];
        const struct qp_kernel_desc desc = {.name = "k", .body = body, .input = {{"x"}}};
        struct qp_kernel *made;
        snprintf(body, sizeof body,
                 "float join(float a, float b) { return a + b; }\n"
                 "float kernel(vec2 here) { float a = x_at(0.0, 0.0);\n%s\nreturn a; }",
                 rows[k][0]);
        assert_int_equal(qp_kernel_create(context, &desc, &made), QP_BAD_INPUT);
        support_assert_sentence(rows[k][1]);
    }
}

/* The first line that is none of the preprocessor's. */
CLEAN_TEST(shaders_are_called_by_their_first_line)
{
    const struct qp_kernel_desc desc = {
        .fragment = {.text = "#version 120\n\nvoid main() { gl_FragColor = vec4(q); }"}};
    struct qp_kernel *made;
    context = support_need_context(state);
    assert_int_equal(qp_kernel_create(context, &desc, &made), QP_BAD_INPUT);
    support_assert_sentence("kernel 'void main() { gl_FragColor = vec4(q); }':3: ");
}

/* Mesa's preprocessor and its parser count the lines after a #line in two ways; the user's are
 * meant. */
CLEAN_TEST(preprocessors_name_the_line)
{
    static const struct {
        const char *body, *words;
    } cases[] = {
        {"\n\n\n#error four\n", "kernel:4: '#error four': preprocessor error: #error four"},
        {"#include \"x\"\n", "kernel:1: '#include \"x\"': preprocessor error: "},
        {"\n#include \"x\"\n", "kernel:2: '#include \"x\"': "},
        {"\n\n#include \"x\"\n", "kernel:3: '#include \"x\"': "},
        {"// an old one /*\nfloat a; /* good */ /* open\n\n",
         "kernel:2: 'float a; /* good */ /* open': preprocessor error: Unterminated comment"},
        {"\nfloat a = q;\n", "kernel:2: 'float a = q;': 0:2"},
    };
    context = support_need_context(state);
    if (strstr(qp_context_device(context)->version, "Mesa") == NULL)
        skip();
    for (int i = 0; i < 2 * COUNT(cases); i++) {
        char body[256];
        const char *type = i % 2 == 0 ? "float" : "int"; /* GLSL 1.20 and 3.30 */
        snprintf(body, sizeof body, "%s%s kernel(vec2 here) { return 1; }", cases[i / 2].body,
                 type);
        const struct qp_kernel_desc desc = {.name = "kernel",
                                            .body = body,
                                            .output_type =
                                                i % 2 == 0 ? QP_ARRAY_FLOAT : QP_ARRAY_INT};
        struct qp_kernel *made;
        assert_int_not_equal(qp_kernel_create(context, &desc, &made), QP_OK);
        support_assert_sentence(cases[i / 2].words);
    }
}

/* The first forty letters of the text, of its first line that has any, name a kernel without a
 * name. */
CLEAN_TEST(kernels_without_a_name)
{
    context = support_need_context(state);
    struct qp_array *out = row_of(3, NULL);
    struct qp_kernel *made = kernel((struct qp_kernel_desc){
        .body = "\n  float kernel(vec2 here) { return x_at(0, 0); }", .input = {{"x"}}});
    assert_int_equal(qp_pass_run(&(struct qp_pass){.kernel = made, .output = {out}}), QP_BAD_USE);
    assert_string_equal(qp_error(), "kernel 'float kernel(vec2 here) { return x_at(0,': input 'x' "
                                    "is missing");
    qp_kernel_destroy(&made);
    qp_array_destroy(&out);
}

GROUP(support_open_context, support_close_context)
