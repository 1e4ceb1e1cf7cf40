/* SPDX-License-Identifier: MIT */
/* Kernel files: what a dozen of them say (tests/kernels, each beside its facts), and what other
 * heads change. */
#include <quadpass/kernel_file.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/files.h"
#include "support/kernel_text.h"
#include "support/support.h"
#include "toolkit/kernel/kernel.h"
#include "toolkit/kernel_file/kernel_file.h"

/* ---- Facts ---- */

static void tell_outside(FILE *out, enum qp_outside outside, double value)
{
    static const char *const names[] = {"zero", "clamp", "wrap"};
    if (outside == QP_OUTSIDE_VALUE)
        fprintf(out, " outside %g", value);
    else
        fprintf(out, " outside %s", names[outside]);
}

static void tell_arrays(FILE *out, const struct qp_kernel_file *file)
{
    static const char *const types[] = {"float", "half", "int", "uint", "double"};
    static const char *const made[] = {"file",     "zeros",   "ones",      "random",
                                       "gradient", "impulse", "expression"};
    const struct qp_kernel_desc *desc = &file->desc;
    fprintf(out, "%s, %s%d output%s of %d %s\n", file->is_short ? "short" : "whole",
            file->places ? "points, " : "", desc->outputs, desc->outputs > 1 ? "s" : "",
            desc->output_channels, types[desc->output_type]);
    assert_null(desc->input[file->inputs].name);
    for (int k = 0; k < file->inputs; k++) {
        const struct qp_kernel_file_array *array = &file->array[k];
        assert_string_equal(array->name, desc->input[k].name);
        fprintf(out, "%s %s: %d %s", k < file->states ? "state" : "input", array->name,
                desc->input[k].channels, types[desc->input[k].type]);
        tell_outside(out, array->outside, array->outside_value);
        if (array->from != NULL)
            fprintf(out, " from %s (%s)", array->from, made[array->made]);
        fputc('\n', out);
    }
}

static void tell_numbers(FILE *out, const struct qp_kernel_file *file)
{
    static const char *const types[] = {"float", "int", "vec2", "vec3", "vec4"};
    const struct qp_kernel_file_head *head = &file->head;
    assert_null(file->number[head->numbers].name);
    for (int k = 0; k < head->numbers; k++) {
        const struct qp_kernel_number *number = &file->desc.number[k];
        assert_string_equal(number->name, head->number[k].name);
        assert_string_equal(number->name, file->number[k].name);
        assert_true(file->number[k].list == head->number[k].value);
        fprintf(out, "number %s: %s", number->name, types[number->type]);
        if (number->elements > 0)
            fprintf(out, "[%d]", number->elements);
        for (int i = 0; i < head->number[k].values; i++)
            fprintf(out, "%s %g", i > 0 ? "," : "", head->number[k].value[i]);
        fputc('\n', out);
        for (int i = 0; i < 4; i++)
            assert_true(file->number[k].value[i] == head->number[k].value[i]);
    }
    if (head->width > 0)
        fprintf(out, "size %dx%d\n", head->width, head->height);
    if (head->steps > 0)
        fprintf(out, "steps %d\n", head->steps);
    if (head->has_seed)
        fprintf(out, "seed %llu\n", head->seed);
    if (head->tolerance > 0.0)
        fprintf(out, "tolerance %g\n", head->tolerance);
    if (head->check != NULL)
        fprintf(out, "check %s\n", head->check);
}

