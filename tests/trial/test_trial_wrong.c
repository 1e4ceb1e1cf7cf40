/* SPDX-License-Identifier: MIT */
/* Trials: each way of being wrong is found and named. */
#include "support/relax.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every case of the check fails, for these words. */
static void assert_fails(struct qp_context *context, struct qp_trial *op,
                         const struct qp_variant *variant, const char *words)
{
    struct qp_tally tally = relax_check(context, op, variant);
    if (tally.failed == 0 || strstr(tally.worst.reason, words) == NULL)
        fail_msg("'%s' does not say '%s'", tally.worst.reason, words);
    assert_int_equal(qp_tally_verdict(&tally), QP_FAIL);
}

/* ---- Wrong shaders ---- */

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

static void assert_mutant_fails(struct qp_context *context, const char *text, const char *old,
                                const char *instead, const char *words)
{
    struct qp_trial *op = relax_make();
    char *mutant = edit(text, old, instead);
    assert_fails(context, op,
                 text == relax_body ? relax_add_body(op, "mutant", mutant)
                                    : relax_add(op, "mutant", mutant),
                 words);
    free(mutant);
    qp_trial_destroy(&op);
}

CLEAN_TEST(wrong_shaders_fail)
{
    static const struct {
        const char *text, *old, *instead, *words;
    } cases[] = {
        {relax_plain, "vec2(1.0, 0.0)", "vec2(0.0, 0.0)", "should be"}, /* a neighbour off by one */
        {relax_plain, "vec2(0.0, -1.0)", "vec2(1.0, -1.0)", "should be"},
        {relax_plain, "+ texture2DRect(x, here + vec2(0.0, 1.0)).x", "", "cell ("},
        {relax_plain, "a * sum", "a * sum * 1.00001", "cell ("},
        {relax_plain, "vec2 here", "discard; vec2 here", "was never written; it should be "},
        {relax_body, "x_at(1, 0)", "x_at(0, 0)", "should be"},
        {relax_body, "x_at(-1, 0)", "x_at(-3, 0)", "should be"},
        {relax_body, " + x_at(0, 1)", "", "cell ("},
        {relax_body, "a * sum", "sqrt(-abs(sum) - 1.0)", "is nan, which is no number"},
        {relax_body, "float sum", "discard; float sum", "was never written; it should be "},
        /* values beside the cells in guards, which a whole shader that knows origins reads */
        {relax_plain, "uniform vec2 size;", "uniform vec2 size, origin, x_origin, f_origin;\n",
         "is nan, which is no number; it should be "},
    };
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++)
        assert_mutant_fails(context, cases[i].text, cases[i].old, cases[i].instead, cases[i].words);
}

/* A difference in one place is found in that place. */
CLEAN_TEST(the_place_is_named)
{
    struct qp_context *context = support_need_context(state);
    struct qp_trial *op = relax_make();
    char *text =
        edit(relax_body, "return", "if (here == vec2(7.0, 4.0)) sum += 0.001;\n    return");
    const struct qp_variant *variant = relax_add_body(op, "odd", text);
    struct qp_walk_desc one = {.iterations = 1};
    struct qp_result result;
    struct qp_problem problem;
    assert_ok(qp_trial_problem(op, 13, 11, 1, &problem));
    assert_ok(qp_walk(context, variant, &problem, &one, &result));
    assert_true(result.verdict == QP_FAIL && result.worst_x == 7 && result.worst_y == 4);
    assert_non_null(strstr(result.reason, "cell (7, 4) is "));
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
    free(text);
}

CLEAN_TEST(shaders_that_do_not_fit)
{
    static const struct {
        const char *text, *old, *instead, *words;
    } cases[] = {
        {relax_plain, "float sum", "float sun",
         "stage 4, program: relax/mutant:12: 'gl_FragColor = vec4(a"},
        {relax_plain, " x, f;", " x, g;\n#define f g\n", "relax/mutant:3: 'uniform sampler2DRect"},
        {relax_plain, "uniform float a;", "uniform vec2 a;\n#define a a.x\n", "'a' is a vec2"},
        {relax_body, "float sum", "float sun", "stage 4, program: relax/mutant:"},
        {relax_body, "a * sum", "b * sum", "stage 4, program: relax/mutant:4: "},
        {relax_body, "{", "{ varying_is_no_word;", "stage 4, program: relax/mutant"}};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(cases); i++)
        assert_mutant_fails(context, cases[i].text, cases[i].old, cases[i].instead, cases[i].words);
}

