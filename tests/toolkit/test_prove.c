/* SPDX-License-Identifier: MIT */
/* Proofs of a context: all are right, nothing stays, and each notices a driver or a kernel that
 * errs in its own way. What the library calls of OpenGL is led through here. */
/* own program: for glViewport, glEnable, glPixelStorei, glReadPixels, which it answers */
#include <quadpass/prove.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/toolkit.h"
#include "toolkit/gl/context/context.h"

/* ---- A driver that errs ---- */

static struct {
    bool clears_nothing, blends_nothing, has_no_rows;
    int narrow;      /* columns that viewports of 49 lack */
    int lost, draws; /* the draw that is lost, from 1, and those so far */
    float added;     /* to values of one cell, as a sum is read */
} lie;

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

void glViewport(GLint x, GLint y, GLsizei width, GLsizei height)
{
    void (*real)(GLint, GLint, GLsizei, GLsizei);
    *(void **)&real = next("glViewport");
    lie.draws++;
    if (lie.draws == lie.lost)
        width = 0;
    real(x, y, width == 49 ? width - lie.narrow : width, height);
}

void glEnable(GLenum what)
{
    void (*real)(GLenum);
    *(void **)&real = next("glEnable");
    if (what != GL_BLEND || !lie.blends_nothing)
        real(what);
}

void glPixelStorei(GLenum name, GLint value)
{
    void (*real)(GLenum, GLint);
    *(void **)&real = next("glPixelStorei");
    real(name, name == GL_PACK_ROW_LENGTH && lie.has_no_rows ? 0 : value);
}

void glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                  void *texels)
{
    void (*real)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
    *(void **)&real = next("glReadPixels");
    real(x, y, width, height, format, type, texels);
    if (lie.added != 0.0f && height == 1)
        *(float *)texels += lie.added;
}

static PFNGLCLEARBUFFERFVPROC clear;

static void GLAPIENTRY clear_or_not(GLenum buffer, GLint index, const GLfloat *value)
{
    static const GLfloat zeros[4];
    clear(buffer, index, lie.clears_nothing ? zeros : value);
}

/* ---- Kernels that err ---- */

static char folder[] = "/tmp/quadpass-proofs-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/proof/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void drop(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/proof/%s", folder, name);
    remove(path);
}

static int open_folder(void **state)
{
    char path[64];
    clear = __glewClearBufferfv;
    __glewClearBufferfv = clear_or_not;
    strcpy(strrchr(folder, '-'), "-XXXXXX");
    snprintf(path, sizeof path, "%s/proof", mkdtemp(folder));
    return mkdir(path, 0700) | setenv("QUADPASS_SHADER_DIR", folder, 1) |
           support_check_clean(state);
}

static int close_folder(void **state)
{
    char path[64];
    snprintf(path, sizeof path, "%s/proof", folder);
    __glewClearBufferfv = clear;
    memset(&lie, 0, sizeof lie);
    unsetenv("QUADPASS_SHADER_DIR");
    return rmdir(path) | rmdir(folder) | support_check_clean(state);
}

#define FOLDER_TEST(test) TEST(test, .setup_func = open_folder, .teardown_func = close_folder)

/* ---- The twelve ---- */

static struct qp_proof proofs[QP_PROOFS];

static int prove(int count)
{
    int wrong = -2;
    const size_t objects = qp_context_counters(context).live_objects;
    lie.draws = 0;
    assert_ok(qp_prove(context, proofs, count, &wrong));
    assert_int_equal(qp_context_counters(context).live_objects, objects);
    return wrong;
}

/* Draws of the first `count` proofs. */
static int draws_of(int count)
{
    lie.lost = 0;
    assert_int_equal(prove(count), -1);
    return lie.draws;
}