/* All that a file says, as text that is valid until the next call. */
static const char *told(const struct qp_kernel_file *file)
{
    static char text[4096];
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    tell_arrays(out, file);
    tell_numbers(out, file);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* The facts of each file of tests/kernels, which no later change may touch. */
TEST(files_are_read_as_ever)
{
    glob_t found;
    faults = 0;
    assert_int_equal(chdir(QP_SOURCE_DIR "/tests/kernels"), 0);
    assert_int_equal(glob("*.frag", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 12);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char name[256];
        struct qp_kernel_file *file;
        const char *shader = found.gl_pathv[i];
        assert_ok(qp_kernel_read(shader, &file));
        assert_string_equal(file->path, shader);
        snprintf(name, sizeof name, "%.*s.txt", (int)(strlen(shader) - strlen(".frag")), shader);
        FILE *golden = fopen(name, "r");
        char *text = golden != NULL ? slurp(golden) : NULL;
        if (golden == NULL || strcmp(text, told(file)) != 0)
            fault("%s does not say this:\n%s", name, told(file));
        if (golden != NULL)
            fclose(golden);
        free(text);
        qp_kernel_file_destroy(&file);
        assert_null(file);
    }
    globfree(&found);
    assert_int_equal(faults, 0);
}

/* Each of them compiles: the head is comments, and the description is one. */
TEST(files_compile, .setup_func = support_open_context, .teardown_func = support_close_context)
{
    struct qp_context *context = support_need_context(state);
    glob_t found;
    faults = 0;
    assert_int_equal(glob(QP_SOURCE_DIR "/tests/kernels/*.frag", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct qp_kernel_file *file;
        struct qp_kernel *kernel;
        assert_ok(qp_kernel_read(found.gl_pathv[i], &file));
        const enum qp_status status = qp_kernel_create(context, &file->desc, &kernel);
        if (status != QP_OK && status != QP_UNSUPPORTED)
            fault("%s\n", qp_error());
        qp_kernel_destroy(&kernel);
        qp_kernel_file_destroy(&file);
    }
    globfree(&found);
    assert_int_equal(faults, 0);
}

/* The text is cut into tokens once for the file, the kernel and each of its programs, and so is one
 * with calls for its divisions, which is made precise. */
TEST(texts_are_cut_once, .setup_func = support_open_context, .teardown_func = support_close_context)
{
    static const struct {
        const char *text;
        bool divides;
    } rows[] = {{"float kernel(vec2 here) { return x_at(1.0, 0.0) + 0.1; }", false},
                {"int kernel(vec2 here) { return x_at(1.0, 0.0) % 3; }", true}};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(rows); i++) {
        const int before = qp_tokens_cuts();
        struct qp_kernel_file *file;
        struct qp_kernel *kernel;
        struct qp_kernel_form *form;
        assert_ok(qp_kernel_file_make("once.frag", rows[i].text, &file));
        assert_ok(qp_kernel_create(context, &file->desc, &kernel));
        assert_ok(qp_kernel_form(kernel, QP_OUTSIDE_CLAMP, &form));
        assert_ok(qp_kernel_form(kernel, QP_OUTSIDE_WRAP, &form));
        assert_int_equal(qp_tokens_cuts() - before, 1 + (rows[i].divides && kernel->precise));
        qp_kernel_destroy(&kernel);
        qp_kernel_file_destroy(&file);
    }
}

/* Types of kernels, and of outputs that are assigned. */
TEST(types)
{
    static const char *const texts[][2] = {
        {"float kernel(vec2 here) {}", "1 output of 1 float"},
        {"highp vec2\nkernel(vec2 here) { return b_at(0, 0); }",
         "1 output of 2 float\nstate x: 2 float outside zero\ninput b: 1 float"},
        {"vec4 kernel(vec2 here) {}", "1 output of 4 float"},
        {"ivec4 kernel(vec2 here) {}", "1 output of 4 int"},
        {"uvec2 kernel(vec2 here) {}", "1 output of 2 uint"},
        {"dvec2 kernel(vec2 here) {}", "1 output of 2 double"},
        {"float kernel(vec2); float kernel(vec2 here) {}", "1 output of 1 float"},
        {"//@ state a b\nvoid kernel(vec2 here) { out0 = 1.0; out1 = x; }", "2 outputs of 1 float"},
        {"//@ state a b\nvoid kernel(vec2 here) { out0 = out4; out1 = uint(1); out0 = vec2(1); }",
         "2 outputs of 1 uint"},
        {"//@ state a b\nvoid kernel(vec2 here) { out0 = a; out1 = dvec2(a); }",
         "2 outputs of 2 double"},
        {"//@ state a b\nvoid kernel(vec2 here) { out1 = f(1); out0 = uint(1); }",
         "2 outputs of 1 uint"},
        {"//@ state a b\nvoid kernel(vec2 here) { /* out1 = vec2(1) */ out1 = vec3(1); }",
         "2 outputs of 1 float"},
        {"vec2 place(float i) { value = 1.0; value = i; return b_cell(i); }",
         "short, points, 1 output of 1 float\nstate x: 1 float outside zero\ninput b: 1 float"},
        {"vec2 place(float i) { value = vec4(1.0); value = vec2(1.0); }", "1 output of 4 float"},
        {"vec2 place(float i) { value = i; value = ivec2(1); }", "points, 1 output of 2 int"},
        {"vec2 place(float i) {} float kernel(vec2 here) { float value = vec2(1).x; }",
         "short, 1 output of 1 float"},
        {"#version 330\nout vec4 a;\nvoid main() { kernel(); }", "whole, 1 output of 1 float"},
        {"//@ state a b\nvoid main() {}\n", "whole, 2 outputs of 1 float"}};
    faults = 0;
    for (int i = 0; i < COUNT(texts); i++) {
        struct qp_kernel_file *file = kernel_text_read(texts[i][0]);
        if (file == NULL || strstr(told(file), texts[i][1]) == NULL)
            fault("%s: %s\n", texts[i][0], file != NULL ? told(file) : qp_error());
        qp_kernel_file_destroy(&file);
    }
    assert_int_equal(faults, 0);
}

/* ---- Heads ---- */

#define K "\nfloat kernel(vec2 here) { return a * b_at(0, 0) + x_at(0, 0); }\n"

/* Lines that a head may have, wherever comments may be. */
/* Values of a cell, as the text says them: of a state x, of another array b. */
TEST(channels)
{
    static const struct {
        const char *text;
        int x, b;
    } cases[] = {
        {"float kernel(vec2 here) { return x_at(0.0, 0.0) + b_at(0.0, 0.0); }", 1, 1},
        {"float kernel(vec2 here) { return b_at(1.0, (here.x)).g; }", 1, 4},
        {"float kernel(vec2 here) { return b_at(0.0, 0.0) + length(b_cell(here).rgb); }", 1, 4},
        {"float kernel(vec2 here) { vec4 c = b_cell(here); return c.r; }", 1, 4},
        {"float kernel(vec2 here) { vec4 c = here.xyxy * b_cell(here); return c.r; }", 1, 1},
        {"float kernel(vec2 here) { vec4 c = b_cell(here) * here.xyxy; return c.r; }", 1, 1},
        {"vec2 kernel(vec2 here) { return x_at(0.0, 0.0) + b_at(0.0, 0.0); }", 1, 1},
        {"vec4 kernel(vec2 here) { return x_at(0.0, 0.0) + b_at(0.0, 0.0); }", 4, 4},
        {"vec4 kernel(vec2 here) { float m = b_at(0.0, 0.0); return m * x_at(0.0, 0.0); }", 4, 1},
        {"vec4 kernel(vec2 here) { const float m = (1.0 - b_at(0.0, 0.0)) / 2.0; return vec4(m); }",
         4, 1},
        {"vec4 kernel(vec2 here) { float m = abs(here.x) - b_at(0.0, 0.0); return vec4(m); }", 4,
         1},
        {"vec4 kernel(vec2 here) { float m = b_at(0.0, 0.0).a; return vec4(m); }", 4, 4},
        {"vec4 kernel(vec2 here) { float m = length(b_at(0.0, 0.0)); return vec4(m); }", 4, 4},
        {"vec4 kernel(vec2 here) { if (b_at(0.0, 0.0) > 0.5) return vec4(0.0); return vec4(1.0); }",
         4, 1},
        {"vec4 kernel(vec2 here) { return 0.5 < b_at(0.0, 0.0) ? vec4(0.0) : vec4(1.0); }", 4, 1},
        {"ivec4 kernel(vec2 here) { return x_at(0.0, 0.0) + b_at(0.0, 0.0).x; }", 1, 1},
        {"uniform sampler2DRect b;\nvoid main() { gl_FragColor = texture2DRect(b, vec2(0.5)); }", 1,
         1}};
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_kernel_file *file;
        char *text = NULL;
        assert_true(asprintf(&text, "//@ input b=b.png\n%s\n", cases[k].text) > 0);
        assert_ok(qp_kernel_file_make("colours.frag", text, &file));
        const int own = file->desc.output_channels == 4 ? 4 : 1,
                  x = qp_kernel_file_channels(file, 0, own),
                  b = qp_kernel_file_channels(file, 1, own);
        if (x != cases[k].x || b != cases[k].b)
            fail_msg("%s: x has %d and b %d", cases[k].text, x, b);
        qp_kernel_file_destroy(&file);
    }
}

