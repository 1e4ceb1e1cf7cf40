/* SPDX-License-Identifier: MIT */
/* What is read off a shader's text. */
#include "cmd/run/glsl.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "support/support.h"

static const char *strip(const char *text)
{
    static char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    qp_blank_comments(copy);
    return copy;
}

static void comments_become_blanks(void **state)
{
    (void)state;
    assert_string_equal(strip("a // b\nc"), "a     \nc");
    assert_string_equal(strip("a /* b\n*/ c"), "a     \n   c");
    assert_string_equal(strip("a /*/ b */ c"), "a          c");
    assert_string_equal(strip("// a /* b\nc */"), "         \nc */");
    assert_string_equal(strip("/* a // b */c"), "            c");
    assert_string_equal(strip("a / b * c"), "a / b * c");
    assert_string_equal(strip("a /* b"), "a     ");
    assert_string_equal(strip("a //"), "a   ");
    assert_string_equal(strip("a /*"), "a   ");
}

static void functions_are_found(void **state)
{
    (void)state;
    assert_string_equal(glsl_function("float kernel(vec2 here) {}", "kernel"), "float");
    assert_string_equal(glsl_function("vec4\n kernel \t(vec2 p)", "kernel"), "vec4");
    assert_string_equal(glsl_function("void main(void) { f(); }", "main"), "void");
    assert_null(glsl_function("float kernel_of(vec2 here)", "kernel"));
    assert_null(glsl_function("float my_kernel(vec2 here)", "kernel"));
    assert_null(glsl_function("float kernel;", "kernel"));
    assert_null(glsl_function("kernel(1)", "kernel"));
    assert_null(glsl_function("", "kernel"));
    assert_null(glsl_function(strip("// float kernel(vec2 here)"), "kernel"));
}

static void words_are_found(void **state)
{
    (void)state;
    assert_true(glsl_reads("a+rate*b", "rate", false));
    assert_false(glsl_reads("a+rates*b", "rate", false));
    assert_false(glsl_reads("a+my_rate*b", "rate", false));
    assert_false(glsl_reads("2rate", "rate", false));
    assert_true(glsl_reads("x_at(0, 0)", "x", true));
    assert_true(glsl_reads("x_cell(here)", "x", true));
    assert_true(glsl_reads("x_size.x", "x", true));
    assert_false(glsl_reads("x_at(0, 0)", "x", false));
    assert_false(glsl_reads("xx_at(0, 0) x_attic", "x", true));
}

static void check_uniform(const char *text, const char *name, const char *type, bool list)
{
    const struct glsl_uniform found = glsl_uniform(text, name);
    if (strcmp(found.type, type) != 0 || found.list != list)
        fail_msg("'%s': %s is '%s'%s", text, name, found.type, found.list ? ", a list" : "");
}

static void uniforms_are_found(void **state)
{
    static const char several[] = "uniform float a, b[3] , c;\nuniform highp int d;int e;";
    (void)state;
    check_uniform("uniform float a;", "a", "float", false);
    check_uniform(several, "a", "float", false);
    check_uniform(several, "b", "float", true);
    check_uniform(several, "c", "float", false);
    check_uniform(several, "d", "int", false);
    check_uniform("uniform lowp float a;", "a", "float", false);
    check_uniform("uniform mediump vec2 a;", "a", "vec2", false);
    check_uniform("uniform precise highp vec3 a;", "a", "vec3", false);
    check_uniform(several, "e", "", false);
    check_uniform(several, "float", "", false);
    check_uniform("uniform vec2 size", "size", "vec2", false);
    check_uniform("uniform", "a", "", false);
    check_uniform("uniform float [3] a, b;", "a", "float", true);
    check_uniform("uniform float[3] a, b;", "b", "float", true);
    check_uniform("uniform float[3] a; uniform float b;", "b", "float", false);
    check_uniform("uniforms float a;", "a", "", false);
}

static void gathers_are_found(void **state)
{
    static const char *const names[] = {"x", "mask"};
    (void)state;
    assert_null(glsl_unknown_gather("x_at(0, 0) + mask_cell (here) + look_at + at(1)", names, 2));
    assert_string_equal(glsl_unknown_gather("x_at(0, 0) + b_at(0, 0)", names, 2), "b");
    assert_string_equal(glsl_unknown_gather("x_at(0, 0) + b_at \t(0, 0)", names, 2), "b");
    assert_string_equal(glsl_unknown_gather("x_at(0, 0) + a_b_cell(here)", names, 2), "a_b");
    assert_string_equal(glsl_unknown_gather("xx_at(0, 0)", names, 2), "xx");
    assert_string_equal(glsl_unknown_gather("return mas_at(0, 0)", names, 2), "mas");
    char text[80] = "", name[80];
    for (int i = 0; i < 63; i++)
        strcat(text, "a");
    strcpy(name, text);
    strcat(text, "_at(1)");
    assert_string_equal(glsl_unknown_gather(text, names, 2), name);
    memmove(text + 1, text, strlen(text) + 1); /* too long for a name */
    assert_null(glsl_unknown_gather(text, names, 2));
    assert_null(glsl_unknown_gather("mat2 a_at(float b) { } void b_cell() { }", names, 2));
    assert_null(glsl_unknown_gather("#define l_at(d) x_at(d, 0)\nfloat f = l_at(1);", names, 2));
    assert_null(glsl_unknown_gather("float own_at(int i) { } float k() { own_at(1); }", names, 2));
}

static void nearest_words_are_found(void **state)
{
    static const char text[] = "float kernel(vec2 here) { return rat * photo_at(0, 0) + rot; }";
    (void)state;
    assert_string_equal(glsl_nearest(text, "rate"), "rat");
    assert_string_equal(glsl_nearest(text, "rots"), "rot");
    assert_string_equal(glsl_nearest(text, "foto"), "photo");
    assert_string_equal(glsl_nearest("return b_at(0, 0);", "bo"), "b");
    assert_null(glsl_nearest(text, "gain"));
    assert_null(glsl_nearest("", "gain"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_become_blanks), cmocka_unit_test(functions_are_found),
        cmocka_unit_test(gathers_are_found),      cmocka_unit_test(words_are_found),
        cmocka_unit_test(uniforms_are_found),     cmocka_unit_test(nearest_words_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