static void assert_second_program_fails(struct qp_context *context, const char *text,
                                        const char *words)
{
    struct qp_trial *op = relax_make();
    struct qp_kernel_desc first = relax_kernel, second = relax_kernel;
    first.fragment.text = relax_plain;
    second.fragment.text = text;
    const struct qp_trial_variant two = {.name = "two", .kernel = {first, second}};
    const struct qp_variant *variant;
    assert_ok(qp_trial_add(op, &two, &variant));
    assert_fails(context, op, variant, words);
    qp_trial_destroy(&op);
}

/* A later program's shader has its number in its name. Not all drivers name the line of an
 * unexpected end. */
CLEAN_TEST(programs_are_named)
{
    struct qp_context *context = support_need_context(state);
    assert_second_program_fails(context, "void main() { gl_FragColor = nonsense; }\n",
                                "relax/two_2:1: 'void main() { gl_FragColor = nonsense; }': ");
    assert_second_program_fails(context, "nonsense\n", "relax/two_2:");
}

/* From a file, with its own path in messages; read when it is added. */
CLEAN_TEST(shaders_from_files)
{
    char path[] = "/tmp/quadpass-trial-XXXXXX";
    struct qp_trial *op = relax_make();
    struct qp_kernel_desc kernel = relax_kernel;
    kernel.fragment.file = path;
    struct qp_trial_variant desc = {.name = "file", .kernel = {kernel}};
    const struct qp_variant *good, *bad;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_true(file != NULL && fputs(relax_plain, file) >= 0 && fflush(file) == 0);
    assert_ok(qp_trial_add(op, &desc, &good));
    assert_true(fputs("nonsense\n", file) >= 0 && fclose(file) == 0);
    desc.name = "bad";
    assert_ok(qp_trial_add(op, &desc, &bad));
    remove(path);
    desc.name = "none";
    const struct qp_variant *none;
    assert_int_equal(qp_trial_add(op, &desc, &none), QP_BAD_INPUT);
    assert_null(none);
    support_assert_sentence("cannot read the shader /tmp/quadpass-trial-");
    support_assert_sentence(": No such file");
    if (*state != NULL) {
        assert_int_equal(relax_check(*state, op, good).passed, 33);
        assert_fails(*state, op, bad, path);
    }
    qp_trial_destroy(&op);
    support_need_context(state);
}

/* ---- Wrong references ---- */

/* Leaves the last cell as it was handed over. */
static double forgets(const struct qp_kernel_grid *g, double *const output[])
{
    double *last = &output[0][g->width * g->height - 1], before = *last;
    double scale = relax(g, output);
    *last = before;
    return scale;
}

/* Claims that everything is rounding. */
static double boasts(const struct qp_kernel_grid *g, double *const output[])
{
    relax(g, output);
    output[0][0] += 1.0;
    return *(double *)g->user;
}

static double infinite(void *user, int x, int y, int width, int height, int channel)
{
    (void)user, (void)width, (void)height, (void)channel;
    return x == 2 && y == 1 ? INFINITY : 0.0;
}

static struct qp_kernel_desc sweep_of(qp_kernel_sweep *sweep)
{
    struct qp_kernel_desc kernel = relax_kernel;
    kernel.sweep = sweep;
    return kernel;
}

CLEAN_TEST(references_are_judged_too)
{
    static const double bad[] = {NAN, INFINITY};
    const struct qp_kernel_desc kernel = sweep_of(relax_sweep);
    for (int i = 0; i < 2 * COUNT(bad); i++) {
        struct qp_trial_desc desc = relaxation;
        struct qp_trial *op;
        double value = bad[i / 2];
        desc.reference = i % 2 ? boasts : forgets;
        desc.user = &value;
        assert_ok(qp_trial_create(&desc, &kernel, &op));
        assert_fails(NULL, op, relax_add_sweep(op, "cpu", relax_sweep),
                     i % 2 ? "cell (0, 0)"
                           : "stage 9, reference: cell (0, 0) of relax is nan after 1");
        qp_trial_destroy(&op);
    }
}

static double small(void *user, int x, int y, int width, int height, int channel)
{
    (void)user, (void)x, (void)y, (void)width, (void)height, (void)channel;
    return 0x1p-10;
}

static double keeps(const struct qp_kernel_grid *g, double *const output[])
{
    memcpy(output[0], g->input[0].values,
           (size_t)g->width * (size_t)g->height * sizeof output[0][0]);
    return 0.0;
}