TEST(heads)
{
    static const char *const texts[][2] = {
        {"//@set a=1" K, "number a: float 1\n"},
        {"\n\n \t//@   set\ta=-1e3,.5   " K, "number a: vec2 -1000, 0.5\n"},
        {"/* one\n two */ //@ set a=1" K, "number a: float 1\n"},
        {"// see //@ set a=1\n/* //@ set a=2 */" K,
         "short, 1 output of 1 float\nstate x: 1 float "
         "outside zero\ninput b: 1 float outside zero\n"},
        {"//@ set a=1, 2,3" K, "number a: vec3 1, 2, 3\n"},
        {"//@ set a=1,2,3,4,5" K, "number a: float[5] 1, 2, 3, 4, 5\n"},
        {"//@ outside b=2.5\n//@ outside wrap" K, "state x: 1 float outside wrap\ninput b: 1 float "
                                                  "outside 2.5\n"},
        {"//@ size 7\n//@ seed 0\n//@ steps 2147483647\n//@ tolerance .5" K,
         "size 7x7\nsteps 2147483647\nseed 0\ntolerance 0.5\n"},
        {"//@ input b=x y.npy\n//@ check a b.c" K, "input b: 1 float outside zero from /tmp/x "
                                                   "y.npy (file)\ncheck /tmp/a b.c\n"},
        {"//@ input b=/x.npy\n//@ check /b.c" K, "from /x.npy (file)\ncheck /b.c\n"},
        {"//@ input x=random" K, "state x: 1 float outside zero from random (random)\n"},
        {"//@ input b=a.b.PNG" K, "from /tmp/a.b.PNG (file)\n"},
        {"//@ input b=/dev/fd/3" K, "from /dev/fd/3 (file)\n"},
        {"//@ state u\n//@ input c=ones\nfloat kernel(vec2 here) { return c_size.x + b_at(0, 0); }",
         "state u: 1 float outside zero\ninput c: 1 float outside zero from ones (ones)\ninput b"}};
    faults = 0;
    for (int i = 0; i < COUNT(texts); i++) {
        struct qp_kernel_file *file = kernel_text_read(texts[i][0]);
        if (file == NULL || strstr(told(file), texts[i][1]) == NULL)
            fault("%s: %s\n", texts[i][0], file != NULL ? told(file) : qp_error());
        qp_kernel_file_destroy(&file);
    }
    assert_int_equal(faults, 0);
}

