/* SPDX-License-Identifier: MIT */
/* Disguises of shaders as texts: what each of the six changes, and that drivers compile it. */
#include "toolkit/glsl/changes.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/kernel_file.h>

#include "support/support.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/call.h"
#include "toolkit/kernel/kernel.h"

static const struct qp_kernel_desc heat = {.input = {{"x"}, {"m", QP_ARRAY_INT, 2}},
                                           .number = {{"rate"}}};

/* All disguises of a kind, a line each, with the line that is changed. */
static const char *told(const char *text, const struct qp_kernel_desc *desc, int kind)
{
    static char all[4096];
    struct qp_changes d;
    all[0] = '\0';
    assert_ok(qp_changes_open(text, desc, &qp_disguises, &d));
    while (qp_changes_next(&d)) {
        if (d.kind == kind)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%d: %s|", qp_change_line(&d),
                     d.other);
    }
    qp_changes_close(&d);
    assert_null(d.other);
    return all;
}

TEST(bodies_go_under_conditions_and_into_loops)
{
    assert_string_equal(
        told("float kernel(vec2 here) { return 1.0; }", &heat, QP_DISGUISE_CONDITION),
        "1: float kernel(vec2 here) { if (gl_DepthRange.far > 0.5) { return 1.0; } "
        "return float(gl_DepthRange.far); }|");
    assert_string_equal(
        told("float f();\nvoid kernel(vec2 here) { out0 = f(); }", &heat, QP_DISGUISE_LOOP),
        "2: float f();\nvoid kernel(vec2 here) { for (int disguise_round = 0; "
        "disguise_round < int(gl_DepthRange.far + 0.5); disguise_round++) { out0 = "
        "f(); } }|");
    assert_string_equal(
        told("struct S { float a; };\nS f() { return S(1.0); }", &heat, QP_DISGUISE_LOOP), "");
}

TEST(floats_are_multiplied)
{
    static const char body[] = "float kernel(vec2 here) { const float c = 1.0;\nfloat a = c, b = "
                               "2.0; int i = 1; b = a;\nreturn a + b; }";
    assert_string_equal(
        told(body, &heat, QP_DISGUISE_PRODUCT),
        "2: float kernel(vec2 here) { const float c = 1.0;\nfloat a = gl_DepthRange.far "
        "* ( c), b = 2.0; int i = 1; b = a;\nreturn a + b; }|3: float kernel(vec2 "
        "here) { const float c = 1.0;\nfloat a = c, b = 2.0; int i = 1; b = "
        "a;\nreturn gl_DepthRange.far * ( a + b); }|");
    assert_string_equal(
        told("void main() { gl_FragColor = a; gl_FragData[i] = b; }", NULL, QP_DISGUISE_PRODUCT),
        "1: void main() { gl_FragColor = gl_DepthRange.far * ( "
        "a); gl_FragData[i] = b; }|1: void main() { "
        "gl_FragColor = a; gl_FragData[i] = gl_DepthRange.far * ( b); }|");
    assert_string_equal(told("int kernel(vec2 here) { return 1; }", &heat, QP_DISGUISE_PRODUCT),
                        "");
    assert_string_equal(
        told("void main() { (a) = b; l[0] = c; } float f() { return; }", NULL, QP_DISGUISE_PRODUCT),
        "");
    assert_string_equal(told("void main() { f(gl_FragColor = a) + b; }", NULL, QP_DISGUISE_PRODUCT),
                        "1: void main() { f(gl_FragColor = gl_DepthRange.far * ( a)) + b; }|");
}

