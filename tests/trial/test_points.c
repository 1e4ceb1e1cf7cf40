/* SPDX-License-Identifier: MIT */
/* Points in trials: how many, blended with a copy of the old state, alone and in turn. */
#include "support/relax.h"

#include <math.h>

enum { ACROSS = 19, UP = 14 };

/* Points blended onto the old state: as many as a table has cells, into cells by its values. */
static const char counted[] = "vec2 place(float i) {\n"
                              "    value = 0.5;\n"
                              "    return vec2(floor(t_cell(vec2(i, 0.0))), 0.0);\n"
                              "}\n";
static const double table[] = {0.0, 3.0, 3.0, 2.0, -1.0, 50.0, 1.0};

static const struct qp_kernel_desc counts = {.body = counted,
                                             .input = {{.name = "x"}, {.name = "t"}}};

static void sweep_nothing(const struct qp_kernel_grid *grid, void *const output[])
{
    (void)grid, (void)output;
}

static double count(const struct qp_kernel_grid *g, double *const output[])
{
    const enum qp_pass_blend *blend = g->user;
    for (int i = 0; i < g->width * g->height; i++)
        output[0][i] = ((const double *)g->input[0].values)[i];
    for (int i = 0; i < COUNT(table); i++) {
        const int bin = (int)table[i];
        double *x = &output[0][bin];
        if (bin < 0 || bin >= g->width)
            continue;
        *x = *blend == QP_BLEND_ADD   ? *x + 0.5
             : *blend == QP_BLEND_MIN ? fmin(*x, 0.5)
                                      : fmax(*x, 0.5);
    }
    return 0.0;
}

CLEAN_TEST(points_are_blended_with_the_state)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_matrix values = {
        .width = COUNT(table), .height = 1, .precision = QP_DOUBLES, .doubles = (double *)table};
    if (!(qp_context_device(context)->abilities & QP_CAN_FLOAT_BLEND))
        skip();
    for (int k = QP_BLEND_ADD; k <= QP_BLEND_MAX; k++) {
        enum qp_pass_blend blend = (enum qp_pass_blend)k;
        const struct qp_trial_desc desc = {
            .name = "counts",
            .input = {{.name = "t", .outside = QP_OUTSIDE_VALUE, .value = -5.0, .table = &values}},
            .reference = count,
            .user = &blend};
        struct qp_trial *trial;
        const struct qp_variant *right, *fewer;
        if (blend == QP_BLEND_SUBTRACT)
            continue;
        assert_ok(qp_trial_create(&desc, &counts, &trial));
        struct qp_trial_variant variant = {.name = "right",
                                           .kernel = {counts},
                                           .cover = {QP_COVER_POINTS},
                                           .points = {COUNT(table)},
                                           .blend = {blend}};
        assert_ok(qp_trial_add(trial, &variant, &right));
        variant.name = "fewer";
        variant.points[0] = 3;
        assert_ok(qp_trial_add(trial, &variant, &fewer));
        const struct qp_tally tally = relax_check(context, trial, right);
        if (tally.passed != 33)
            fail_msg("%d passed: %s", tally.passed, tally.worst.reason);
        assert_true(relax_check(context, trial, fewer).failed > 0);
        qp_trial_destroy(&trial);
    }
}

CLEAN_TEST(wrong_points)
{
    static const struct qp_kernel_desc plain = {
        .body = "float kernel(vec2 here) { return x_at(0.0, 0.0) + t_at(0.0, 0.0); }",
        .input = {{.name = "x"}, {.name = "t"}}};
    static const struct {
        struct qp_trial_variant variant;
        const char *words;
    } cases[] = {
        {{.kernel = {counts}}, "program 1 has place(), and does not cover points"},
        {{.kernel = {plain}, .points = {3}}, "program 1 has points, and does not cover points"},
        {{.kernel = {plain}, .cover = {QP_COVER_POINTS}}, "program 1 covers points, and has no"},
        {{.kernel = {{.sweep = sweep_nothing, .input = {{.name = "x"}}}}, .blend = {QP_BLEND_ADD}},
         "program 1 cannot blend with the old state: it is a function"}};
    struct qp_trial *trial, *stateless;
    const struct qp_variant *added;
    assert_ok(qp_trial_create(&(struct qp_trial_desc){.name = "counts", .reference = count},
                              &counts, &trial));
    assert_ok(
        qp_trial_create(&(struct qp_trial_desc){.name = "no", .state = {""}, .reference = count},
                        &counts, &stateless));
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_trial_variant variant = cases[i].variant;
        variant.name = "wrong";
        assert_int_equal(qp_trial_add(trial, &variant, &added), QP_BAD_USE);
        support_assert_sentence(cases[i].words);
    }
    assert_int_equal(qp_trial_add(stateless,
                                  &(struct qp_trial_variant){.name = "wrong",
                                                             .kernel = {counts},
                                                             .cover = {QP_COVER_POINTS},
                                                             .blend = {QP_BLEND_MIN}},
                                  &added),
                     QP_BAD_USE);
    support_assert_sentence("cannot blend with the old state: an output is none");
    qp_trial_destroy(&trial);
    qp_trial_destroy(&stateless);
}