/* ---- Another head ---- */

/* Says a list of words, which a NULL ends. */
static enum qp_status override_by(struct qp_kernel_file *file, const char *const words[][2])
{
    struct qp_kernel_file_head head = {.arrays = 0};
    for (int k = 0; words[k][0] != NULL; k++)
        assert_ok(qp_kernel_file_say(&head, words[k][0], words[k][1]));
    return qp_kernel_file_override(file, &head);
}

TEST(another_head)
{
    static const char text[] = "//@ input b=ones\n//@ outside b=1\n//@ outside clamp\n//@ set "
                               "a=1\n//@ steps 2\n//@ size 3\n//@ seed 4\n//@ tolerance 0.5\n//@ "
                               "check r.c\nfloat kernel(vec2 here) { return a + b + c * b_at(0, 0) "
                               "+ d_at(0, 0); }";
    static const char *const nothing[][2] = {{NULL}};
    static const char *const some[][2] = {{"input", "b=zeros"},
                                          {"input", "d=f.npy"},
                                          {"set", "c=3,4"},
                                          {"set", "a=2"},
                                          {"outside", "b=2"},
                                          {"input", "x=ones"},
                                          {NULL}};
    static const char *const rest[][2] = {
        {"outside", "wrap"}, {"outside", "d=7"},   {"outside", "x=8"},
        {"steps", "9"},      {"size", "8x9"},      {"seed", "0"},
        {"check", "q.c"},    {"tolerance", ".25"}, {NULL}};
    static const char *const wrong[][2][3] = {
        {{"input", "e=ones", "input e: the shader reads no 'e'"}, {NULL}},
        {{"outside", "e=1", "outside e: the shader reads no 'e'"}, {NULL}},
        {{"set", "e=1", "set e: the shader reads no 'e'"}, {NULL}},
        {{"set", "b=1", "set b: it is an array, whose values are input"}, {NULL}},
        {{"state", "u", "state: which output is which state the file alone says"}, {NULL}}};
    char before[1024];
    struct qp_kernel_file *file = kernel_text_read(text);
    assert_non_null(file);
    strcpy(before, told(file));
    assert_ok(override_by(file, nothing));
    assert_string_equal(told(file), before);
    assert_ok(override_by(file, some));
    assert_string_equal(
        told(file), "short, 1 output of 1 float\nstate x: 1 float outside clamp from ones (ones)\n"
                    "input b: 1 float outside 2 from zeros (zeros)\n"
                    "input d: 1 float outside clamp from f.npy (file)\n"
                    "number a: float 2\nnumber c: vec2 3, 4\nsize 3x3\nsteps 2\n"
                    "seed 4\ntolerance 0.5\ncheck /tmp/r.c\n");
    assert_ok(override_by(file, rest));
    assert_string_equal(told(file),
                        "short, 1 output of 1 float\nstate x: 1 float outside 8 from ones (ones)\n"
                        "input b: 1 float outside wrap from zeros (zeros)\n"
                        "input d: 1 float outside 7 from f.npy (file)\n"
                        "number a: float 2\nnumber c: vec2 3, 4\nsize 8x9\nsteps 9\n"
                        "seed 0\ntolerance 0.25\ncheck q.c\n");
    qp_kernel_file_destroy(&file);
    for (int k = 0; k < COUNT(wrong); k++) {
        const char *const words[][2] = {{wrong[k][0][0], wrong[k][0][1]}, {NULL}};
        file = kernel_text_read(text);
        assert_non_null(file);
        assert_int_equal(override_by(file, words), QP_BAD_USE);
        assert_string_equal(qp_error(), wrong[k][0][2]);
        qp_kernel_file_destroy(&file);
    }
}

