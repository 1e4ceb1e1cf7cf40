/* SPDX-License-Identifier: MIT */
/* Operations described at run time: each way of being wrong is found and named. */
#include "support/relax.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every case of the check fails, for these words. */
static void assert_fails(struct qp_context *context, struct qp_custom *op,
                         const struct qp_variant *variant, const char *words)
{
    struct qp_tally tally = relax_check(context, op, variant);
    if (tally.failed == 0 || strstr(tally.worst.reason, words) == NULL)
        fail_msg("'%s' does not say '%s'", tally.worst.reason, words);
    assert_int_equal(qp_tally_verdict(&tally), QP_FAIL);
}

/* ---- What is wrong: shaders ---- */

/* The text with its first `old` replaced; the caller frees it. */
static char *edit(const char *text, const char *old, const char *instead)
{
    const char *at = strstr(text, old);
    assert_non_null(at);
    size_t size = strlen(text) + strlen(instead) + 1;
    char *edited = malloc(size);
    snprintf(edited, size, "%.*s%s%s", (int)(at - text), text, instead, at + strlen(old));
    return edited;
}

static void assert_mutant_fails(struct qp_context *context, const char *text, enum qp_texel texel,
                                const char *old, const char *instead, const char *words)
{
    struct qp_custom *op = relax_make();
    char *mutant = edit(text, old, instead);
    assert_fails(context, op, relax_add(op, "mutant", texel, mutant), words);
    free(mutant);
    qp_custom_destroy(&op);
}

static void wrong_shaders_fail(void **state)
{
    static const struct {
        const char *old, *instead, *words;
    } cases[] = {
        {"vec2(1.0, 0.0)", "vec2(0.0, 0.0)", "should be"}, /* a neighbour off by one */
        {"vec2(0.0, -1.0)", "vec2(1.0, -1.0)", "should be"},
        {"+ texture2DRect(x, here + vec2(0.0, 1.0)).x", "", "cell ("}, /* a missing term */
        {"a * sum", "a * sum * 1.00001", "cell ("},
        {"vec2(-1.0, 0.0)", "vec2(-3.0, 0.0)",
         "is nan, which is no number; it should be "}, /* a stray read */
        {"vec2(0.0, 1.0)", "vec2(0.0, 2.0)", "is nan, which is no number; it should be "},
        {"vec2 here", "discard; vec2 here",
         "was never written; it should be "}, /* nothing at all */
    };
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++)
        assert_mutant_fails(context, relax_plain, QP_TEXEL_LUMINANCE, cases[i].old,
                            cases[i].instead, cases[i].words);
    assert_mutant_fails(context, relax_rgba, QP_TEXEL_RGBA, "old.gba", "old.rgb", "cell (");
    assert_mutant_fails(context, relax_rgba, QP_TEXEL_RGBA, "there * ", "",
                        "relax/mutant wrote over the padding behind a row's last cell, at texel (");
}

/* A difference in one place is found in that place. */
static void the_place_is_named(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_custom *op = relax_make();
    char *text = edit(relax_plain, "gl_FragColor",
                      "if (here - origin == vec2(7.5, 4.5)) sum += 0.001;\n"
                      "    gl_FragColor");
    const struct qp_variant *row = relax_add(op, "odd", QP_TEXEL_LUMINANCE, text);
    struct qp_walk_desc one = {.iterations = 1};
    struct qp_result result;
    struct qp_problem problem;
    assert_ok(qp_custom_problem(op, 13, 11, 1, &problem));
    assert_ok(qp_walk(context, row, &problem, &one, &result));
    assert_true(result.verdict == QP_FAIL && result.worst_x == 7 && result.worst_y == 4);
    assert_non_null(strstr(result.reason, "cell (7, 4) is "));
    qp_problem_destroy(&problem);
    qp_custom_destroy(&op);
    free(text);
}

static void shaders_that_do_not_fit(void **state)
{
    static const struct {
        const char *old, *instead, *words;
    } cases[] = {
        {"float sum", "float sun", "room 4, program: relax/mutant.frag:12: 'gl_FragColor = vec4(a"},
        {" x, f;", " x, g;\n#define f g\n",
         "relax/mutant.frag:3: 'uniform sampler2DRect x, g;': nothing sets 'g', a sampler2DRect; "
         "what is set: "
         "x, f, a, origin, size, cells, left, right"},
        {"uniform float a;", "uniform float b;\n#define a b\n", "nothing sets 'b', a float"},
        {"uniform float a;", "uniform vec2 a;\n#define a a.x\n",
         "'a' is a vec2 and must be a float"},
        {"+ texture2DRect(f, here).x", "", "no shader of relax/mutant reads the array 'f'"},
    };
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++)
        assert_mutant_fails(context, relax_plain, QP_TEXEL_R32F, cases[i].old, cases[i].instead,
                            cases[i].words);
}

