/* SPDX-License-Identifier: MIT */
/* Ways to draw: blending, points, passes in place; and errors of use, each with its sentence. */
#include "support/toolkit.h"

#include <pthread.h>
#include <string.h>

/* ---- Ways to draw ---- */

CLEAN_TEST(results_meet_what_is_there)
{
    static const float there[] = {1, 5, -2}, result[] = {3, 4, -7};
    static const float expected[][3] = {{3, 4, -7}, {4, 9, -9}, {-2, 1, 5}, {1, 4, -7}, {3, 5, -2}};
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_FLOAT_BLEND))
        skip();
    struct qp_array *x = row_of(3, result);
    struct qp_kernel *same = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return x_at(0, 0); }", .input = {{"x"}}});
    for (int blend = QP_BLEND_REPLACE; blend <= QP_BLEND_MAX; blend++) {
        struct qp_array *out = row_of(3, there);
        assert_ok(qp_pass_run(&(struct qp_pass){.kernel = same,
                                                .input = {{"x", x}},
                                                .output = {out},
                                                .blend = (enum qp_pass_blend)blend}));
        expect_values(out, expected[blend], 3, "");
        qp_array_destroy(&out);
    }
    qp_kernel_destroy(&same);
    qp_array_destroy(&x);
}

/* How often each remainder of 4 occurs; one value is put outside. */
CLEAN_TEST(points_scatter)
{
    static const float values[] = {0, 1, 2, 3, 4, 5, 6, 9, 13, 77}, expected[] = {2, 4, 2, 1};
    static const char vertex[] =
        "#version 120\n"
        "#extension GL_ARB_texture_rectangle : require\n"
        "uniform sampler2DRect x;\n"
        "void main()\n"
        "{\n"
        "    float value = texture2DRect(x, vec2(gl_Vertex.x + 0.5, 0.5)).r;\n"
        "    float bin = value > 50.0 ? -3.0 : mod(value, 4.0);\n"
        "    gl_Position = gl_ModelViewProjectionMatrix * vec4(bin + 0.5, 0.5, 0.0, 1.0);\n"
        "}\n";
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_FLOAT_BLEND))
        skip();
    struct qp_array *x = row_of(10, values), *bins = row_of(4, NULL);
    struct qp_kernel *counts = kernel((struct qp_kernel_desc){
        .fragment = {.text = "#version 120\nvoid main() { gl_FragColor = vec4(1.0); }\n"},
        .vertex = {.text = vertex},
        .input = {{"x"}}});
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = counts,
                                            .input = {{"x", x}},
                                            .output = {bins},
                                            .blend = QP_BLEND_ADD,
                                            .points = 10}));
    expect_values(bins, expected, 4, "");
    qp_kernel_destroy(&counts);
    qp_array_destroy(&bins);
    qp_array_destroy(&x);
}

CLEAN_TEST(passes_in_place)
{
    static const float values[] = {1, 2, 3}, expected[] = {8, 16, 24};
    context = support_need_context(state);
    if (!(qp_context_device(context)->abilities & QP_CAN_TEXTURE_BARRIER))
        skip();
    struct qp_array *x = row_of(3, values);
    struct qp_kernel *twice = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { return 2.0 * x_at(0, 0); }", .input = {{"x"}}});
    const struct qp_pass pass = {
        .kernel = twice, .input = {{"x", x}}, .output = {x}, .in_place = true};
    for (int k = 0; k < 3; k++)
        assert_ok(qp_pass_run(&pass));
    expect_values(x, expected, 3, "");
    qp_kernel_destroy(&twice);
    qp_array_destroy(&x);
}

/* ---- Errors of kernels ---- */

#define A           \
    {               \
        .name = "a" \
    }
#define BODY "float kernel(vec2 here) { return x_at(0, 0); }"

