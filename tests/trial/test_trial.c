/* SPDX-License-Identifier: MIT */
/* Trials: right ones pass wherever the table's variants must. */
#include "support/relax.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/trial/trial.h"

static int swept;

static void count_sweep(const struct qp_kernel_grid *g, void *const output[])
{
    swept++;
    relax_sweep(g, output);
}

/* Defaults of docs/judge.md, where a description says nothing: values from -1 to 1,
 * 2^-20 a step, and a check of eleven sizes after 1, 2 and 7 steps each. */
CLEAN_TEST(defaults_are_the_documented_ones)
{
    struct qp_trial *op = relax_make();
    const struct qp_variant *variant = relax_add_sweep(op, "cpu", count_sweep);
    const struct qp_walk_desc three = {.iterations = 3};
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_trial_problem(op, 31, 29, 1, &problem));
    assert_ok(qp_walk(NULL, variant, &problem, &three, &result));
    assert_true(result.verdict == QP_PASS && result.tolerance == 3 * 0x1p-20);
    double least = 0.0, most = 0.0;
    for (int i = 0; i < 31 * 29; i++) {
        const double value = qp_problem_field(&problem, "f")->doubles[i];
        least = fmin(least, value);
        most = fmax(most, value);
    }
    assert_true(least >= -1.0 && least < -0.99 && most < 1.0 && most > 0.99);
    swept = 0;
    assert_int_equal(relax_check(NULL, op, variant).passed, 33);
    assert_int_equal(swept, 11 * (1 + 2 + 7));
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
}

/* A list of steps, and a state of another type than its input: floats, for halves. Not compiled. */
CLEAN_TEST(descriptions_are_kept)
{
    const int steps[] = {3, 0};
    struct qp_trial_desc desc = relaxation;
    struct qp_kernel_desc kernel = relax_kernel;
    struct qp_trial *op;
    struct qp_problem problem;
    const struct qp_variant *variant;
    desc.state[0] = "x";
    desc.steps = steps;
    kernel.input[0].type = QP_ARRAY_HALF;
    kernel.fragment.text = "uniform vec2 x_origin, f_origin; /* origin */ x f";
    assert_ok(qp_trial_create(&desc, &kernel, &op));
    swept = 0;
    assert_int_equal(relax_check(NULL, op, relax_add_sweep(op, "cpu", count_sweep)).passed, 11);
    assert_int_equal(swept, 11 * 3);
    assert_ok(qp_trial_problem(op, 9, 9, 1, &problem));
    bool whole = true;
    for (int i = 0; i < 9 * 9; i++) {
        const double x = problem.field[0].doubles[i] * 0x1p14;
        whole = whole && (fabs(x) < 0x1p10 || x == rint(x));
    }
    assert_false(whole);
    kernel.output_type = QP_ARRAY_HALF;
    assert_ok(
        qp_trial_add(op, &(struct qp_trial_variant){.name = "half", .kernel = {kernel}}, &variant));
    assert_true(qp_variant_cost(variant).bytes == 2 + 2 + 4);
    assert_false(qp_trial_recipe_of(variant)->guarded);
    kernel.fragment.text = "uniform vec2 x_origin, f_origin, origin; x f";
    assert_ok(qp_trial_add(op, &(struct qp_trial_variant){.name = "guarded", .kernel = {kernel}},
                           &variant));
    assert_true(qp_trial_recipe_of(variant)->guarded);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
}

CLEAN_TEST(some_tables_and_names_are_refused)
{
    float values[3] = {1.0f, 2.0f, 3.0f};
    struct qp_matrix table = {.width = 3, .values = values};
    struct qp_trial_desc desc = relaxation;
    struct qp_kernel_desc kernel = relax_kernel;
    struct qp_trial *op;
    kernel.body = relax_body;
    desc.input[0] = (struct qp_trial_input){.name = "f", .table = &table};
    assert_int_equal(qp_trial_create(&desc, &kernel, &op), QP_BAD_USE);
    support_assert_sentence("a table of 3 x 0 values is none for 'f', whose cells have 1");
    table.height = 1;
    desc.state[0] = "f";
    assert_int_equal(qp_trial_create(&desc, &kernel, &op), QP_BAD_USE);
    support_assert_sentence("'f' cannot be output 0 in the next step: it is a table");
    kernel.input[1].channels = 2;
    assert_int_equal(qp_trial_create(&desc, &kernel, &op), QP_BAD_USE);
    support_assert_sentence("a table of 3 x 1 values is none for 'f', whose cells have 2");
    desc.name = "a234567890123456789012345678901234567890123456789012345678901234";
    assert_int_equal(qp_trial_create(&desc, &kernel, &op), QP_BAD_USE);
    support_assert_sentence("a trial needs a name");
}

