/* SPDX-License-Identifier: MIT */
/* Operations described at run time: right ones pass wherever the table's rows must. */
#include "support/relax.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* ---- What is right ---- */

static struct qp_custom_draw draw_of(enum qp_cover cover)
{
    return (struct qp_custom_draw){
        .fragment = {.text = relax_plain}, .vertex = {.text = relax_vertex}, .cover = cover};
}

static void right_ones_pass(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_custom *op = relax_make();
    const struct qp_custom_variant edges = {
        .name = "edges",
        .pad_x = 2,
        .pad_y = 3,
        .draw = {draw_of(QP_COVER_INTERIOR), draw_of(QP_COVER_LEFT), draw_of(QP_COVER_RIGHT)}};
    const struct qp_custom_variant cpu = {.name = "cpu", .sweep = relax_sweep};
    const struct qp_variant *rows[5] = {relax_add(op, "plain", QP_TEXEL_LUMINANCE, relax_plain),
                                        relax_add(op, "red", QP_TEXEL_R32F, relax_plain),
                                        relax_add(op, "rgba", QP_TEXEL_RGBA, relax_rgba)};
    struct qp_tally tallies[5];
    assert_ok(qp_custom_add(op, &edges, &rows[3]));
    assert_ok(qp_custom_add(op, &cpu, &rows[4]));
    for (int k = 0; k < 2 * QP_PINGPONG_STYLES; k++) {
        struct qp_check_desc desc = {.custom = op,
                                     .problems = 2,
                                     .pingpong = (enum qp_pingpong_style)(k / 2),
                                     .target = k % 2 ? QP_2D : QP_RECTANGLE};
        assert_ok(qp_check(context, rows, COUNT(rows), &desc, tallies));
        for (int i = 0; i < COUNT(rows); i++) {
            if (qp_tally_verdict(&tallies[i]) != QP_PASS || tallies[i].passed != 66)
                fail_msg("%s, %d: %s", rows[i]->name, k, tallies[i].worst.reason);
        }
    }
    qp_custom_destroy(&op);
}

static int swept;

static void count_sweep(const struct qp_custom_grid *g, const float *x, float *next)
{
    swept++;
    relax_sweep(g, x, next);
}

/* As docs/testing-gpu-code.md has it, where a description says nothing: values from -1 to 1, 2^-20 a step, and a check of
 * eleven sizes after 1, 2 and 7 steps each. */
static void defaults_are_the_documented_ones(void **state)
{
    struct qp_custom *op = relax_make();
    const struct qp_custom_variant cpu = {.name = "cpu", .sweep = count_sweep};
    const struct qp_walk_desc three = {.iterations = 3};
    const struct qp_variant *row;
    struct qp_problem problem;
    struct qp_result result;
    (void)state;
    assert_ok(qp_custom_add(op, &cpu, &row));
    assert_ok(qp_custom_problem(op, 31, 29, 1, &problem));
    assert_ok(qp_walk(NULL, row, &problem, &three, &result));
    assert_true(result.verdict == QP_PASS && result.tolerance == 3 * 0x1p-20);
    double least = 0.0, most = 0.0;
    for (int i = 0; i < 31 * 29; i++) {
        const double value = (double)qp_problem_field(&problem, "f")->values[i];
        least = fmin(least, value);
        most = fmax(most, value);
    }
    assert_true(least >= -1.0 && least < -0.99 && most < 1.0 && most > 0.99);
    swept = 0;
    assert_int_equal(relax_check(NULL, op, row).passed, 33);
    assert_int_equal(swept, 11 * (1 + 2 + 7));
    qp_problem_destroy(&problem);
    qp_custom_destroy(&op);
}