/* The first wrong proof is this one, and its sentence says what came, where, and what is right. */
static void expect_wrong(int wrong, const char *name, const char *words)
{
    if (wrong < 0)
        fail_msg("%s: nothing is wrong", name);
    if (strcmp(proofs[wrong].name, name) != 0 || strstr(proofs[wrong].sentence, words) == NULL)
        fail_msg("%s: %s", name, proofs[wrong].sentence);
    assert_int_equal(strncmp(proofs[wrong].sentence, name, strlen(name)), 0);
    assert_non_null(strstr(proofs[wrong].sentence, proofs[wrong].computes));
    assert_non_null(strstr(proofs[wrong].sentence, "; take another device"));
    for (int i = 0; i < wrong; i++)
        assert_true(proofs[i].status == QP_OK && proofs[i].sentence[0] == '\0');
    assert_int_equal(proofs[wrong].status, QP_DEVICE);
}

FOLDER_TEST(all_are_right)
{
    context = support_need_context(state);
    assert_int_equal(prove(QP_PROOFS), -1);
    const size_t kept = qp_context_counters(context).kept_objects;
    assert_int_equal(prove(QP_PROOFS), -1);
    assert_int_equal(qp_context_counters(context).kept_objects, kept);
    for (int i = 0; i < QP_PROOFS; i++) {
        assert_true(proofs[i].status == QP_OK || proofs[i].status == QP_UNSUPPORTED);
        assert_true(strlen(proofs[i].name) <= 17 && strlen(proofs[i].computes) <= 72);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(proofs[i].name, proofs[k].name);
    }
}

FOLDER_TEST(a_driver_that_errs)
{
    context = support_need_context(state);
    lie.clears_nothing = true;
    expect_wrong(prove(QP_PROOFS), "context", " gave 0 in cell (0, 0) where 0.3125 is right; ");
    lie.clears_nothing = false;
    lie.narrow = 1; /* a column that is missed */
    expect_wrong(prove(QP_PROOFS), "draw", " gave -77 in cell (53, 11) where 1153 is right; ");
    lie.narrow = -1; /* and one too many */
    expect_wrong(prove(QP_PROOFS), "draw", " in cell (54, 11) where -77 is right; ");
    lie.narrow = 0;
    lie.blends_nothing = true;
    expect_wrong(prove(QP_PROOFS), "blend", " gave 0 in cell (0, 0) where -77 is right; ");
    lie.blends_nothing = false;
    lie.added = 1.0f;
    expect_wrong(prove(QP_PROOFS), "reduction",
                 " gave 6924782 in cell (0, 0) where 6924781 is right; ");
    lie.added = 0.0f;
    lie.has_no_rows = true;
    expect_wrong(prove(QP_PROOFS), "readback", " where -77 is right; ");
}

/* Whichever of the steps, and of the passes of the sum. */
FOLDER_TEST(a_draw_that_is_lost)
{
    context = support_need_context(state);
    const int first = draws_of(6), steps = draws_of(7), sums = draws_of(8);
    assert_int_equal(steps - first, 64);
    for (int i = 1; i <= 64; i += 9) {
        lie.lost = first + i;
        expect_wrong(prove(QP_PROOFS), "ping-pong", " in cell (");
    }
    for (lie.lost = steps + 1; lie.lost <= sums; lie.lost++)
        expect_wrong(prove(QP_PROOFS), "reduction", " where 6924781 is right; ");
}