CLEAN_TEST(descriptions_of_kernels)
{
    static const struct {
        struct qp_kernel_desc desc;
        enum qp_status status;
        const char *words;
    } cases[] = {
        {{.body = NULL}, QP_BAD_USE, "kernel needs either a body or a fragment shader"},
        {{.body = BODY, .fragment = {.text = "void main() {}"}}, QP_BAD_USE, "only one of them"},
        {{.body = BODY, .vertex = {.text = "void main() {}"}}, QP_BAD_USE, "not a body"},
        {{.body = "#version 120\n" BODY}, QP_BAD_USE, "a body has no #version line"},
        {{.body = BODY, .input = {{"here"}}}, QP_BAD_USE, "'here' cannot name an input"},
        {{.body = BODY, .input = {{"a b"}}}, QP_BAD_USE, "'a b' cannot name an input"},
        {{.body = BODY, .input = {{""}}}, QP_BAD_USE, "'' cannot name an input"},
        {{.fragment = {.text = "uniform vec2 origin; void main() { gl_FragColor = origin.xyxy; }"},
          .number = {{"origin", QP_NUMBER_VEC2}}},
         QP_BAD_USE,
         "'origin' cannot name a number"},
        {{.name = "ints",
          .body = "int kernel(vec2 here)\n{\n    return q;\n}",
          .output_type = QP_ARRAY_INT},
         QP_BAD_INPUT,
         "ints:3: 'return q;': "},
        {{.body = BODY, .input = {{"x"}, {"x"}}}, QP_BAD_USE, "two inputs are called 'x'"},
        {{.body = BODY, .input = {{"x", .channels = 3}}}, QP_BAD_USE, "3 channels"},
        {{.body = BODY, .input = {{"x", (enum qp_array_type)9}}}, QP_BAD_USE, "type 9"},
        {{.body = BODY, .input = {{"x", .reach = -1}}}, QP_BAD_USE, "the reach -1 of input 'x'"},
        {{.body = BODY, .input = {{"x"}}, .number = {{"x"}}}, QP_BAD_USE, "an input and a number"},
        {{.body = BODY, .input = {{"x"}}, .number = {{"a"}, {"a"}}}, QP_BAD_USE, "two numbers"},
        {{.body = BODY, .input = {{"x"}}, .number = {{"a", (enum qp_number_type)99}}},
         QP_BAD_USE,
         "of type 99"},
        {{.body = BODY, .input = {{"x"}}, .number = {{"a", .elements = 1}}},
         QP_BAD_USE,
         "1 elements"},
        {{.body = BODY, .input = {{"x"}}, .outputs = 5}, QP_BAD_USE, "5 outputs"},
        {{.body = "void kernel(vec2 here) { out0 = out10; }", .outputs = 2},
         QP_BAD_USE,
         "kernel 'void kernel(vec2 here) { out0 = out10; }' has 2 outputs, and its body never sets "
         "out1"},
        {{.body = BODY, .input = {{"x"}}, .output_channels = 3}, QP_BAD_USE, "3 channels"},
        {{.name = "far",
          .body = "float kernel(vec2 here)\n{ return x_at(0, 2); }",
          .input = {{"x", .reach = 1}}},
         QP_BAD_USE,
         "far:2: x_at(0, 2) is beyond the reach 1 of input 'x'"},
        {{.name = "wrong", .body = "float kernel(vec2 here)\n{\n    return q;\n}"},
         QP_BAD_INPUT,
         "wrong:3: 'return q;': "},
        {{.name = "near",
          .body = "float kernel(vec2 here)\n{\n    return yell_at(0, 0);\n}",
          .input = {{"yelp"}, {"bell"}}},
         QP_BAD_INPUT,
         "; did you mean 'yelp_at'?"},
        {{.body = "float kernel(vec2 here) { return 2.0 * alpa; }",
          .number = {{"beta"}, {"alpha"}}},
         QP_BAD_INPUT,
         "; did you mean 'alpha'?"},
        {{.body = "vec4 kernel(vec2 here) { return vec4(0.0); }"},
         QP_BAD_INPUT,
         "; a body has a function `float kernel(vec2 here)`"},
        {{.body = "float kernel(ivec2 here) { return 0.0; }"}, QP_BAD_INPUT, "; a body has"},
        {{.body = "float my_kernel(vec2 here) { return 0.0; }"}, QP_BAD_INPUT, "; a body has"},
        {{.body = "void main() { gl_FragColor = vec4(0.0); }"}, QP_BAD_INPUT, "; a body has"},
        {{.body = "float kernel(vec2 here) { out0 = out1 = 0.0; }", .outputs = 2},
         QP_BAD_INPUT,
         "; a body has a function `void kernel(vec2 here)`"},
        {{.body = "\n\n\n\n\n\n\n\n\n\nfloat kernel(vec2 here) { return in_at(0, 0); }",
          .input = {{"in"}}},
         QP_BAD_INPUT,
         "; is the name of an input or a number a word of GLSL?"},
        {{.body = "uniform float wieght;\nfloat kernel(vec2 here) { return wieght; }",
          .number = {{"weight"}}},
         QP_BAD_INPUT,
         "kernel 'uniform float wieght;':1: 'uniform float wieght;': nothing sets 'wieght', a "
         "float; did you mean "
         "'weight'?"},
        {{.fragment = {.text = "#version 120\nuniform int a;\nvoid main() { gl_FragColor = "
                               "vec4(float(a)); }\n"},
          .number = {{"a"}}},
         QP_BAD_INPUT,
         "'a' is an int and must be a float"},
        {{.name = "again",
          .body = "uniform float a;\nfloat kernel(vec2 here) { return a; }",
          .number = {{"a"}}},
         QP_BAD_INPUT,
         "; the short form declares inputs and numbers: leave this line out"},
        {{.name = "one", .body = "float kernel(vec2 here) { return x_at(0); }", .input = {{"x"}}},
         QP_BAD_INPUT,
         "; gathers are x_at(float, float) and x_cell(vec2)"},
        {{.name = "word", .body = BODY, .number = {{"out"}}}, QP_BAD_INPUT, "word: error"},
        {{.name = "v", .body = "varying float v;\n" BODY},
         QP_BAD_USE,
         "v: a body has no varyings, for it has no vertex shader that sets them"},
        {{.fragment = {.file = "/nowhere/to/be/found.frag"}}, QP_BAD_INPUT, "/nowhere/to/be"},
    };
    context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_kernel *made = (struct qp_kernel *)&made;
        assert_int_equal(qp_kernel_create(context, &cases[i].desc, &made), cases[i].status);
        support_assert_sentence(cases[i].words);
        assert_null(made);
    }
}

