/* SPDX-License-Identifier: MIT */
/* Facts that are read off a shader's text. */
#include "toolkit/kernel/kernel.h"

#include <stdio.h>

#include "support/support.h"

static const struct qp_tokens *tokens;

static const struct qp_tokens *take(const char *text)
{
    qp_tokens_release(&tokens);
    assert_non_null(tokens = qp_tokens_read(text));
    return tokens;
}

static int forget(void **state)
{
    (void)state;
    qp_tokens_release(&tokens);
    return 0;
}

static void check_function(const char *text, const char *name, const char *type)
{
    const struct qp_glsl_function *found = qp_glsl_find(take(text), name);
    if ((found != NULL) != (type != NULL) ||
        (found != NULL && !qp_token_is(&tokens->of[found->type], type)))
        fail_msg("'%s': %s is %s", text, name, found != NULL ? "found" : "not found");
}

TEST(functions_are_found)
{
    check_function("float kernel(vec2 here) {}", "kernel", "float");
    check_function("vec4\n kernel \t(vec2 p)", "kernel", "vec4");
    check_function("void main(void) { f(); }", "main", "void");
    check_function("float f(float a) { return a; } int main() {}", "main", "int");
    check_function("float kernel_of(vec2 here)", "kernel", NULL);
    check_function("float my_kernel(vec2 here)", "kernel", NULL);
    check_function("float kernel;", "kernel", NULL);
    check_function("kernel(1)", "kernel", NULL);
    check_function("void f() { return kernel(1); }", "kernel", NULL);
    check_function("", "kernel", NULL);
    check_function("// float kernel(vec2 here)", "kernel", NULL);
}

TEST(words_are_found)
{
    assert_true(qp_glsl_has(take("a+rate*b"), "rate"));
    assert_false(qp_glsl_has(take("a+rates*b"), "rate"));
    assert_false(qp_glsl_has(take("a+my_rate*b"), "rate"));
    assert_false(qp_glsl_has(take("2rate"), "rate"));
    assert_false(qp_glsl_has(take("a // rate\n/* rate */"), "rate"));
    assert_true(qp_glsl_has(take("b\n#define a rate\n"), "rate"));
    assert_false(qp_glsl_has(take("#define a // rate\n"), "rate"));
    assert_true(qp_glsl_reads(take("x_at(0, 0)"), "x"));
    assert_true(qp_glsl_reads(take("x_cell(here)"), "x"));
    assert_true(qp_glsl_reads(take("x_size.x"), "x"));
    assert_true(qp_glsl_reads(take("#define x0 x_at(0, 0)"), "x"));
    assert_false(qp_glsl_reads(take("x"), "x"));
    assert_false(qp_glsl_has(take("x_at(0, 0)"), "x"));
    assert_false(qp_glsl_reads(take("xx_at(0, 0) x_attic"), "x"));
}

TEST(loops_are_found)
{
    assert_true(qp_glsl_loops(take("for (;;)")));
    assert_true(qp_glsl_loops(take("while (a)")));
    assert_true(qp_glsl_loops(take("#define F do\n")));
    assert_false(qp_glsl_loops(take("before(double while_)")));
}

static void check_built_in(const char *text, unsigned bits, const char *word)
{
    const char *found;
    assert_int_equal(qp_glsl_built_in(take(text), &found), bits);
    assert_string_equal(found, word);
}

TEST(outputs_are_found)
{
    check_built_in("", 0, "gl_FragData");
    check_built_in("gl_FragData[0] = gl_FragData [ 3 ];", 9, "gl_FragData");
    check_built_in("gl_FragData[0]; gl_FragData[i];", ~0u, "gl_FragData");
    check_built_in("gl_FragData[1 + 1]", ~0u, "gl_FragData");
    check_built_in("gl_FragData[1u]", ~0u, "gl_FragData");
    check_built_in("gl_FragColor = a;", ~0u, "gl_FragColor");
    check_built_in("#define OUT gl_FragData[1]\n// gl_FragColor", 2, "gl_FragData");
}

static void check_uniform(const char *text, const char *name, const char *type, bool list)
{
    const struct qp_glsl_uniform found = qp_glsl_uniform(take(text), name);
    if ((found.type == NULL) != (type[0] == '\0') || found.list != list ||
        (found.type != NULL && !qp_token_is(found.type, type)))
        fail_msg("'%s': %s is not declared as '%s'", text, name, type);
}

