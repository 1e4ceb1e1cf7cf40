/* SPDX-License-Identifier: MIT */
/* Kernels as variants of trials: one text, as a kernel and as a variant that is judged. */
#include "support/relax.h"

#include <math.h>
#include <string.h>

enum { ACROSS = 19, UP = 14 };

/* Heat in matter that conducts differently: x' = x + t c (right + left + above + below - 4 x), 3
 * around. */
static const char heat[] = "float kernel(vec2 here) {\n"
                           "    float sum = x_at(1, 0) + x_at(-1, 0) + x_at(0, 1) + x_at(0, -1);\n"
                           "    return x_at(0, 0) + t * c_at(0, 0) * (sum - 4.0 * x_cell(here));\n"
                           "}\n";

static double step(const struct qp_kernel_grid *g, double *const output[])
{
    const struct qp_kernel_array *x = &g->input[0];
    for (int k = 0; k < g->width * g->height; k++) {
        const int i = k % g->width, j = k / g->width;
        const double here = qp_kernel_array_at(x, i, j, 0);
        const double sum = qp_kernel_array_at(x, i + 1, j, 0) + qp_kernel_array_at(x, i - 1, j, 0) +
                           qp_kernel_array_at(x, i, j + 1, 0) + qp_kernel_array_at(x, i, j - 1, 0);
        output[0][k] = here + g->number[0].value[0] * qp_kernel_array_at(&g->input[1], i, j, 0) *
                                  (sum - 4.0 * here);
    }
    return 0.0;
}

static const struct qp_kernel_desc kernel = {
    .body = heat, .input = {{.name = "x"}, {.name = "c"}}, .number = {{.name = "t"}}};

/* A number that the list's end hides is not read. */
static struct qp_trial *make(enum qp_outside outside)
{
    const struct qp_trial_desc desc = {
        .name = "heat",
        .input = {{.name = "x", .outside = outside, .value = 3.0}, {0}, {.name = (const char *)1}},
        .number = {{.name = "t", .value = {0.1}}, {0}, {.name = "t"}},
        .reference = step};
    struct qp_trial *trial;
    assert_ok(qp_trial_create(&desc, &kernel, &trial));
    return trial;
}

static struct qp_result judge(struct qp_context *context, const struct qp_trial *trial,
                              const struct qp_variant *variant, int steps)
{
    const struct qp_walk_desc desc = {.iterations = steps, .every = 3}; /* at once, at most */
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_trial_problem(trial, ACROSS, UP, 1, &problem));
    assert_ok(qp_walk(context, variant, &problem, &desc, &result));
    qp_problem_destroy(&problem);
    return result;
}

/* Whatever is outside, in one program or in three, after any number of steps. */
CLEAN_TEST(rows_are_walked)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_trial_variant rows[] = {
        {.name = "one", .kernel = {kernel}},
        {.name = "three",
         .kernel = {kernel, kernel, kernel},
         .cover = {QP_COVER_INTERIOR, QP_COVER_LEFT, QP_COVER_RIGHT}}};
    for (enum qp_outside outside = QP_OUTSIDE_ZERO; outside <= QP_OUTSIDE_VALUE; outside++) {
        struct qp_trial *trial = make(outside);
        for (int i = 0; i < COUNT(rows); i++) {
            const struct qp_variant *variant;
            assert_ok(qp_trial_add(trial, &rows[i], &variant));
            for (int steps = 0; steps < 6; steps++) {
                const struct qp_result result = judge(context, trial, variant, steps);
                if (result.verdict != QP_PASS || result.iterations != steps)
                    fail_msg("%s, %d steps: %s", variant->name, steps, result.reason);
            }
            const struct qp_tally tally = relax_check(context, trial, variant);
            if (tally.passed != 33)
                fail_msg("%s: %s", variant->name, tally.worst.reason);
        }
        qp_trial_destroy(&trial);
    }
}

/* Cells that no program covers are unwritten. */
CLEAN_TEST(gaps_are_seen)
{
    struct qp_context *context = support_need_context(state);
    struct qp_trial *trial = make(QP_OUTSIDE_CLAMP);
    const struct qp_variant *variant;
    assert_ok(qp_trial_add(trial,
                           &(struct qp_trial_variant){.name = "gap",
                                                      .kernel = {kernel, kernel},
                                                      .cover = {QP_COVER_INTERIOR, QP_COVER_LEFT}},
                           &variant));
    const struct qp_result result = judge(context, trial, variant, 1);
    assert_int_equal(result.verdict, QP_FAIL);
    assert_true(result.worst_x == ACROSS - 1 && result.worst_y == 0);
    assert_non_null(strstr(result.reason, "cell (18, 0) was never written"));
    const struct qp_check_desc narrow = {
        .make = qp_trial_make, .user = trial, .width = 2, .height = 3};
    struct qp_tally tally;
    assert_ok(qp_check(context, &variant, 1, &narrow, &tally));
    assert_non_null(strstr(tally.worst.reason, "cell (1, 0) was never written"));
    qp_trial_destroy(&trial);
}