TEST(fetches_are_moved)
{
    assert_string_equal(
        told("float kernel(vec2 here) {\nreturn x_at(1, 0) + float(m_cell(here).x) + y_at(1, 0); }",
             &heat, QP_DISGUISE_FUNCTION),
        "2: float disguise_fetch(float disguise_x, float disguise_y) { return x_at(disguise_x, "
        "disguise_y); } float kernel(vec2 here) {\nreturn disguise_fetch(1, 0) + "
        "float(m_cell(here).x) + y_at(1, 0); }|2: ivec2 disguise_fetch(vec2 disguise_x) { return "
        "m_cell(disguise_x); } float kernel(vec2 here) {\nreturn x_at(1, 0) + "
        "float(disguise_fetch(here).x) + y_at(1, 0); }|");
    assert_string_equal(
        told("#version 120\nuniform sampler2DRect x;\nhighp vec4 f(sampler2DRect y) { return "
             "texture2DRect(x, a) + texture2DRect(y, b); }",
             NULL, QP_DISGUISE_FUNCTION),
        "3: #version 120\nuniform sampler2DRect x;\nvec4 "
        "disguise_fetch(vec2 disguise_x) { return texture2DRect(x, disguise_x); } highp vec4 "
        "f(sampler2DRect y) { return disguise_fetch( a) + texture2DRect(y, b); }|");
    assert_string_equal(told("uniform sampler2DRect x, s[2]; vec4 f(sampler2DRect x) { return "
                             "texture2DRect(x, a) + texture2DRect(s[1], a); }",
                             NULL, QP_DISGUISE_FUNCTION),
                        "");
    assert_string_equal(told("float kernel(vec2 here) { return x_at(here) + x_cell(1, 0); }", &heat,
                             QP_DISGUISE_FUNCTION),
                        "");
    assert_string_equal(
        told("uniform isampler2DRect x; ivec4 f() { return texelFetch(x, p); }", NULL,
             QP_DISGUISE_FUNCTION),
        "1: uniform isampler2DRect x; ivec4 disguise_fetch(ivec2 disguise_x) { return "
        "texelFetch(x, disguise_x); } ivec4 f() { return disguise_fetch( p); }|");
}

/* The sums of a body: what each becomes. */
TEST(operands_are_swapped)
{
    static const struct {
        const char *sum, *swapped;
    } sums[] = {{"a + b", "b + a"},
                {"a + b + c", "b + a + c"},
                {"a + b - c", "b + a - c"},
                {"(a * c) + x_at(1, 0).x", "x_at(1, 0).x + (a * c)"},
                {"p.xy[1].x + 1.5", "1.5 + p.xy[1].x"},
                {"q[i][j] + (a * b).x", "(a * b).x + q[i][j]"},
                {"c * (a /* 1 */ + b)", "c * (b /* 1 */ + a)"},
                {"a < b + c ? 1.0 : a", "a < c + b ? 1.0 : a"},
                {"1.5 + a", "a + 1.5"},
                {"a * b + c", NULL},
                {"a + b * c", NULL},
                {"a + b / c", NULL},
                {"a + b % c", NULL},
                {"a + -b", NULL},
                {"atomicAdd(m, 1) + a", NULL},
                {"a + imageAtomicAdd(x, p, 1)", NULL},
                {"c - a + b", NULL},
                {"-a + b", NULL},
                {"+a", NULL},
                {"a++ + b", NULL},
                {"a + b++", NULL},
                {"(a = b) + a", NULL},
                {"g() + a", NULL},
                {"a - b", NULL}};
    for (int i = 0; i < COUNT(sums); i++) {
        static const char form[] = "float g() { a = 1.0; }\nfloat f() { return %s; }";
        char text[160], wanted[160] = "";
        snprintf(text, sizeof text, form, sums[i].sum);
        if (sums[i].swapped != NULL)
            snprintf(wanted, sizeof wanted, "2: float g() { a = 1.0; }\nfloat f() { return %s; }|",
                     sums[i].swapped);
        if (strcmp(told(text, &heat, QP_DISGUISE_SWAP), wanted) != 0)
            fail_msg("'%s': '%s'", sums[i].sum, told(text, &heat, QP_DISGUISE_SWAP));
    }
    assert_string_equal(told("void f() { if (c) +b; else +b; while (c) +b; for (;;) +b; switch (c) "
                             "+b; LOOP(c) { } +b; }",
                             &heat, QP_DISGUISE_SWAP),
                        "");
}