/* Sentences of a driver about the caller's own words stay as they are. */
CLEAN_TEST(other_mistakes_are_not_explained)
{
    static const char *const bodies[] = {
        "float kernel(vec2 here) { float a = 1.0; float a = 2.0; return a; }",
        "float f(float a) { return a; }\nfloat kernel(vec2 here) { return f(here); }"};
    context = support_need_context(state);
    for (int i = 0; i < COUNT(bodies); i++) {
        struct qp_kernel *made;
        assert_int_equal(
            qp_kernel_create(context, &(struct qp_kernel_desc){.body = bodies[i]}, &made),
            QP_BAD_INPUT);
        assert_null(strstr(qp_error(), "short form"));
        assert_null(strstr(qp_error(), "gathers"));
        assert_null(strstr(qp_error(), "candidates are"));
    }
}

/* ---- Errors of passes ---- */

CLEAN_TEST(passes_that_cannot_be)
{
    static const float three[] = {1, 2, 3};
    context = support_need_context(state);
    struct qp_context *other;
    assert_ok(qp_context_create(NULL, &other));
    struct qp_array *x = row_of(3, three), *y = row_of(3, three), *out = row_of(3, NULL),
                    *long_out = row_of(4, NULL), *foreign;
    struct qp_array *whole =
        make((struct qp_array_desc){.width = 3, .height = 1, .type = QP_ARRAY_INT}, NULL);
    assert_ok(
        qp_array_create(other, &(struct qp_array_desc){.width = 3, .height = 1}, NULL, &foreign));
    struct qp_array *gone = row_of(3, NULL), *kept = gone;
    qp_array_destroy(&gone);
    struct qp_kernel *adds = saxpy();
    const struct {
        struct qp_pass pass;
        const char *words;
    } cases[] = {
        {{.input = {{"x", x}}}, "'kernel' is"},
        {{.kernel = adds, .input = {{"x", x}}, .number = {A}, .output = {out}},
         "saxpy: input 'y' is missing"},
        {{.kernel = adds, .input = {{"x", x}, {"y", y}}, .output = {out}},
         "saxpy: number 'a' is missing"},
        {{.kernel = adds, .input = {{"x", x}, {"y", y}, {"z", y}}, .number = {A}, .output = {out}},
         "saxpy has no input called 'z'; it has x, y"},
        {{.kernel = adds, .input = {{"x", x}, {"x", y}}, .number = {A}, .output = {out}},
         "input 'x' is given twice"},
        {{.kernel = adds, .input = {{"x", x}, {"y", y}}, .number = {A, A}, .output = {out}},
         "number 'a' is given twice"},
        {{.kernel = adds,
          .input = {{"x", x}, {"y", y}},
          .number = {{.name = "b"}},
          .output = {out}},
         "saxpy has no number called 'b'; it has a"},
        {{.kernel = adds, .input = {{"x", x}, {"y", NULL}}, .number = {A}, .output = {out}},
         "'y' is"},
        {{.kernel = adds, .input = {{"x", x}, {"y", kept}}, .number = {A}, .output = {out}},
         "'y' is not an array that lives"},
        {{.kernel = adds, .input = {{"x", x}, {"y", foreign}}, .number = {A}, .output = {out}},
         "'y' is an array of another context"},
        {{.kernel = adds, .input = {{"x", x}, {"y", whole}}, .number = {A}, .output = {out}},
         "input 'y' has cells of 1 x int, and the kernel reads 1 x float"},
        {{.kernel = adds, .input = {{"x", x}, {"y", y}}, .number = {A}, .output = {whole}},
         "output 0 has cells of 1 x int, and the kernel writes 1 x float"},
        {{.kernel = adds, .input = {{"x", x}, {"y", y}}, .number = {A}, .output = {NULL}},
         "output 0 is missing"},
        {{.kernel = adds, .input = {{"x", x}, {"y", y}}, .number = {A}, .output = {out, long_out}},
         "output 1 is one more"},
        {{.kernel = adds, .input = {{"x", x}, {"y", y}}, .number = {A}, .output = {y}},
         "input 'y' is in the array that output 0"},
        {{.kernel = adds,
          .input = {{"x", x}, {"y", y}},
          .number = {A},
          .output = {out},
          .region = {1, 0, 3, 1}},
         "saxpy: region"},
        {{.kernel = adds,
          .input = {{"x", x}, {"y", y}},
          .number = {A},
          .output = {out},
          .region = {1, 0, 0, 0}},
         "without a size"},
        {{.kernel = adds,
          .input = {{"x", x}, {"y", y}},
          .number = {A},
          .output = {out},
          .blend = (enum qp_pass_blend)5},
         "blend 5"},
        {{.kernel = adds,
          .input = {{"x", x}, {"y", y}},
          .number = {A},
          .output = {out},
          .points = 3},
         "with a vertex shader"},
        {{.kernel = adds,
          .input = {{"x", x}, {"y", y}},
          .number = {A},
          .output = {out},
          .points = -1},
         "-1 points are not from 0 to 16777216"},
        {{.kernel = adds,
          .input = {{"x", x}, {"y", y}},
          .number = {A},
          .output = {out},
          .points = (1 << 24) + 1},
         "16777217 points are not from 0 to 16777216"},
    };
    assert_ok(qp_array_fill(out, NULL, 7.0));
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_list *list = (struct qp_list *)&list;
        assert_int_equal(qp_pass_run(&cases[i].pass), QP_BAD_USE);
        support_assert_sentence(cases[i].words);
        assert_int_equal(qp_list_create(&cases[i].pass, 1, &list), QP_BAD_USE);
        support_assert_sentence("pass 0 of the list");
        assert_null(list);
    }
    expect_values(out, (const float[]){7, 7, 7}, 3, "");
    qp_kernel_destroy(&adds);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
    qp_array_destroy(&out);
    qp_array_destroy(&long_out);
    qp_array_destroy(&whole);
    qp_array_destroy(&foreign);
    qp_context_destroy(&other);
}