CLEAN_TEST(records_and_costs)
{
    struct qp_context *context = support_need_context(state);
    struct qp_trial *op = relax_make();
    const struct qp_variant *variant = relax_add(op, "plain", relax_plain);
    struct qp_bench_desc twice = {.iterations = 3, .repeats = 2};
    struct qp_record record;
    struct qp_problem problem, *problems = &problem;
    assert_ok(qp_trial_problem(op, 30, 20, 5, &problem));
    assert_ok(qp_bench(context, &variant, &problems, 1, &twice, &record));
    assert_true(record.verdict == QP_PASS && record.glups > 0.0 && record.gflops > 0.0);
    assert_true(record.cost.bytes == 12.0 && record.cost.flops == 5.0);
    assert_string_equal(variant->name, "relax/plain");
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
}

/* ---- Values ---- */

static double ramp(void *user, int x, int y, int width, int height, int channel)
{
    (void)channel;
    return *(double *)user + (double)(x + y * width) / (double)(width * height);
}

/* x' = x / d + y, where d is 2 beyond the border and is read there */
static double divide(const struct qp_kernel_grid *g, double *const output[])
{
    const double *x = g->input[0].values, *y = g->input[2].values;
    for (int i = 0; i < g->width * g->height; i++)
        output[0][i] =
            x[i] / qp_kernel_array_at(&g->input[1], i % g->width + 1, i / g->width, 0) + y[i];
    return 0.0;
}

static void divide_sweep(const struct qp_kernel_grid *g, void *const output[])
{
    const float *x = g->input[0].values, *d = g->input[1].values, *y = g->input[2].values;
    for (int i = 0; i < g->width * g->height; i++)
        ((float *)output[0])[i] = x[i] / (i % g->width < g->width - 1 ? d[i + 1] : 2.0f) + y[i];
}

static double from = 1.5;

static const struct qp_trial_desc division = {
    .name = "divide",
    .state = {"u"},
    .input = {{.name = "d", .fill = ramp, .outside = QP_OUTSIDE_VALUE, .value = 2.0}},
    .reference = divide,
    .user = &from,
    .tolerance = 4e-7,
    .bytes = 99};

/* The start that a problem comes with or a user has written into it. */
static void assert_solution(struct qp_context *context, const struct qp_variant *variant,
                            struct qp_problem *problem)
{
    struct qp_walk_desc one = {.iterations = 1, .keep_solution = true};
    struct qp_result result;
    assert_ok(qp_walk(context, variant, problem, &one, &result));
    assert_int_equal(result.verdict, QP_PASS);
    assert_true(result.tolerance == 4e-7);
    assert_true(fabs((double)result.solution.values[0] - (10.0 / (1.5 + 1.0 / 6.0) + 1.0)) < 1e-5);
    assert_true(fabs((double)result.solution.values[5] - (60.0 / 2.0 + 6.0)) < 1e-4);
    qp_matrix_destroy(&result.solution);
}