FOLDER_TEST(a_kernel_that_errs)
{
#define SCALE(value) \
    "float kernel(vec2 here)\n{\n    float v = factor * x_at(0, 0);\n    return " value ";\n}\n"
    static const struct {
        const char *file, *text, *name, *words;
    } cases[] = {
        {"scale.frag", SCALE("clamp(v, -1.0, 1.0)"), "float target", " gave "},
        {"scale.frag", SCALE("floor(v * 4096.0 + 0.5) / 4096.0"), "float target", " gave 0 in"},
        {"scale.frag", SCALE("v == v ? v : 0.0"), "NaN",
         " gave 0 in cell (0, 0) where nan is right; "},
        {"scale.frag", SCALE("abs(v) > 3.0e38 ? 3.0e38 * sign(v) : v"), "infinity",
         " where inf is right; "},
        {"place.frag", "float kernel(vec2 here)\n{\n    return here.x + 101.0 * here.y;\n}\n",
         "draw", " gave 1116 in cell (5, 11) where 1105 is right; "},
        {"step.frag", "float kernel(vec2 here)\n{\n    return x_at(0, 0) + 1.0;\n}\n", "ping-pong",
         " in cell ("},
        {"step.frag",
         "float kernel(vec2 here)\n{\n    return max(x_at(-1, 0) + 1.0, x_at(0, 0));\n}\n",
         "ping-pong", " in cell ("},
        {"divide_whole.frag",
         "float kernel(vec2 here)\n{\n    int a = int(x_at(0, 0)), b = 2 * int(here.y) - 63;\n"
         "    int q = int(floor(float(a) / float(b)));\n    return float(100 * q + a - q * "
         "b);\n}\n",
         "integer division", " in cell ("},
        {"divide_whole.frag",
         "float kernel(vec2 here)\n{\n    int a = int(x_at(0, 0)), b = 2 * int(here.y) - 63;\n"
         "    return float(100 * (a / b) + abs(a % b));\n}\n",
         "integer division", " in cell ("},
        {"divide.frag",
         "float kernel(vec2 here)\n{\n    return x_at(0, 0) / (here.y + 3.0) * 1.0000006;\n}\n",
         "float division", " in cell ("},
        {"loops.frag",
         "float kernel(vec2 here)\n{\n    float n = x_at(0, 0), rounds = 0.0;\n"
         "    for (int i = 1; i < 200; i++) {\n        if (float(i) > n)\n            break;\n"
         "        for (int k = 0; k < i; k++)\n            rounds += 1.0;\n    }\n"
         "    return rounds;\n}\n",
         "loops", " gave 19900 in cell (60, 0) where 20100 is right; "},
        {"divide.frag", "float kernel(vec2 here)\n{\n    return x_at(0, 0) / nothing;\n}\n",
         "float division", " gave nothing: "}};
    context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++) {
        put(cases[i].file, cases[i].text);
        const int wrong = prove(QP_PROOFS);
        drop(cases[i].file);
        expect_wrong(wrong, cases[i].name, cases[i].words);
    }
}

FOLDER_TEST(what_a_device_lacks_is_no_mistake)
{
    context = support_need_context(state);
    const unsigned abilities = context->device.abilities;
    context->device.abilities &= ~(unsigned)QP_CAN_FLOAT_BLEND;
    const int wrong = prove(QP_PROOFS);
    context->device.abilities = abilities;
    assert_int_equal(wrong, -1);
    assert_string_equal(proofs[5].name, "blend");
    assert_int_equal(proofs[5].status, QP_UNSUPPORTED);
    assert_non_null(strstr(proofs[5].sentence, "blend"));
}

/* A driver that is off everywhere by 1e-5, and one that has no numbers. */
FOLDER_TEST(imprecise_functions)
{
    struct qp_function_error good, bad;
    context = support_need_context(state);
    assert_ok(qp_function_error(context, 1, &good));
    assert_string_equal(good.function, "sqrt(a)");
    assert_true(good.ulps < 3.0 && good.error < good.tolerance && good.sentence[0] == '\0');
    assert_true(good.tolerance == 0x1p-20);
    put("function.frag", "float kernel(vec2 here)\n{\n    float a = x_at(0, 0);\n"
                         "    return FUNCTION * 1.00001;\n}\n");
    assert_ok(qp_function_error(context, 1, &bad));
    assert_true(bad.ulps > 80.0 && bad.ulps < 175.0 && fabs(bad.error - 1e-5) < 1e-7);
    assert_string_equal(bad.sentence,
                        "sqrt(a), a from 0.001 to 1000, is off by 1.0e-05 as a check measures it, "
                        "which allows 9.5e-07 a step: give kernels that call it a tolerance of "
                        "2e-05 (//@ tolerance)");
    put("function.frag", "float kernel(vec2 here)\n{\n    float a = x_at(0, 0);\n"
                         "    return a > 900.0 ? sqrt(-a) : FUNCTION;\n}\n");
    assert_ok(qp_function_error(context, 1, &bad));
    drop("function.frag");
    assert_true(isinf(bad.ulps) && isinf(bad.error));
    assert_string_equal(bad.sentence,
                        "sqrt(a), a from 0.001 to 1000, is not finite everywhere: let "
                        "no kernel call it here");
}

GROUP(support_open_context, support_close_context)