CLEAN_TEST(outputs_that_do_not_match)
{
    context = support_need_context(state);
    static const char body[] = "void kernel(vec2 here) { out0 = out1 = out2 = here.x; }";
    struct qp_kernel *k = kernel((struct qp_kernel_desc){.name = "k", .body = body, .outputs = 3});
    struct qp_array *a = row_of(3, NULL), *b = row_of(3, NULL), *c = row_of(4, NULL), *view;
    assert_ok(qp_array_view(c, &(struct qp_rect){1, 0, 3, 1}, &view));
    struct qp_array *const output[][3] = {{a, a, b}, {a, b, b}, {a, b, a}, {a, b, c}, {a, b, view}};
    static const char *const words[COUNT(output)] = {
        "k: outputs 0 and 1 are in the same array", "k: outputs 1 and 2 are in the same array",
        "k: outputs 0 and 2 are in the same array",
        "k: output 2 has 4 x 1 cells, and output 0 has 3 x 1",
        "k: outputs 0 and 2 begin at different cells of their arrays"};
    for (int i = 0; i < COUNT(output); i++) {
        const struct qp_pass pass = {.kernel = k,
                                     .output = {output[i][0], output[i][1], output[i][2]}};
        assert_int_equal(qp_pass_run(&pass), QP_BAD_USE);
        support_assert_sentence(words[i]);
    }
    for (int i = 0; i < 4; i++)
        qp_array_destroy((struct qp_array *[]){view, a, b, c} + i);
    qp_kernel_destroy(&k);
}