static void records_and_costs(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_custom *op = relax_make();
    const struct qp_variant *row = relax_add(op, "plain", QP_TEXEL_R32F, relax_plain);
    struct qp_bench_desc twice = {.iterations = 3, .repeats = 2};
    struct qp_record record;
    struct qp_problem problem, *problems = &problem;
    assert_ok(qp_custom_problem(op, 30, 20, 5, &problem));
    assert_ok(qp_bench(context, &row, &problems, 1, &twice, &record));
    assert_true(record.verdict == QP_PASS && record.glups > 0.0 && record.gflops > 0.0);
    assert_true(record.cost.bytes == 12.0 && record.cost.flops == 5.0);
    assert_string_equal(row->name, "relax/plain");
    qp_problem_destroy(&problem);
    qp_custom_destroy(&op);
}

/* ---- Values, padding, CPU only ---- */

static float ramp(void *user, int x, int y, int width, int height)
{
    return *(float *)user + (float)(x + y * width) / (float)(width * height);
}

/* x' = x / d + y, where d stands on 2 beyond the border and reads there */
static double divide(const struct qp_custom_grid *g, const double *x, double *next)
{
    for (int i = 0; i < g->width * g->height; i++) {
        double d = i % g->width < g->width - 1 ? g->input[0][i + 1] : 2.0;
        next[i] = x[i] / d + g->input[1][i];
    }
    return 0.0;
}

static void divide_sweep(const struct qp_custom_grid *g, const float *x, float *next)
{
    for (int i = 0; i < g->width * g->height; i++) {
        float d = i % g->width < g->width - 1 ? g->input[0][i + 1] : 2.0f;
        next[i] = x[i] / d + g->input[1][i];
    }
}

static const char divide_text[] =
    "#version 120\n#extension GL_ARB_texture_rectangle : require\n"
    "uniform sampler2DRect here_x, d, y;\n"
    "void main() {\n    vec2 at = gl_FragCoord.xy;\n"
    "    gl_FragColor = texture2DRect(here_x, at) / texture2DRect(d, at + vec2(1.0, 0.0)).x\n"
    "                 + texture2DRect(y, at);\n}\n";

static float from = 1.5f;

static const struct qp_custom_desc division = {
    .name = "divide",
    .state = {.name = "here_x", .padding = 7.0f},
    .input = {{.name = "d", .fill = ramp, .padding = 2.0f}, {.name = "y"}},
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
    assert_true(fabs(result.solution.values[0] - (10.0 / (1.5 + 1.0 / 6.0) + 1.0)) < 1e-5);
    assert_true(fabs(result.solution.values[5] - (60.0 / 2.0 + 6.0)) < 1e-4);
    qp_matrix_destroy(&result.solution);
}

static void values_and_padding(void **state)
{
    struct qp_context *context = *state;
    struct qp_custom *op;
    struct qp_problem problem;
    const struct qp_custom_variant cpu = {.name = "cpu", .sweep = divide_sweep};
    const struct qp_variant *row;
    assert_ok(qp_custom_create(&division, &op));
    assert_ok(qp_custom_problem(op, 3, 2, 0, &problem));
    assert_true(qp_problem_field(&problem, "d")->values[4] == 1.5f + 4.0f / 6.0f);
    for (int i = 0; i < 6; i++) {
        qp_problem_field(&problem, "here_x")->values[i] = 10.0f * (float)(i + 1);
        qp_problem_field(&problem, "y")->values[i] = (float)(i + 1);
    }
    assert_null(qp_problem_field(&problem, "x"));
    assert_ok(qp_custom_add(op, &cpu, &row));
    assert_solution(NULL, row, &problem);
    assert_int_equal(relax_check(NULL, op, row).passed, 33);
    assert_true(qp_variant_cost(row).bytes == 99);
    if (context != NULL)
        assert_solution(context, relax_add(op, "gl", QP_TEXEL_R32F, divide_text), &problem);
    qp_problem_destroy(&problem);
    qp_custom_destroy(&op);
}

/* x' = x / 16 + sum_i p_(i mod 8) y_i, with as many arrays and parameters as there may be */
static double sum_all(const struct qp_custom_grid *g, const double *x, double *next)
{
    for (int i = 0; i < g->width * g->height; i++) {
        next[i] = x[i] / 16.0;
        for (int k = 0; k < QP_CUSTOM_ARRAYS; k++)
            next[i] += g->parameter[k % QP_CUSTOM_PARAMETERS].value * g->input[k][i];
    }
    return 0.0;
}