static void assert_second_draw_fails(struct qp_context *context, const char *text,
                                     const char *words)
{
    struct qp_custom *op = relax_make();
    const struct qp_custom_variant two = {
        .name = "two",
        .pad_x = 1,
        .pad_y = 1,
        .draw = {{.fragment = {.text = relax_plain}}, {.fragment = {.text = text}}}};
    const struct qp_variant *row;
    assert_ok(qp_custom_add(op, &two, &row));
    assert_fails(context, op, row, words);
    qp_custom_destroy(&op);
}

/* A later draw's shader has its number in its name. Not all drivers name the line of an unexpected end. */
static void draws_are_named(void **state)
{
    struct qp_context *context = support_need_context(state);
    assert_second_draw_fails(context, "void main() { gl_FragColor = nonsense; }\n",
                             "relax/two_2.frag:1: 'void main() { gl_FragColor = nonsense; }': ");
    assert_second_draw_fails(context, "nonsense\n", "relax/two_2.frag:");
}

/* From a file, with its own path in messages; read when it is added. */
static void shaders_from_files(void **state)
{
    char path[] = "/tmp/quadpass-custom-XXXXXX";
    struct qp_custom *op = relax_make();
    struct qp_custom_variant desc = {
        .name = "file", .pad_x = 1, .pad_y = 1, .draw = {{.fragment = {.file = path}}}};
    const struct qp_variant *good, *bad;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_true(file != NULL && fputs(relax_plain, file) >= 0 && fflush(file) == 0);
    assert_ok(qp_custom_add(op, &desc, &good));
    assert_true(fputs("nonsense\n", file) >= 0 && fclose(file) == 0);
    desc.name = "bad";
    assert_ok(qp_custom_add(op, &desc, &bad));
    remove(path);
    desc.name = "none";
    const struct qp_variant *none;
    assert_int_equal(qp_custom_add(op, &desc, &none), QP_BAD_INPUT);
    assert_null(none);
    support_assert_sentence("cannot read the shader /tmp/quadpass-custom-");
    support_assert_sentence(": No such file");
    if (*state != NULL) {
        assert_int_equal(relax_check(*state, op, good).passed, 33);
        assert_fails(*state, op, bad, path);
    }
    qp_custom_destroy(&op);
    support_need_context(state);
}

/* ---- What is wrong: references ---- */

/* Leaves the last cell as it was handed over. */
static double forgets(const struct qp_custom_grid *g, const double *x, double *next)
{
    double *last = &next[g->width * g->height - 1], before = *last;
    double scale = relax(g, x, next);
    *last = before;
    return scale;
}

/* Claims that everything is rounding. */
static double boasts(const struct qp_custom_grid *g, const double *x, double *next)
{
    relax(g, x, next);
    next[0] += 1.0;
    return *(double *)g->user;
}

static float infinite(void *user, int x, int y, int width, int height)
{
    (void)user, (void)width, (void)height;
    return x == 2 && y == 1 ? INFINITY : 0.0f;
}

static void references_are_judged_too(void **state)
{
    static const double bad[] = {NAN, INFINITY};
    (void)state;
    for (int i = 0; i < 2 * COUNT(bad); i++) {
        struct qp_custom_desc desc = relaxation;
        const struct qp_custom_variant cpu = {.name = "cpu", .sweep = relax_sweep};
        struct qp_custom *op;
        const struct qp_variant *row;
        double value = bad[i / 2];
        desc.reference = i % 2 ? boasts : forgets;
        desc.user = &value;
        assert_ok(qp_custom_create(&desc, &op));
        assert_ok(qp_custom_add(op, &cpu, &row));
        assert_fails(NULL, op, row,
                     i % 2 ? "cell (0, 0)"
                           : "room 9, reference: cell (0, 0) of relax is nan after 1");
        qp_custom_destroy(&op);
    }
}

