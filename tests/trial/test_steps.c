/* SPDX-License-Identifier: MIT */
/* Trials whose numbers change by step, and whose programs follow one another. */
#include "support/relax.h"

#include <stdlib.h>
#include <string.h>

/* x' = x / 2 + a step's number + 10 times the number of steps + a step's weight. */
static const struct qp_kernel_desc counting = {
    .body = "float kernel(vec2 here) { return 0.5 * x_at(0.0, 0.0) + k + 10.0 * n + w; }",
    .input = {{.name = "x"}},
    .number = {{.name = "k"}, {.name = "n"}, {.name = "w"}}};

static void set_step(void *user, int step, int steps, struct qp_pass_number *number)
{
    number[0].value[0] = step + (user != NULL);
    number[1].value[0] = steps;
    number[2].value[0] = 0.1 * (step % 3);
}

/* The same from its definition: steps are those of a walk, and 0.1 is a float. */
static double count(const struct qp_kernel_grid *grid, double *const output[])
{
    const struct qp_pass_number *number = grid->number;
    for (int i = 0; i < grid->width * grid->height; i++)
        output[0][i] =
            0.5 * qp_kernel_array_at(&grid->input[0], i % grid->width, i / grid->width, 0) +
            number[0].value[0] + 10.0 * number[1].value[0] + number[2].value[0];
    return 0.0;
}

static struct qp_trial *make(const struct qp_kernel_desc *kernel, qp_trial_reference *reference,
                             void *user)
{
    const struct qp_trial_desc desc = {
        .name = "steps",
        .number = {{.name = "k", .value = {7.0}}, {.name = "n"}, {.name = "w"}},
        .reference = reference,
        .user = user,
        .set_step = set_step};
    struct qp_trial *trial;
    assert_ok(qp_trial_create(&desc, kernel, &trial));
    return trial;
}

/* Forgets that the number of the step counts. */
static double count_from_one(const struct qp_kernel_grid *grid, double *const output[])
{
    struct qp_pass_number number[QP_KERNEL_NUMBERS + 1];
    struct qp_kernel_grid other = *grid;
    memcpy(number, grid->number, sizeof number);
    number[0].value[0] += 1.0;
    other.number = number;
    return count(&other, output);
}

TEST(steps_are_counted)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_trial_variant mine = {.name = "mine", .kernel = {counting}};
    const struct qp_variant *variant;
    struct qp_trial *trial = make(&counting, count, NULL);
    assert_ok(qp_trial_add(trial, &mine, &variant));
    struct qp_tally tally = relax_check(context, trial, variant);
    if (tally.passed != 33)
        fail_msg("%s", tally.worst.reason);
    /* A benchmark of many steps checks them all, in every run. */
    struct qp_problem problem, *problems[1] = {&problem};
    struct qp_record record;
    assert_ok(qp_trial_problem(trial, 700, 700, 1, &problem));
    assert_ok(qp_bench(context, &variant, problems, 1,
                       &(struct qp_bench_desc){.iterations = 600, .repeats = 1}, &record));
    if (record.verdict != QP_PASS)
        fail_msg("%s", record.reason);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&trial);
    trial = make(&counting, count_from_one, NULL);
    assert_ok(qp_trial_add(trial, &mine, &variant));
    tally = relax_check(context, trial, variant);
    assert_int_equal(tally.passed, 0);
    assert_non_null(strstr(tally.worst.reason, "cell (0, 0) is "));
    qp_trial_destroy(&trial);
}

/* ---- Programs in turn ---- */

static const struct qp_kernel_desc twice = {
    .body = "float kernel(vec2 here) { return 2.0 * x_at(1.0, 0.0) + k; }",
    .input = {{.name = "x"}},
    .number = {{.name = "k"}}};

static const struct qp_kernel_desc less = {
    .body = "float kernel(vec2 here) { return 0.25 * x_at(-1.0, 0.0) - x_at(0.0, 1.0); }",
    .input = {{.name = "x"}}};

/* 2 x to the right and k, then a quarter of that to the left less that above, zeros outside, for
 * `user` times. */
static double in_turn(const struct qp_kernel_grid *grid, double *const output[])
{
    const int width = grid->width, height = grid->height, times = *(const int *)grid->user;
    double *between = calloc((size_t)width * (size_t)height, sizeof *between);
    struct qp_kernel_array x = grid->input[0], y = x;
    y.values = between;
    assert_non_null(between);
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < width * height; i++)
            between[i] = 2.0 * qp_kernel_array_at(&x, i % width + 1, i / width, 0) +
                         grid->number[0].value[0];
        for (int i = 0; i < width * height; i++)
            output[0][i] = 0.25 * qp_kernel_array_at(&y, i % width - 1, i / width, 0) -
                           qp_kernel_array_at(&y, i % width, i / width + 1, 0);
        x.values = output[0];
    }
    free(between);
    return 0.0;
}

/* Two, four and eight programs in a step; those that all read the old state are wrong. */
TEST(programs_follow)
{
    struct qp_context *context = support_need_context(state);
    for (int times = 1; times <= 4; times++) {
        const struct qp_trial_desc desc = {.name = "turns",
                                           .number = {{.name = "k", .value = {0.5}}},
                                           .reference = in_turn,
                                           .user = &times,
                                           .tolerance = 1e-5};
        struct qp_trial_variant mine = {.name = "mine", .in_turn = true}, apart;
        const struct qp_variant *variant;
        struct qp_trial *trial;
        for (int i = 0; i < 2 * times; i++)
            mine.kernel[i] = i % 2 == 0 ? twice : less;
        apart = mine;
        apart.name = "apart";
        apart.in_turn = false;
        assert_ok(qp_trial_create(&desc, &twice, &trial));
        assert_ok(qp_trial_add(trial, &mine, &variant));
        const struct qp_tally tally = relax_check(context, trial, variant);
        if (tally.passed != 33)
            fail_msg("%d times: %s", times, tally.worst.reason);
        assert_ok(qp_trial_add(trial, &apart, &variant));
        assert_true(relax_check(context, trial, variant).failed > 0);
        qp_trial_destroy(&trial);
    }
}

static void sweep(const struct qp_kernel_grid *grid, void *const output[])
{
    (void)grid, (void)output;
}

TEST(wrong_rows)
{
    struct qp_kernel_desc function = counting;
    const struct qp_variant *variant;
    struct qp_trial *trial = make(&counting, count, NULL);
    function.body = NULL;
    function.sweep = sweep;
    assert_int_equal(qp_trial_add(trial,
                                  &(struct qp_trial_variant){.name = "f", .kernel = {function}},
                                  &variant),
                     QP_BAD_USE);
    assert_string_equal(qp_error(), "steps/f is a function, and numbers that change by step are of "
                                    "programs");
    assert_int_equal(qp_trial_add(trial,
                                  &(struct qp_trial_variant){.name = "t",
                                                             .kernel = {counting, counting},
                                                             .cover = {0, QP_COVER_LEFT},
                                                             .in_turn = true},
                                  &variant),
                     QP_BAD_USE);
    assert_string_equal(qp_error(),
                        "steps/t: program 2, in turn with others, must cover all cells");
    qp_trial_destroy(&trial);
}

GROUP(support_open_context, support_close_context)