enum { TEXT = 2048 };

static void append(char text[TEXT], const char *format, int k, int l)
{
    size_t length = strlen(text);
    snprintf(text + length, TEXT - length, format, k, l);
}

static void as_many_as_there_may_be(void **state)
{
    static char names[QP_CUSTOM_ARRAYS][16], numbers[QP_CUSTOM_PARAMETERS][16];
    struct qp_context *context = support_need_context(state);
    struct qp_custom_desc desc = {.name = "most", .reference = sum_all};
    struct qp_custom *op;
    char text[TEXT] = "#version 120\n#extension GL_ARB_texture_rectangle : require\n"
                      "uniform sampler2DRect x;\n";
    for (int k = 0; k < QP_CUSTOM_PARAMETERS; k++) {
        snprintf(numbers[k], sizeof numbers[k], "p%d", k);
        append(text, "uniform float p%d;\n", k, 0);
        desc.parameter[k] = (struct qp_parameter){.name = numbers[k], .value = 0.125 * (k + 1)};
    }
    for (int k = 0; k < QP_CUSTOM_ARRAYS; k++) {
        snprintf(names[k], sizeof names[k], "y%d", k);
        append(text, "uniform sampler2DRect y%d;\n", k, 0);
        desc.input[k].name = names[k];
    }
    append(text, "void main()\n{\n    gl_FragColor = texture2DRect(x, gl_FragCoord.xy) / 16.0\n", 0,
           0);
    for (int k = 0; k < QP_CUSTOM_ARRAYS; k++)
        append(text, "    + p%d * texture2DRect(y%d, gl_FragCoord.xy)\n", k % QP_CUSTOM_PARAMETERS,
               k);
    append(text, ";\n}\n", 0, 0);
    assert_ok(qp_custom_create(&desc, &op));
    struct qp_tally tally = relax_check(context, op, relax_add(op, "all", QP_TEXEL_R32F, text));
    assert_int_equal(tally.passed, 33);
    qp_custom_destroy(&op);
}

/* Without a context rows of OpenGL are skipped, which is no pass. */
static void without_a_context(void **state)
{
    (void)state;
    struct qp_custom *op = relax_make();
    const struct qp_variant *row = relax_add(op, "plain", QP_TEXEL_R32F, relax_plain);
    struct qp_check_desc desc = {.custom = op, .no_device = "none here", .width = 3, .height = 1};
    struct qp_tally tally;
    assert_ok(qp_check(NULL, &row, 1, &desc, &tally));
    assert_int_equal(qp_tally_verdict(&tally), QP_SKIP);
    assert_true(tally.skipped == 3 && strcmp(tally.worst.reason, "none here") == 0);
    qp_custom_destroy(&op);
}

/* ---- Several ---- */

/* Two operations of one name: each variant judged on its own problems, refused on the other's. */
static void two_at_once(void **state)
{
    struct qp_context *context = support_need_context(state);
    struct qp_custom_desc half = relaxation;
    half.parameter[0].value = 0.125;
    struct qp_custom *op[2] = {relax_make()};
    assert_ok(qp_custom_create(&half, &op[1]));
    const struct qp_variant *row[2] = {relax_add(op[0], "plain", QP_TEXEL_LUMINANCE, relax_plain),
                                       relax_add(op[1], "plain", QP_TEXEL_LUMINANCE, relax_plain)};
    for (int i = 0; i < 4; i++) {
        struct qp_tally tally = relax_check(context, op[i / 2], row[i % 2]);
        assert_int_equal(qp_tally_verdict(&tally), i / 2 == i % 2 ? QP_PASS : QP_SKIP);
    }
    qp_custom_destroy(&op[0]);
    assert_int_equal(relax_check(context, op[1], row[1]).passed, 33);
    qp_custom_destroy(&op[1]);
}

struct visitor {
    pthread_t thread;
    struct qp_custom *op;
    const struct qp_variant *row;
    int passed;
};