static float small(void *user, int x, int y, int width, int height)
{
    (void)user, (void)x, (void)y, (void)width, (void)height;
    return 0x1p-10f;
}

static double keeps(const struct qp_custom_grid *g, const double *x, double *next)
{
    memcpy(next, x, (size_t)g->width * (size_t)g->height * sizeof *x);
    return 0.0;
}

static void drifts(const struct qp_custom_grid *g, const float *x, float *next)
{
    for (int i = 0; i < g->width * g->height; i++)
        next[i] = x[i] * 1.00001f;
}

/* Where the reference tells no size, that of the state's numbers counts, however small they are. */
static void small_errors_of_small_numbers(void **state)
{
    const struct qp_custom_desc desc = {
        .name = "small", .state = {.fill = small}, .reference = keeps};
    const struct qp_custom_variant cpu = {.name = "cpu", .sweep = drifts};
    struct qp_custom *op;
    const struct qp_variant *row;
    (void)state;
    assert_ok(qp_custom_create(&desc, &op));
    assert_ok(qp_custom_add(op, &cpu, &row));
    assert_fails(NULL, op, row, "should be 0.00097");
    qp_custom_destroy(&op);
}

/* ---- What is wrong: descriptions ---- */

static void assert_refused(const struct qp_custom_desc *desc, const char *words)
{
    struct qp_custom *op = (struct qp_custom *)&op;
    assert_int_equal(qp_custom_create(desc, &op), QP_BAD_USE);
    assert_null(op);
    support_assert_sentence(words);
}

static void operations_that_make_no_sense(void **state)
{
    struct qp_custom_desc d;
    (void)state;
    assert_refused(NULL, "an operation needs a description");
    assert_refused(&(struct qp_custom_desc){0}, "an operation needs a name");
    d = relaxation, d.name = "a/b", assert_refused(&d, "not 'a/b'");
    d = relaxation, d.name = "-a", assert_refused(&d, "not '-a'");
    d = relaxation, d.name = "jacobi9", assert_refused(&d, "the library has an operation jacobi9");
    d = relaxation, d.reference = NULL, assert_refused(&d, "relax has no reference");
    d = relaxation, d.input[1].name = "x", assert_refused(&d, "two arrays or parameters are");
    d = relaxation, d.parameter[1].name = "f", assert_refused(&d, "are called 'f'");
    d = relaxation, d.input[0].name = "cells", assert_refused(&d, "'cells' cannot name");
    d = relaxation, d.input[0].name = "size", assert_refused(&d, "'size' cannot name a uniform");
    d = relaxation, d.state.name = "gl_x", assert_refused(&d, "'gl_x' cannot name a uniform");
    d = relaxation, d.state.name = "2x", assert_refused(&d, "'2x' cannot name a uniform");
    d = relaxation, d.tolerance = NAN, assert_refused(&d, "a tolerance of nan");
    d = relaxation, d.bytes = -1.0, assert_refused(&d, "a cost of 5 flops and -1 bytes");
    d = relaxation, d.input[0].padding = NAN, assert_refused(&d, "the padding of f must be");
}

static void assert_not_added(struct qp_custom *op, const struct qp_custom_variant *desc,
                             const char *words)
{
    const struct qp_variant *row = (const struct qp_variant *)(const void *)words;
    assert_int_equal(qp_custom_add(op, desc, &row), QP_BAD_USE);
    assert_null(row);
    support_assert_sentence(words);
}

static void variants_that_make_no_sense(void **state)
{
    const struct qp_custom_variant good = {.name = "v",
                                           .draw = {{.fragment = {.text = relax_plain}}}};
    struct qp_custom_variant v;
    struct qp_custom *op = relax_make();
    const struct qp_variant *row = relax_add(op, "plain", QP_TEXEL_R32F, relax_plain);
    (void)state;
    assert_non_null(row);
    row = relax_add(op, "later", QP_TEXEL_R32F, relax_plain);
    assert_not_added(op, NULL, "a variant needs an operation and a description");
    assert_not_added(NULL, &good, "a variant needs an operation and a description");
    v = good, v.name = NULL, assert_not_added(op, &v, "a variant of relax needs a name");
    v = good, v.name = "plain", assert_not_added(op, &v, "relax/plain is there already");
    v = good, v.sweep = relax_sweep, assert_not_added(op, &v, "either a fragment shader, or a");
    v = good, v.launch = relax_nothing, assert_not_added(op, &v, "either a fragment shader, or a");
    v = good, v.draw[0].fragment.text = NULL, assert_not_added(op, &v, "relax/v needs either");
    v = good, v.draw[1].vertex.text = relax_vertex, assert_not_added(op, &v, "draw 2 has a vertex");
    v = good, v.draw[0].cover = (enum qp_cover)9, assert_not_added(op, &v, "draw 1 covers");
    v = good, v.texel = (enum qp_texel)7, assert_not_added(op, &v, "no texel format 7");
    v = good, v.pad_y = -1, assert_not_added(op, &v, "a padding of 0 x -1 texels");
    qp_custom_destroy(&op);
    qp_custom_destroy(&op);
    qp_custom_destroy(NULL);
}