/* An error names a line of the file, or a word of the other head; and the file's arrays and numbers
 * count, too. */
TEST(another_head_is_too_much)
{
    static const char *const two[][2] = {{"set", "a=1,2"}, {NULL}};
    struct qp_kernel_file_head arrays = {.arrays = 0}, numbers = {.arrays = 0};
    char pair[QP_KERNEL_NUMBERS][8];
    struct qp_kernel_file *file =
        kernel_text_read("//@ set a=1\n//@ input b=ones\nuniform float a, b;\nvoid main() {}\n");
    assert_non_null(file);
    assert_int_equal(override_by(file, two), QP_BAD_USE);
    assert_string_equal(qp_error(),
                        "set a: the shader declares 'a' as float, which takes 1 number");
    for (int k = 0; k < QP_KERNEL_NUMBERS; k++) {
        snprintf(pair[k], sizeof pair[k], "n%d=1", k);
        assert_ok(qp_kernel_file_say(&numbers, "set", pair[k]));
        if (k < QP_KERNEL_INPUTS)
            assert_ok(qp_kernel_file_say(&arrays, "outside", pair[k]));
    }
    assert_int_equal(qp_kernel_file_override(file, &arrays), QP_BAD_USE);
    assert_string_equal(qp_error(), "input n7: a shader reads at most 8 arrays");
    assert_int_equal(qp_kernel_file_override(file, &numbers), QP_BAD_USE);
    assert_string_equal(qp_error(), "set n15: a shader reads at most 16 numbers");
    qp_kernel_file_destroy(&file);
}

GROUP(kernel_text_open, kernel_text_close)