CLEAN_TEST(values_and_outsides)
{
    struct qp_context *context = *state;
    struct qp_trial *op;
    struct qp_problem problem;
    const struct qp_kernel_desc cpu = {.input = {{.name = "u"}, {.name = "d"}, {.name = "y"}},
                                       .sweep = divide_sweep},
                                body = {.input = {{.name = "u"}, {.name = "d"}, {.name = "y"}},
                                        .body = "float kernel(vec2 cell)\n{ return u_at(0, 0) / "
                                                "d_at(1, 0) + y_at(0, 0); }"};
    const struct qp_variant *variant, *gl;
    assert_ok(qp_trial_create(&division, &cpu, &op));
    assert_ok(qp_trial_problem(op, 3, 2, 0, &problem));
    assert_true(qp_problem_field(&problem, "d")->doubles[4] == (double)(float)(1.5 + 4.0 / 6.0));
    for (int i = 0; i < 6; i++) {
        qp_problem_field(&problem, "u")->doubles[i] = 10.0 * (i + 1);
        qp_problem_field(&problem, "y")->doubles[i] = i + 1;
    }
    assert_null(qp_problem_field(&problem, "x"));
    assert_ok(
        qp_trial_add(op, &(struct qp_trial_variant){.name = "cpu", .kernel = {cpu}}, &variant));
    assert_ok(qp_trial_add(op, &(struct qp_trial_variant){.name = "gl", .kernel = {body}}, &gl));
    assert_solution(NULL, variant, &problem);
    assert_int_equal(relax_check(NULL, op, variant).passed, 33);
    assert_true(qp_variant_cost(variant).bytes == 99);
    if (context != NULL)
        assert_solution(context, gl, &problem);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
}

/* x' = x / 16 + sum_i p_(i mod 16) y_i, with as many arrays and numbers as there may be */
enum { MOST = QP_KERNEL_INPUTS - 1, TEXT = 2048 };

static double sum_all(const struct qp_kernel_grid *g, double *const output[])
{
    for (int i = 0; i < g->width * g->height; i++) {
        output[0][i] = ((const double *)g->input[0].values)[i] / 16.0;
        for (int k = 0; k < QP_KERNEL_NUMBERS; k++)
            output[0][i] +=
                g->number[k].value[0] * ((const double *)g->input[1 + k % MOST].values)[i];
    }
    return 0.0;
}

CLEAN_TEST(as_many_as_there_may_be)
{
    static char names[MOST][16], numbers[QP_KERNEL_NUMBERS][16];
    struct qp_context *context = support_need_context(state);
    struct qp_trial_desc desc = {.name = "most", .reference = sum_all};
    struct qp_kernel_desc kernel = {.input = {{.name = "x"}}};
    struct qp_trial *op;
    const struct qp_variant *variant;
    char text[TEXT] = "float kernel(vec2 here)\n{\n    return x_at(0, 0) / 16.0";
    for (int k = 0; k < MOST; k++) {
        snprintf(names[k], sizeof names[k], "y%d", k);
        kernel.input[k + 1].name = names[k];
    }
    for (int k = 0; k < QP_KERNEL_NUMBERS; k++) {
        const size_t length = strlen(text);
        snprintf(numbers[k], sizeof numbers[k], "p%d", k);
        kernel.number[k].name = numbers[k];
        desc.number[k] = (struct qp_pass_number){.name = numbers[k], .value = {0.125 * (k + 1)}};
        snprintf(text + length, TEXT - length, "\n    + p%d * y%d_at(0, 0)", k, k % MOST);
    }
    strcat(text, ";\n}\n");
    kernel.body = text;
    assert_ok(qp_trial_create(&desc, &kernel, &op));
    assert_ok(
        qp_trial_add(op, &(struct qp_trial_variant){.name = "all", .kernel = {kernel}}, &variant));
    assert_int_equal(relax_check(context, op, variant).passed, 33);
    qp_trial_destroy(&op);
}

/* Without a context variants of OpenGL are skipped, which is no pass. */
CLEAN_TEST(without_a_context)
{
    struct qp_trial *op = relax_make();
    const struct qp_variant *variant = relax_add(op, "plain", relax_plain);
    struct qp_check_desc desc = {
        .make = qp_trial_make, .user = op, .no_device = "none here", .width = 3, .height = 1};
    struct qp_tally tally;
    assert_ok(qp_check(NULL, &variant, 1, &desc, &tally));
    assert_int_equal(qp_tally_verdict(&tally), QP_SKIP);
    assert_true(tally.skipped == 3 && strcmp(tally.worst.reason, "none here") == 0);
    qp_trial_destroy(&op);
}

/* ---- Several ---- */