static void drifts(const struct qp_kernel_grid *g, void *const output[])
{
    for (int i = 0; i < g->width * g->height; i++)
        ((float *)output[0])[i] = ((const float *)g->input[0].values)[i] * 1.00001f;
}

/* The size of the numbers counts where the reference returns none, however small they are. */
CLEAN_TEST(small_errors_of_small_numbers)
{
    const struct qp_trial_desc desc = {
        .name = "small", .input = {{.name = "x", .fill = small}}, .reference = keeps};
    const struct qp_kernel_desc kernel = {.input = {{.name = "x"}}, .sweep = drifts};
    struct qp_trial *op;
    const struct qp_variant *variant;
    assert_ok(qp_trial_create(&desc, &kernel, &op));
    assert_ok(
        qp_trial_add(op, &(struct qp_trial_variant){.name = "cpu", .kernel = {kernel}}, &variant));
    assert_fails(NULL, op, variant, "should be 0.00097");
    qp_trial_destroy(&op);
}

/* ---- Wrong descriptions ---- */

static void assert_refused(const struct qp_trial_desc *desc, const char *words)
{
    const struct qp_kernel_desc kernel = sweep_of(relax_sweep);
    struct qp_trial *op = (struct qp_trial *)&op;
    assert_int_equal(qp_trial_create(desc, &kernel, &op), QP_BAD_USE);
    assert_null(op);
    support_assert_sentence(words);
}

CLEAN_TEST(trials_that_make_no_sense)
{
    struct qp_trial_desc d;
    assert_refused(NULL, "'desc' is NULL");
    assert_refused(&(struct qp_trial_desc){0}, "a trial needs a name");
    d = relaxation, d.name = "a/b", assert_refused(&d, "not 'a/b'");
    d = relaxation, d.name = "-a", assert_refused(&d, "not '-a'");
    d = relaxation, d.name = "jacobi9", assert_refused(&d, "the library has an operation jacobi9");
    d = relaxation, d.input[0].name = "g",
    assert_refused(&d, "no input 'g', which is described as");
    d = relaxation, d.input[0].name = "ff", assert_refused(&d, "did you mean 'f'?");
    d = relaxation, d.state[0] = "g", assert_refused(&d, "no input 'g', which is described as a");
    d = relaxation, d.state[1] = "f",
    assert_refused(&d, "'f' cannot be output 1 in the next step: "
                       "there is no such output");
    d = relaxation, d.number[0].name = NULL, assert_refused(&d, "number 'a' has no value");
    d = relaxation, d.number[1].name = "a", assert_refused(&d, "number 'a' is given twice");
    d = relaxation, d.number[1].name = "b", assert_refused(&d, "the kernel has no number 'b'");
    d = relaxation, d.tolerance = NAN, assert_refused(&d, "a tolerance of nan");
    d = relaxation, d.bytes = -1.0, assert_refused(&d, "a cost of 5 flops and -1 bytes");
    d = relaxation, d.input[0] = (struct qp_trial_input){.name = "f", .value = NAN};
    assert_refused(&d, "the value outside of 'f' must be a finite number");
    d.input[0].value = INFINITY, assert_refused(&d, "the value outside of 'f' must be a finite");
    d.input[0] = (struct qp_trial_input){.name = "f", .low = 2.0, .high = 1.5};
    assert_refused(&d, "'f' cannot hold values from 2 to 1.5");
}

static void assert_not_added(struct qp_trial *op, const struct qp_trial_variant *desc,
                             const char *words)
{
    const struct qp_variant *variant = (const struct qp_variant *)(const void *)words;
    assert_int_equal(qp_trial_add(op, desc, &variant), QP_BAD_USE);
    assert_null(variant);
    support_assert_sentence(words);
}