/* ---- Threads ---- */

struct elsewhere {
    const struct qp_pass *pass;
    enum qp_status run, made;
    bool said;
};

static void *run_elsewhere(void *user)
{
    struct elsewhere *at = user;
    struct qp_kernel *made;
    at->run = qp_pass_run(at->pass);
    at->said = strstr(qp_error(), "thread") != NULL;
    at->made =
        qp_kernel_create(context, &(struct qp_kernel_desc){.body = BODY, .input = {{"x"}}}, &made);
    return NULL;
}

CLEAN_TEST(another_thread)
{
    static const float three[] = {1, 2, 3};
    context = support_need_context(state);
    struct qp_array *x = row_of(3, three), *y = row_of(3, three), *out = row_of(3, NULL);
    struct qp_kernel *adds = saxpy();
    const struct qp_pass pass = {
        .kernel = adds, .input = {{"x", x}, {"y", y}}, .number = {A}, .output = {out}};
    struct elsewhere at = {.pass = &pass};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_elsewhere, &at), 0);
    pthread_join(thread, NULL);
    assert_true(at.run == QP_BAD_USE && at.made == QP_BAD_USE && at.said);
    qp_kernel_destroy(&adds);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
    qp_array_destroy(&out);
}

GROUP(support_open_context, support_close_context)