/* Every mutant of place() is noticed; all disguises give the numbers. */
CLEAN_TEST(points_are_changed)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_matrix values = {
        .width = COUNT(table), .height = 1, .precision = QP_DOUBLES, .doubles = (double *)table};
    enum qp_pass_blend blend = QP_BLEND_ADD;
    const struct qp_trial_desc desc = {
        .name = "counts",
        .input = {{.name = "t", .outside = QP_OUTSIDE_VALUE, .value = -5.0, .table = &values}},
        .reference = count,
        .user = &blend};
    struct qp_trial *trial;
    struct qp_problem problem;
    struct qp_spoil_result spoiled;
    struct qp_disguise_result disguised;
    const struct qp_variant *variant;
    if (!(qp_context_device(context)->abilities & QP_CAN_FLOAT_BLEND))
        skip();
    assert_ok(qp_trial_create(&desc, &counts, &trial));
    assert_ok(qp_trial_add(trial,
                           &(struct qp_trial_variant){.name = "points",
                                                      .kernel = {counts},
                                                      .cover = {QP_COVER_POINTS},
                                                      .points = {COUNT(table)},
                                                      .blend = {QP_BLEND_ADD}},
                           &variant));
    assert_ok(qp_trial_problem(trial, ACROSS, UP, 1, &problem));
    const enum qp_status status = qp_spoil(context, variant, &problem, NULL, &spoiled);
    if (status != QP_OK || spoiled.made != 5 || spoiled.noticed != 5)
        fail_msg("%d of %d noticed: %s %s", spoiled.noticed, spoiled.made, spoiled.survivor,
                 qp_error());
    assert_ok(qp_disguise(context, variant, &problem, 2, &disguised));
    if (disguised.made < 5 || disguised.difference[0] != 0)
        fail_msg("%d disguises: %s", disguised.made, disguised.difference);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&trial);
}

/* Programs in turn, with a number that changes by step: each cell is halved, the points add to the
 * first ones as often as the step says, and the largest is at least 1. */
static const struct qp_kernel_desc halve = {
    .body = "float kernel(vec2 here) { return r * x_at(0.0, 0.0) / r / 2.0; }",
    .input = {{.name = "x"}, {.name = "t"}},
    .number = {{.name = "r"}}};

static void set_rate(void *user, int step, int steps, struct qp_pass_number *number)
{
    (void)user, (void)steps;
    number[0].value[0] = step + 1;
}

static double halve_and_count(const struct qp_kernel_grid *g, double *const output[])
{
    const int cells = g->width * g->height;
    for (int i = 0; i < cells; i++)
        output[0][i] = ((const double *)g->input[0].values)[i] / 2.0;
    for (int i = 0; i < 3 && i < g->width; i++)
        output[0][i] += g->number[0].value[0];
    output[0][0] = fmax(output[0][0], 1.0);
    return 0.0;
}

CLEAN_TEST(points_in_turn)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_trial_desc desc = {.name = "turns",
                                       .number = {{.name = "r", .value = {1.0}}},
                                       .set_step = set_rate,
                                       .reference = halve_and_count};
    struct qp_kernel_desc adds = halve, least = halve;
    struct qp_trial *trial;
    const struct qp_variant *added;
    if (!(qp_context_device(context)->abilities & QP_CAN_FLOAT_BLEND))
        skip();
    adds.body = "vec2 place(float i) { value = r; return vec2(i, 0.0); }";
    least.body = "vec2 place(float i) { value = 1.0; return vec2(0.0); }";
    assert_ok(qp_trial_create(&desc, &halve, &trial));
    struct qp_trial_variant variant = {.name = "three",
                                       .kernel = {halve, adds, least},
                                       .in_turn = true,
                                       .cover = {QP_COVER_ALL, QP_COVER_POINTS, QP_COVER_POINTS},
                                       .points = {0, 3, 1},
                                       .blend = {QP_BLEND_REPLACE, QP_BLEND_ADD, QP_BLEND_MAX}};
    assert_ok(qp_trial_add(trial, &variant, &added));
    const struct qp_tally tally = relax_check(context, trial, added);
    if (tally.passed != 33)
        fail_msg("%d passed: %s", tally.passed, tally.worst.reason);
    variant.name = "wrong";
    variant.blend[1] = QP_BLEND_REPLACE;
    assert_int_equal(qp_trial_add(trial, &variant, &added), QP_BAD_USE);
    support_assert_sentence("turns/wrong: program 2, in turn with others, must blend its points");
    qp_trial_destroy(&trial);
}

GROUP(support_open_context, support_close_context)