CLEAN_TEST(variants_that_make_no_sense)
{
    struct qp_kernel_desc body = relax_kernel;
    body.body = relax_body;
    const struct qp_trial_variant good = {.name = "v", .kernel = {body}};
    struct qp_trial_variant v;
    struct qp_trial *op = relax_make();
    relax_add(op, "plain", relax_plain);
    relax_add(op, "later", relax_plain);
    assert_not_added(op, NULL, "'variant' is NULL");
    assert_not_added(NULL, &good, "'trial' is NULL");
    v = good, v.name = NULL, assert_not_added(op, &v, "a variant of relax needs a name");
    v = good, v.name = "plain", assert_not_added(op, &v, "relax/plain is there already");
    v = good, v.kernel[0].sweep = relax_sweep,
    assert_not_added(op, &v, "relax/v: a kernel is either");
    v = good, v.kernel[1] = sweep_of(relax_sweep), assert_not_added(op, &v, "or one function");
    v = good, v.kernel[0].body = NULL, assert_not_added(op, &v, "relax/v needs programs");
    v = good, v.kernel[0].outputs = 2, assert_not_added(op, &v, "relax/v has other outputs");
    v = good, v.kernel[0].input[1].name = "g", assert_not_added(op, &v, "relax/v reads 'g'");
    v = good, v.kernel[0].input[1].channels = 2, assert_not_added(op, &v, "cells of 'f' are of");
    v = good, v.kernel[0].number[0].name = "b", assert_not_added(op, &v, "has no number 'b'");
    v = good, v.kernel[0].number[0].type = QP_NUMBER_INT,
    assert_not_added(op, &v, "no number 'a' of this");
    v = good, v.kernel[0].vertex.text = "", assert_not_added(op, &v, "a vertex shader goes with");
    v = good, v.cover[0] = (enum qp_cover)9, assert_not_added(op, &v, "program 1 cannot cover 9");
    v = good, v.cover[0] = QP_COVER_POINTS, assert_not_added(op, &v, "has no vertex shader");
    qp_trial_destroy(&op);
    qp_trial_destroy(&op);
    qp_trial_destroy(NULL);
}

CLEAN_TEST(problems_that_make_no_sense)
{
    const struct qp_kernel_desc kernel = sweep_of(relax_sweep);
    struct qp_trial_desc desc = relaxation;
    struct qp_trial *op;
    struct qp_problem problem;
    desc.input[0] = (struct qp_trial_input){.name = "f", .fill = infinite};
    assert_ok(qp_trial_create(&desc, &kernel, &op));
    assert_int_equal(qp_trial_problem(op, 0, 4, 0, &problem), QP_BAD_USE);
    support_assert_sentence("0 x 4 cells are no grid");
    assert_int_equal(qp_trial_problem(op, 4, 4, 0, &problem), QP_BAD_INPUT);
    support_assert_sentence("relax fills cell (2, 1) of f with inf");
    assert_true(problem.op == NULL && problem.field[0].doubles == NULL);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
}

CLEAN_TEST(checks_that_make_no_sense)
{
    struct qp_trial *op = relax_make();
    const struct qp_check_desc good = {.make = qp_trial_make, .user = op};
    const struct qp_variant *variant = NULL;
    struct qp_tally tally;
    assert_int_equal(qp_check(NULL, &variant, 1, &(struct qp_check_desc){0}, &tally), QP_BAD_USE);
    support_assert_sentence("a function that makes problems, such as qp_trial_make");
    assert_int_equal(qp_check(NULL, &variant, 1, &good, &tally), QP_BAD_USE);
    support_assert_sentence("variant 1 of 1: there is no variant");
    variant = qp_variant_find("jacobi9/bands_cpu");
    assert_ok(qp_check(NULL, &variant, 1, &good, &tally));
    assert_string_equal(tally.worst.reason,
                        "is a variant of jacobi9, and the problem is one of relax");
    qp_trial_destroy(&op);
}

/* A program that goes on after a failed call walks nothing. */
CLEAN_TEST(walks_without_a_problem)
{
    const struct qp_variant *variant = qp_variant_find("jacobi9/reference");
    struct qp_walk_desc one = {.iterations = 1};
    struct qp_bench_desc once = {.repeats = 1};
    struct qp_problem none = {0}, *nothing[] = {&none, NULL};
    struct qp_result result;
    struct qp_record record;
    assert_int_equal(qp_walk(NULL, NULL, &none, &one, &result), QP_BAD_USE);
    support_assert_sentence("the one asked for is NULL");
    for (int i = 0; i < COUNT(nothing); i++) {
        assert_int_equal(qp_walk(NULL, variant, nothing[i], &one, &result), QP_BAD_USE);
        support_assert_sentence("jacobi9/reference has no problem to walk through");
        assert_int_equal(qp_bench(NULL, &variant, &nothing[i], 1, &once, &record), QP_BAD_USE);
        support_assert_sentence("jacobi9/reference has no problem to walk through");
    }
}

GROUP(support_open_context, support_close_context)