TEST(uniforms_are_found)
{
    static const char several[] = "uniform float a, b[3] , c;\nuniform highp int d;int e;";
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

/* All gathers in a row. */
static const char *gathers(const char *text)
{
    static char all[256];
    char name[QP_GLSL_LETTERS];
    all[0] = '\0';
    take(text);
    for (int i = 0; qp_glsl_next_gather(tokens, &i, name);)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s ", name);
    return all;
}

TEST(gathers_are_found)
{
    assert_string_equal(gathers("x_at(0, 0) + mask_cell (here) + look_at + at(1)"), "x mask ");
    assert_string_equal(gathers("x_at(0, 0) + b_at \t(0, 0) - x_size(1)"), "x b ");
    assert_string_equal(gathers("x_at(0, 0) + a_b_cell(here)"), "x a_b ");
    assert_string_equal(gathers("float k() { return mas_at(0, 0); }"), "mas ");
    char text[80] = "", name[96];
    for (int i = 0; i < 63; i++)
        strcat(text, "a");
    snprintf(name, sizeof name, "%s ", text);
    strcat(text, "_at(1)");
    assert_string_equal(gathers(text), name);
    memmove(text + 1, text, strlen(text) + 1); /* too long for a name */
    assert_string_equal(gathers(text), "");
    assert_string_equal(gathers("mat2 a_at(float b) { } void b_cell() { }"), "");
    assert_string_equal(gathers("#define l_at(d) x_at(d, 0)\nfloat f = l_at(1);"), "x ");
    assert_string_equal(gathers("float own_at(int i) { } float k() { own_at(1); }"), "");
}

static void check_nearest(const char *text, const char *name, const char *wanted)
{
    char near[QP_GLSL_LETTERS];
    qp_glsl_nearest(take(text), name, near);
    assert_string_equal(near, wanted);
}

TEST(nearest_words_are_found)
{
    static const char text[] = "float kernel(vec2 here) { return rat * photo_at(0, 0) + rot; }";
    check_nearest(text, "rate", "rat");
    check_nearest(text, "rots", "rot");
    check_nearest(text, "foto", "photo");
    check_nearest("return b_at(0, 0);", "bo", "b");
    check_nearest(text, "gain", "");
    check_nearest("", "gain", "");
}

/* Which names a text sets, and whether it may. */
TEST(settings_are_found)
{
    static const char *const set[] = {
        "d = 1.0;",        "(d) += 1.0;",      "((d))++;",        "++(d);",       "--d;",
        "(d).x = 1.0;",    "(d.xy) *= 2.0;",   "d[2].x = 1.0;",   "(d[i])--;",    "modf(2.5, d);",
        "give(1.0, (d));", "a + give(2.0, d)", "give((a), d.x);", "else (d) = 1;"};
    static const char *const read[] = {"a = d;",      "if (d) ++a;",     "f(d);",
                                       "(d == a)",    "give(d, a);",     "a += (d);",
                                       "modf(d, a);", "a = -(d) - --b;", "l[d] = 1.0;"};
    for (int k = 0; k < COUNT(set) + COUNT(read); k++) {
        char text[128];
        const bool sets = k < COUNT(set);
        snprintf(text, sizeof text, "void give(in float a, out float b) {} %s",
                 sets ? set[k] : read[k - COUNT(set)]);
        const int name = qp_tokens_find(take(text), 0, "d");
        if ((qp_glsl_setter(tokens, name) >= 0) != sets)
            fail_msg("'%s' %s", text, sets ? "does not set d" : "sets d");
    }
}

/* A text that ends at a point, in memory where tokens and letters of a longer one are left. */
TEST(tokens_after_the_last_are_not_read)
{
    assert_int_equal(qp_glsl_setter(take("d.x = 1"), 0), 3);
    assert_int_equal(qp_glsl_setter(take("d.//= 1"), 0), -1);
}

/* Words in a sentence about a text that sets what is no variable; NULL: there is none. */
TEST(settings_are_checked)
{
    static const char own[] = "is set, but a kernel writes its own cell alone: return the value",
                      none[] = "is set, but is no variable",
                      twice[] = "sets a variable itself; set that by a statement of its own";
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"x_at(1.0, 0.0) = 2.0;", own},
        {"x_cell(here + 1.0) += 2.0;", own},
        {"x_cell(here).x -= 2.0;", own},
        {"++x_at(1.0, 0.0);", own},
        {"(x_at(1.0, 0.0))--;", own},
        {"if (here.x > 0.0) x_at(0.0, 1.0) = 3.0;", own},
        {"give(x_at(0.0, 1.0));", own},
        {"a = modf(1.5, x_at(0.0, 1.0));", own},
        {"#define W x_at(1.0, 0.0)\nW = 3.0;", own},
        {"#define W(n) x_at(n, 0.0)\nW(2.0) *= 3.0;", own},
        {"#define PUT(v) x_at(1.0, 0.0) = v\nPUT(2.0);", own},
        {"f(a) = 2.0;", none},
        {"vec2(a, b) = here;", none},
        {"(a, b) = 2.0;", none},
        {"(a > b ? a : b) = 2.0;", none},
        {"give((a + 1.0));", none},
        {"l[i++] %= 3;", twice},
        {"(l[0].x[int(b = 1.0)]).y /= a;", twice},
        {"l[f(b++)].x /= a;", twice},
        {"if (a > b) l[k--] /= a;", twice},
        {"i++; l[i] %= 3; l[i++] /= 2.0; if (i++ > 1) l[0] %= 2; l[0] %= i++; (l[0]) %= 2;", NULL},
        {"a = (1.0); (b) = a; b = f(a); l[int(f(2.0))] = 1.0; (l)[0].x++;", NULL},
        {"if (a > b) ++a; else --b; while (f(a) > b) ++b; for (;;) --a; return ++a;", NULL},
        {"float give(inout float a); float v = x_at(1.0, 0.0); give(v); give((v)); give(l[2]);",
         NULL},
        {"#define CELL(i) l[i]\nCELL(3) = 1.0; give(CELL(2));", NULL},
        {"a = x_at(0.0, 0.0) == b ? x_at(1.0, 0.0) : x_at(0.0, 1.0);", NULL},
    };
    for (int k = 0; k < COUNT(rows); k++) {
        char text[256];
        snprintf(text, sizeof text, "void give(out float a) { a = 1.0; }\n%s", rows[k].text);
        const enum qp_status status = qp_glsl_check_sets(take(text), "k");
        if (status != (rows[k].words != NULL ? QP_BAD_INPUT : QP_OK))
            fail_msg("'%s' gave %d", rows[k].text, status);
        if (rows[k].words != NULL) {
            support_assert_sentence(rows[k].words);
            support_assert_sentence(*rows[k].text == '#' && rows[k].text[9] != 'U' ? "k:3: "
                                                                                   : "k:2: ");
        }
    }
}