TEST(names_change)
{
    assert_string_equal(
        told(
            "float g;\n#define h(a) a\nfloat f(float a, vec2 p) { float x = a; return x + p.x + g; "
            "}\nfloat kernel(vec2 here) { float h = 1.0, g = rate; vec2 x2 = here; return f(h, "
            "x2); }",
            &heat, QP_DISGUISE_NAMES),
        "3: float g;\n#define h(a) a\nfloat disguised_f(float a, vec2 disguised_p) { float x = a; "
        "return x + disguised_p.x + g; }\nfloat kernel(vec2 disguised_here) { float h = 1.0, g = "
        "rate; vec2 disguised_x2 = disguised_here; return disguised_f(h, disguised_x2); }|");
    assert_string_equal(told("float kernel(vec2 size) { float mod = mod(1.0, 2.0); float _a = 1.0; "
                             "float rate = _a; return 1.0; }",
                             &heat, QP_DISGUISE_NAMES),
                        "");
    assert_string_equal(
        told("float kernel(vec2 size) { float y = size.y; return y; }", &heat, QP_DISGUISE_NAMES),
        "1: float kernel(vec2 size) { float disguised_y = size.y; return disguised_y; }|");
}

TEST(some_texts_have_none)
{
    static const char *const texts[] = {"", "float a;", "float kernel(vec2 here);",
                                        "float kernel(vec2 here) { return disguise_1; }"};
    for (int i = 0; i < COUNT(texts); i++) {
        for (int kind = 0; kind < QP_DISGUISES; kind++)
            assert_string_equal(told(texts[i], &heat, kind),
                                i == 2 && kind == QP_DISGUISE_NAMES
                                    ? "1: float kernel(vec2 disguised_here);|"
                                    : "");
    }
}

/* ---- Kernels ---- */

enum { WIDTH = 13, HEIGHT = 7, MOST_VALUES = 4 * WIDTH * HEIGHT };

static struct qp_context *context;

/* Values of all types, as many bytes as doubles have. */
static struct qp_array *make_array(enum qp_array_type type, int channels)
{
    static double doubles[MOST_VALUES];
    float *floats = (float *)doubles;
    int32_t *wholes = (int32_t *)doubles;
    struct qp_array *array;
    for (int i = 0; i < MOST_VALUES; i++) {
        const int random = (i * 7919 + 13) % 1009;
        if (type == QP_ARRAY_DOUBLE)
            doubles[i] = random / 504.5 - 1.0;
        else if (type <= QP_ARRAY_HALF)
            floats[i] = (float)random / 504.5f - 1.0f;
        else
            wholes[i] = random % 10;
    }
    assert_ok(qp_array_create(context,
                              &(struct qp_array_desc){.width = WIDTH,
                                                      .height = HEIGHT,
                                                      .channels = channels,
                                                      .type = type,
                                                      .outside = QP_OUTSIDE_CLAMP},
                              doubles, &array));
    return array;
}

/* Draws a kernel over such arrays; its outputs' values come one after the other. */
static enum qp_status draw(const struct qp_kernel_desc *desc, const struct qp_pass_number *numbers,
                           double *values)
{
    struct qp_kernel *kernel;
    struct qp_pass pass = {.kernel = NULL};
    enum qp_status status = qp_kernel_create(context, desc, &kernel);
    if (status != QP_OK)
        return status;
    pass.kernel = kernel;
    pass.points = kernel->places ? WIDTH * HEIGHT : 0;
    pass.blend = kernel->places ? QP_BLEND_ADD : QP_BLEND_REPLACE;
    memcpy(pass.number, numbers, sizeof pass.number);
    for (int i = 0; i < kernel->inputs; i++) {
        pass.input[i].name = desc->input[i].name;
        pass.input[i].array = make_array(desc->input[i].type, qp_most(1, desc->input[i].channels));
    }
    for (int i = 0; i < kernel->outputs; i++)
        pass.output[i] = make_array(desc->output_type, kernel->channels);
    assert_ok(qp_pass_run(&pass));
    for (int i = 0; i < kernel->outputs; i++)
        assert_ok(qp_array_read(pass.output[i], NULL, values + (ptrdiff_t)i * MOST_VALUES, 0));
    for (int i = 0; i < kernel->inputs; i++)
        qp_array_destroy((struct qp_array **)&pass.input[i].array);
    for (int i = 0; i < kernel->outputs; i++)
        qp_array_destroy(&pass.output[i]);
    qp_kernel_destroy(&kernel);
    return QP_OK;
}

/* Draws every other disguise of a file, with LONG=1 all, counts those of each kind, and compares
 * their values with the file's own. The library makes short forms `precise`; of whole shaders,
 * whose operations a driver may join in another way when they are in another order, each just
 * draws. */