static void problems_that_make_no_sense(void **state)
{
    struct qp_custom_desc desc = relaxation;
    struct qp_custom *op;
    struct qp_problem problem;
    (void)state;
    assert_int_equal(qp_custom_problem(NULL, 4, 4, 0, &problem), QP_BAD_USE);
    support_assert_sentence("there is no operation; it is NULL");
    desc.input[0].fill = infinite;
    assert_ok(qp_custom_create(&desc, &op));
    assert_int_equal(qp_custom_problem(op, 0, 4, 0, &problem), QP_BAD_USE);
    support_assert_sentence("0 x 4 cells are no grid");
    assert_int_equal(qp_custom_problem(op, 4, 4, 0, &problem), QP_BAD_INPUT);
    support_assert_sentence("relax fills cell (2, 1) of f with inf");
    assert_true(problem.op == NULL && problem.field[0].values == NULL);
    qp_problem_destroy(&problem);
    qp_custom_destroy(&op);
}

static void checks_that_make_no_sense(void **state)
{
    struct qp_custom *op = relax_make();
    const struct qp_variant *row = NULL;
    struct qp_tally tally;
    (void)state;
    assert_int_equal(qp_check(NULL, &row, 1, &(struct qp_check_desc){0}, &tally), QP_BAD_USE);
    support_assert_sentence("either an operation of yours or a function");
    assert_int_equal(qp_check(NULL, &row, 1, &(struct qp_check_desc){.custom = op}, &tally),
                     QP_BAD_USE);
    support_assert_sentence("variant 1 of 1: there is no variant");
    row = qp_variant_find("jacobi9/bands_cpu");
    assert_ok(qp_check(NULL, &row, 1, &(struct qp_check_desc){.custom = op}, &tally));
    assert_string_equal(tally.worst.reason,
                        "is a variant of jacobi9, and the problem is one of relax");
    qp_custom_destroy(&op);
}

/* A program that goes on after a failed call walks nothing. */
static void walks_without_a_problem(void **state)
{
    const struct qp_variant *row = qp_variant_find("jacobi9/reference");
    struct qp_walk_desc one = {.iterations = 1};
    struct qp_bench_desc once = {.repeats = 1};
    struct qp_problem none = {0}, *nothing[] = {&none, NULL};
    struct qp_result result;
    struct qp_record record;
    (void)state;
    assert_int_equal(qp_walk(NULL, NULL, &none, &one, &result), QP_BAD_USE);
    support_assert_sentence("the one asked for is NULL");
    for (int i = 0; i < COUNT(nothing); i++) {
        assert_int_equal(qp_walk(NULL, row, nothing[i], &one, &result), QP_BAD_USE);
        support_assert_sentence("jacobi9/reference has no problem to walk through");
        assert_int_equal(qp_bench(NULL, &row, &nothing[i], 1, &once, &record), QP_BAD_USE);
        support_assert_sentence("jacobi9/reference has no problem to walk through");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {clean_test(wrong_shaders_fail),
                                       clean_test(the_place_is_named),
                                       clean_test(shaders_that_do_not_fit),
                                       clean_test(shaders_from_files),
                                       clean_test(draws_are_named),
                                       clean_test(references_are_judged_too),
                                       clean_test(small_errors_of_small_numbers),

                                       clean_test(operations_that_make_no_sense),
                                       clean_test(variants_that_make_no_sense),
                                       clean_test(problems_that_make_no_sense),
                                       clean_test(checks_that_make_no_sense),
                                       clean_test(walks_without_a_problem)};
    return cmocka_run_group_tests_name("custom_wrong", tests, support_open_context,
                                       support_close_context);
}