/* Words in a sentence about a literal that its type does not hold; NULL: it does. */
TEST(literals_are_checked)
{
    static const struct {
        const char *text, *words;
        bool is_double;
    } rows[] = {
        {"int a = 5000000000;",
         "k:2: 5000000000 is beyond int, whose largest is 2147483647; a uint", false},
        {"int a = b - 1 + 2147483648;", "k:2: 2147483648 is beyond int", false},
        {"uint a = 3000000000;", "k:2: 3000000000 is beyond int", false},
        {"uint a = 4294967296u;", "k:2: 4294967296u is beyond 32 bits, whose largest is 4294967295",
         false},
        {"int a = 0x100000000;", "k:2: 0x100000000 is beyond 32 bits", false},
        {"int a = 99999999999999999999999;", "k:2: 99999999999999999999999 is beyond int", false},
        {"#define A 1e39\n", "k:2: 1e39 is beyond float, whose largest is 3.402823466e+38", false},
        {"float a = 3.4028236e38;", "k:2: 3.4028236e38 is beyond float", false},
        {"float a = 1e39f;", "k:2: 1e39f is beyond float", true},
        {"float a = 1e39;", "k:2: 1e39 is beyond float", true},
        {"double a = 1e309;", "k:2: 1e309 is beyond double, whose largest is 1.7", true},
        {"double a = 1e309lf;", "k:2: 1e309lf is beyond double", false},
        {"int a = -2147483648 + 2147483647 + 0xFFFFFFFF + 037777777777; uint b = 4294967295u;",
         NULL, false},
        {"float a = 3.4028235e38 + 1e-50 + 5000000000.0 + 1e38f + 1e308lf;", NULL, false},
        {"double a = 1e308 + 1e-400 + 1e308LF;", NULL, true},
    };
    for (int k = 0; k < COUNT(rows); k++) {
        char text[256];
        snprintf(text, sizeof text, "\n%s", rows[k].text);
        const enum qp_status status = qp_glsl_check_literals(take(text), rows[k].is_double, "k");
        if (status != (rows[k].words != NULL ? QP_BAD_INPUT : QP_OK))
            fail_msg("'%s' gave %d, %s", rows[k].text, status, qp_error());
        if (rows[k].words != NULL)
            support_assert_sentence(rows[k].words);
    }
}

GROUP(NULL, forget)