/* Two operations of one name: each variant judged on its own problems, refused on the other's. */
CLEAN_TEST(two_at_once)
{
    struct qp_context *context = support_need_context(state);
    struct qp_trial_desc half = relaxation;
    struct qp_kernel_desc first = relax_kernel;
    first.body = relax_body;
    half.number[0].value[0] = 0.125;
    struct qp_trial *op[2] = {relax_make()};
    assert_ok(qp_trial_create(&half, &first, &op[1]));
    const struct qp_variant *variant[2] = {relax_add_body(op[0], "plain", relax_body),
                                           relax_add_body(op[1], "plain", relax_body)};
    for (int i = 0; i < 4; i++) {
        struct qp_tally tally = relax_check(context, op[i / 2], variant[i % 2]);
        assert_int_equal(qp_tally_verdict(&tally), i / 2 == i % 2 ? QP_PASS : QP_SKIP);
    }
    qp_trial_destroy(&op[0]);
    assert_int_equal(relax_check(context, op[1], variant[1]).passed, 33);
    qp_trial_destroy(&op[1]);
}

struct visitor {
    pthread_t thread;
    struct qp_trial *op;
    const struct qp_variant *variant;
    int passed;
};

static void *visit(void *argument)
{
    struct visitor *visitor = argument;
    struct qp_context *context;
    struct qp_check_desc desc = {
        .make = qp_trial_make, .user = visitor->op, .width = 17, .height = 5};
    struct qp_tally tally = {.passed = 0};
    if (qp_context_create(NULL, &context) == QP_OK &&
        qp_check(context, &visitor->variant, 1, &desc, &tally) == QP_OK)
        visitor->passed = tally.passed;
    qp_context_destroy(&context);
    return NULL;
}

CLEAN_TEST(threads_share_an_operation)
{
    support_need_context(state);
    struct visitor visitors[2];
    struct qp_trial *op = relax_make();
    const struct qp_variant *variant = relax_add(op, "plain", relax_plain);
    for (int i = 0; i < 2; i++) {
        visitors[i] = (struct visitor){.op = op, .variant = variant};
        assert_int_equal(pthread_create(&visitors[i].thread, NULL, visit, &visitors[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(visitors[i].thread, NULL);
        assert_int_equal(visitors[i].passed, 3);
    }
    qp_trial_destroy(&op);
}

/* ---- Reports and the demonstration ---- */

static volatile sig_atomic_t stop;

static int cases;

static void count_case(void *user, const struct qp_record *record)
{
    assert_non_null(user); /* the trial's */
    assert_int_equal(record->verdict, QP_PASS);
    assert_non_null(strstr(record->variant->name, "relax/cpu"));
    stop = ++cases == 10;
}

/* A norm of the step's change comes where solvers get their residual. */
static bool note_change(void *user, int step, double change)
{
    (void)step;
    *(double *)user = change;
    return false;
}

CLEAN_TEST(reports)
{
    struct qp_trial *op = relax_make();
    const struct qp_variant *variants[2] = {relax_add_sweep(op, "cpu", relax_sweep),
                                            relax_add_sweep(op, "cpu_2", relax_sweep)};
    struct qp_tally tallies[2];
    struct qp_problem problem;
    struct qp_result result;
    double change = 0.0;
    struct qp_check_desc desc = {
        .make = qp_trial_make, .user = op, .on_case = count_case, .interrupt = &stop};
    assert_ok(qp_check(NULL, variants, 2, &desc, tallies));
    assert_true(cases == 10 && tallies[0].passed == 5 && tallies[1].passed == 5);
    assert_ok(qp_trial_problem(op, 2, 1, 3, &problem));
    struct qp_walk_desc watched = {
        .iterations = 5, .every = 1, .on_residual = note_change, .keep_solution = true};
    watched.user = &change;
    assert_ok(qp_walk(NULL, variants[0], &problem, &watched, &result));
    const double *x = problem.field[0].doubles;
    const float *after = result.solution.values;
    assert_true(result.iterations == 1 && result.verdict == QP_PASS);
    assert_true(fabs(change - hypot((double)after[0] - x[0], (double)after[1] - x[1])) < 1e-6);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
}

/* The programs of docs/judge.md and docs/kernel-files.md. */
CLEAN_TEST(hello)
{
    support_need_context(state);
    assert_int_equal(system("cd " QP_SOURCE_DIR " && d=" QP_BUILD_DIR "/demos && $d/hello >&2 && "
                            "$d/file_trial | grep -q '^33 cases'"),
                     0);
}

GROUP(support_open_context, support_close_context)