static void *visit(void *argument)
{
    struct visitor *visitor = argument;
    struct qp_context *context;
    struct qp_check_desc desc = {.custom = visitor->op, .width = 17, .height = 5};
    struct qp_tally tally = {.passed = 0};
    if (qp_context_create(NULL, &context) == QP_OK &&
        qp_check(context, &visitor->row, 1, &desc, &tally) == QP_OK)
        visitor->passed = tally.passed;
    qp_context_destroy(&context);
    return NULL;
}

static void threads_share_an_operation(void **state)
{
    support_need_context(state);
    struct visitor visitors[2];
    struct qp_custom *op = relax_make();
    const struct qp_variant *row = relax_add(op, "plain", QP_TEXEL_LUMINANCE, relax_plain);
    for (int i = 0; i < 2; i++) {
        visitors[i] = (struct visitor){.op = op, .row = row};
        assert_int_equal(pthread_create(&visitors[i].thread, NULL, visit, &visitors[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(visitors[i].thread, NULL);
        assert_int_equal(visitors[i].passed, 3);
    }
    qp_custom_destroy(&op);
}

/* ---- Reports and the demonstration ---- */

static volatile sig_atomic_t stop;

static void count_case(void *user, const struct qp_record *record)
{
    int *cases = user;
    assert_int_equal(record->verdict, QP_PASS);
    assert_non_null(strstr(record->variant->name, "relax/cpu"));
    stop = ++*cases == 10;
}

/* A norm of the step's change comes where solvers get their residual. */
static bool note_change(void *user, int step, double change)
{
    (void)step;
    *(double *)user = change;
    return false;
}

static void reports(void **state)
{
    struct qp_custom *op = relax_make();
    const struct qp_custom_variant cpu[2] = {{.name = "cpu", .sweep = relax_sweep},
                                             {.name = "cpu_2", .sweep = relax_sweep}};
    const struct qp_variant *rows[2];
    struct qp_tally tallies[2];
    struct qp_problem problem;
    struct qp_result result;
    int cases = 0;
    double change = 0.0;
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_ok(qp_custom_add(op, &cpu[i], &rows[i]));
    struct qp_check_desc desc = {
        .custom = op, .on_case = count_case, .user = &cases, .interrupt = &stop};
    assert_ok(qp_check(NULL, rows, 2, &desc, tallies));
    assert_true(cases == 10 && tallies[0].passed == 5 && tallies[1].passed == 5);
    assert_ok(qp_custom_problem(op, 2, 1, 3, &problem));
    struct qp_walk_desc watched = {.iterations = 5,
                                   .every = 1,
                                   .on_residual = note_change,
                                   .keep_solution = true,
                                   .user = &change};
    assert_ok(qp_walk(NULL, rows[0], &problem, &watched, &result));
    const float *x = problem.field[0].values, *after = result.solution.values;
    assert_true(result.iterations == 1 && result.verdict == QP_PASS);
    assert_true(fabs(change - hypot((double)after[0] - x[0], (double)after[1] - x[1])) < 1e-6);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    qp_custom_destroy(&op);
}

static void hello(void **state)
{
    support_need_context(state);
    assert_int_equal(system("cd / && " QP_BUILD_DIR "/demos/hello >/dev/null"), 0);
    int code = system("cd / && " QP_BUILD_DIR "/demos/hello none 2>/dev/null");
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 1);
    code = system(QP_BUILD_DIR "/demos/hello " QP_SOURCE_DIR "/shaders/reduce/sum.frag >/dev/null");
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {clean_test(right_ones_pass),
                                       clean_test(defaults_are_the_documented_ones),
                                       clean_test(records_and_costs),
                                       clean_test(values_and_padding),
                                       clean_test(as_many_as_there_may_be),
                                       clean_test(without_a_context),
                                       clean_test(two_at_once),
                                       clean_test(threads_share_an_operation),
                                       clean_test(reports),
                                       clean_test(hello)};
    return cmocka_run_group_tests_name("custom", tests, support_open_context,
                                       support_close_context);
}