static void check_file(const char *path, int made[QP_DISGUISES])
{
    static double values[QP_KERNEL_OUTPUTS * MOST_VALUES], others[QP_KERNEL_OUTPUTS * MOST_VALUES];
    static int number;
    struct qp_kernel_file *file;
    struct qp_changes d;
    assert_ok(qp_kernel_read(path, &file));
    struct qp_kernel_desc desc = file->desc;
    memset(values, 0, sizeof values);
    memset(others, 0, sizeof others);
    assert_ok(draw(&desc, file->number, values));
    assert_ok(qp_changes_open(file->text, file->is_short ? &file->desc : NULL, &qp_disguises, &d));
    while (qp_changes_next(&d)) {
        if (!support_takes(number++, 2))
            continue;
        *(file->is_short ? &desc.body : &desc.fragment.text) = d.other;
        if (draw(&desc, file->number, others) != QP_OK)
            fail_msg("%s: %s: %s", path, d.other, qp_error());
        if (file->is_short && qp_context_device(context)->software &&
            memcmp(values, others, sizeof values) != 0)
            fail_msg("%s differs %s in line %d", path, d.ways->of[d.kind].words,
                     qp_change_line(&d));
        made[d.kind]++;
    }
    qp_changes_close(&d);
    qp_kernel_file_destroy(&file);
}

CLEAN_TEST(disguises_compute_the_same)
{
    static const char *const patterns[] = {QP_SOURCE_DIR "/demos/shaders/*.frag",
                                           QP_SOURCE_DIR "/tests/kernels/*.frag"};
    int made[QP_DISGUISES] = {0};
    context = support_need_context(state);
    for (int k = 0; k < 2; k++) {
        glob_t found;
        assert_int_equal(glob(patterns[k], 0, NULL, &found), 0);
        for (size_t i = 0; i < found.gl_pathc; i++)
            check_file(found.gl_pathv[i], made);
        globfree(&found);
    }
    for (int kind = 0; kind < QP_DISGUISES; kind++)
        assert_true(made[kind] > 5);
}

/* True if the driver makes a program of this body that reads the uniform. */
static bool reads_one(const struct qp_kernel *kernel, const char *body)
{
    char *head = qp_kernel_head(kernel, 0, NULL), *precise;
    bool found = false;
    GLint made = 0, uniforms = 0;
    assert_ok(qp_drawn_text(&(struct qp_kernel_desc){.body = body}, true, &precise));
    const GLuint program = glCreateProgram(), shader = glCreateShader(GL_FRAGMENT_SHADER);
    glShaderSource(shader, 2, (const char *[]){head, precise}, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &made);
    assert_true(made);
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &uniforms);
    for (GLint i = 0; i < uniforms; i++) {
        char name[64];
        GLint size;
        GLenum type;
        glGetActiveUniform(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
        found = found || strncmp(name, "gl_DepthRange", 13) == 0;
    }
    glDeleteShader(shader);
    glDeleteProgram(program);
    free(precise);
    free(head);
    return found;
}

/* Conditions, rounds and products are there in what the driver makes; the others are other texts,
 * which it compiles. */
CLEAN_TEST(disguises_change_what_is_compiled)
{
    static const char body[] = "float f(float a) { return a + 1.0; }\n"
                               "float kernel(vec2 here) { return f(x_at(1, 0)); }\n";
    const struct qp_kernel_desc desc = {.body = body, .input = {{"x"}}};
    struct qp_kernel *kernel;
    struct qp_changes d;
    struct qp_call call;
    int made[QP_DISGUISES] = {0};
    context = support_need_context(state);
    assert_ok(qp_kernel_create(context, &desc, &kernel));
    assert_ok(qp_changes_open(body, &desc, &qp_disguises, &d));
    assert_ok(qp_context_begin(&call, context));
    assert_false(reads_one(kernel, body));
    while (qp_changes_next(&d)) {
        assert_int_equal(reads_one(kernel, d.other), d.kind <= QP_DISGUISE_PRODUCT);
        assert_string_not_equal(d.other, body);
        made[d.kind]++;
    }
    assert_ok(qp_call_end(&call, QP_OK));
    for (int kind = 0; kind < QP_DISGUISES; kind++)
        assert_int_equal(made[kind], kind <= QP_DISGUISE_PRODUCT ? 2 : 1);
    qp_changes_close(&d);
    qp_kernel_destroy(&kernel);
}

GROUP(support_open_context, support_close_context)