/* The same text as a kernel of the toolkit gives the same bits as the variant. */
CLEAN_TEST(kernels_compute_the_same)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_array_desc cells = {
        .width = ACROSS, .height = UP, .outside = QP_OUTSIDE_VALUE, .value = 3.0};
    struct qp_trial *trial = make(QP_OUTSIDE_VALUE);
    const struct qp_variant *variant;
    const struct qp_walk_desc walk = {.iterations = 1, .keep_solution = true};
    struct qp_problem problem;
    struct qp_result result;
    struct qp_array *array[3];
    struct qp_kernel *made;
    float values[ACROSS * UP];
    assert_ok(qp_trial_add(trial, &(struct qp_trial_variant){.name = "row", .kernel = {kernel}},
                           &variant));
    assert_ok(qp_trial_problem(trial, ACROSS, UP, 1, &problem));
    assert_ok(qp_walk(context, variant, &problem, &walk, &result));
    for (int k = 0; k < 3; k++) {
        const struct qp_matrix *field = qp_problem_field(&problem, k == 1 ? "c" : "x");
        for (int i = 0; i < ACROSS * UP; i++)
            values[i] = (float)field->doubles[i];
        assert_ok(qp_array_create(context, &cells, values, &array[k]));
    }
    assert_ok(qp_kernel_create(context, &kernel, &made));
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = made,
                                            .input = {{"x", array[0]}, {"c", array[1]}},
                                            .number = {{"t", {0.1}}},
                                            .output = {array[2]}}));
    assert_ok(qp_array_read(array[2], NULL, values, 0));
    assert_memory_equal(values, result.solution.values, sizeof values);
    qp_kernel_destroy(&made);
    for (int k = 0; k < 3; k++)
        qp_array_destroy(&array[k]);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&trial);
}

/* ---- Points ---- */

/* Each cell once, from the last to the first. */
static const char points[] = "#version 120\nuniform vec2 size;\nvarying vec2 at;\nvoid main()\n{\n"
                             "    float n = size.x * size.y - 1.0 - gl_Vertex.x;\n"
                             "    at = vec2(mod(n, size.x), floor(n / size.x));\n"
                             "    gl_Position = gl_ModelViewProjectionMatrix *\n"
                             "                  vec4(at + 0.5, 0.0, 1.0);\n}\n",
                  twice[] = "#version 120\n#extension GL_ARB_texture_rectangle : require\n"
                            "uniform sampler2DRect x;\nvarying vec2 at;\nvoid main()\n{\n"
                            "    gl_FragColor = 2.0 * texture2DRect(x, at + 0.5);\n}\n";

static double double_all(const struct qp_kernel_grid *g, double *const output[])
{
    for (int i = 0; i < g->width * g->height; i++)
        output[0][i] = 2.0 * ((const double *)g->input[0].values)[i];
    return 0.0;
}

CLEAN_TEST(points_go_anywhere)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_trial_desc desc = {.name = "twice", .reference = double_all};
    const struct qp_kernel_desc scatter = {
        .fragment = {.text = twice}, .vertex = {.text = points}, .input = {{.name = "x"}}};
    struct qp_trial *trial;
    const struct qp_variant *variant;
    assert_ok(qp_trial_create(&desc, &scatter, &trial));
    assert_ok(qp_trial_add(trial,
                           &(struct qp_trial_variant){
                               .name = "points", .kernel = {scatter}, .cover = {QP_COVER_POINTS}},
                           &variant));
    const struct qp_tally tally = relax_check(context, trial, variant);
    if (tally.passed != 33)
        fail_msg("%d passed: %s", tally.passed, tally.worst.reason);
    qp_trial_destroy(&trial);
}

/* ---- Nothing judges ---- */

CLEAN_TEST(rates_without_a_reference)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_trial_desc desc = {.name = "heat", .number = {{.name = "t", .value = {0.1}}}};
    const struct qp_bench_desc bench = {.iterations = 3, .repeats = 2};
    const struct qp_walk_desc walk = {.iterations = 2, .unchecked = true};
    struct qp_problem problem, *problems = &problem;
    struct qp_trial *trial;
    const struct qp_variant *variant;
    struct qp_record record;
    struct qp_result result;
    struct qp_tally tally;
    assert_ok(qp_trial_create(&desc, &kernel, &trial));
    assert_ok(qp_trial_add(trial, &(struct qp_trial_variant){.name = "row", .kernel = {kernel}},
                           &variant));
    assert_ok(qp_trial_problem(trial, ACROSS, UP, 1, &problem));
    assert_ok(qp_bench(context, &variant, &problems, 1, &bench, &record));
    assert_true(record.verdict == QP_UNCHECKED && record.glups > 0.0 && record.sample_count == 2);
    assert_string_equal(qp_verdict_name(record.verdict), "unchecked");
    assert_ok(qp_walk(context, variant, &problem, &walk, &result));
    assert_int_equal(result.verdict, QP_PASS);
    assert_int_equal(
        qp_walk(context, variant, &problem, &(struct qp_walk_desc){.iterations = 1}, &result),
        QP_BAD_USE);
    support_assert_sentence("heat has no reference");
    assert_int_equal(qp_check(context, &variant, 1,
                              &(struct qp_check_desc){.make = qp_trial_make, .user = trial},
                              &tally),
                     QP_BAD_USE);
    support_assert_sentence("heat has no reference");
    qp_problem_destroy(&problem);
    qp_trial_destroy(&trial);
}

GROUP(support_open_context, support_close_context)
