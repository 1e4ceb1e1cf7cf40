/* SPDX-License-Identifier: MIT */
/* Timed runs whose steps are too many to check them all: the first launches are compared with the
 * reference, the last one from the variant's own iterate, and all runs with each other; variants
 * that race lie between bounds each time. Each of these finds a variant that the others let
 * pass. */
/* wrap: qp_checked_steps */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/ops/table.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "lab/walk/timed_walk.h"

enum { N = 128, STEPS = 260, LAUNCH = 8, FIRST = 2 * LAUNCH + 1 };

/* ---- Grids that are said to be wider than they are (--wrap) ---- */

enum { WIDER = 64 }; /* then N^2 STEPS is above 2^28, up to which all steps are checked */

int __real_qp_checked_steps(const struct qp_variant *variant, const struct qp_problem *problem,
                            int iterations, int depth);
int __wrap_qp_checked_steps(const struct qp_variant *variant, const struct qp_problem *problem,
                            int iterations, int depth);

int __wrap_qp_checked_steps(const struct qp_variant *variant, const struct qp_problem *problem,
                            int iterations, int depth)
{
    struct qp_problem wide = *problem;
    wide.answer_width *= WIDER;
    return __real_qp_checked_steps(variant, &wide, iterations, depth);
}

/* ---- An operation of alike steps: x' = 0.75 - x / 2 ---- */

static int reference_steps;

static double turn(const struct qp_kernel_grid *grid, double *const output[])
{
    const double *before = grid->input[0].values;
    double *after = output[0];
    reference_steps++;
    const int cells = grid->width * grid->height;
#pragma omp simd
    for (int i = 0; i < cells; i++)
        after[i] = 0.75 - 0.5 * before[i];
    return 2.0;
}

/* Errors of a variant: in cell 5 of this walk (or of all, 0) from this step to that one. Walks and
 * their steps are counted from 1: the first is checked, then come the first timed one, the one
 * for its last launch, and the other timed ones. */
static struct {
    int walk, from, to;
    float error;
} wrong;
static int walks, steps;

static bool is_wrong(void)
{
    return (wrong.walk == 0 || wrong.walk == walks) && steps >= wrong.from && steps <= wrong.to;
}

/* Number of the steps of each walk, as they are expected. */
static int turning_length(int walk)
{
    return walk == 1 ? FIRST : walk == 3 ? STEPS - LAUNCH : STEPS;
}

static int (*length_of)(int walk) = turning_length;

static void count(void)
{
    if (walks == 0 || steps == length_of(walks)) {
        walks++;
        steps = 0;
    }
    steps++;
}

static void sweep(const struct qp_kernel_grid *grid, void *const output[])
{
    const float *x = grid->input[0].values;
    float *next = output[0];
    count();
    const int cells = grid->width * grid->height;
#pragma omp simd
    for (int i = 0; i < cells; i++)
        next[i] = 0.75f - 0.5f * x[i];
    if (is_wrong())
        next[5] += wrong.error;
}

static struct qp_trial *make_op(const struct qp_variant **variant)
{
    const struct qp_trial_desc desc = {.name = "turn", .reference = turn, .tolerance = 1e-7};
    const struct qp_kernel_desc kernel = {.input = {{.name = "x"}}, .sweep = sweep};
    struct qp_trial *op;
    assert_ok(qp_trial_create(&desc, &kernel, &op));
    assert_ok(
        qp_trial_add(op, &(struct qp_trial_variant){.name = "row", .kernel = {kernel}}, variant));
    return op;
}

/* Three timed runs of N x height cells, or as many as are right. */
static struct qp_result time_runs(const struct qp_variant *variant, struct qp_problem *problem)
{
    const struct qp_walk_desc walk = {.iterations = STEPS};
    struct qp_earlier_runs timed = {.runs = 0};
    struct qp_result result = {.verdict = QP_PASS};
    walks = steps = reference_steps = 0;
    for (int k = 0; k < 3 && result.verdict == QP_PASS; k++)
        assert_ok(qp_timed_walk(NULL, variant, problem, &walk, &timed, &result));
    return result;
}

static struct qp_result time_row(int height)
{
    const struct qp_variant *variant;
    struct qp_problem problem;
    struct qp_trial *op = make_op(&variant);
    assert_ok(qp_trial_problem(op, N, height, 1, &problem));
    const struct qp_result result = time_runs(variant, &problem);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
    return result;
}

static void assert_reason(const struct qp_result *result, const char *reason)
{
    if (result->verdict != QP_FAIL || strncmp(result->reason, reason, strlen(reason)) != 0)
        fail_msg("walk %d, steps %d to %d: %s, %s", wrong.walk, wrong.from, wrong.to,
                 qp_verdict_name(result->verdict), result->reason);
}

static void spoil(int walk, int from, int to, float error)
{
    wrong.walk = walk;
    wrong.from = from;
    wrong.to = to;
    wrong.error = error;
}

static void assert_fails(int walk, int from, int to, float error, const char *reason)
{
    spoil(walk, from, to, error);
    const struct qp_result result = time_row(N);
    assert_reason(&result, reason);
}

TEST(right_runs_take_few_reference_steps)
{
    spoil(0, 1, 0, 0.0f);
    struct qp_result result = time_row(N);
    assert_true(result.verdict == QP_PASS && result.iterations == STEPS);
    assert_true(result.run_seconds > 0.0 && result.solution.values == NULL);
    assert_true(result.error >= 0.0 && result.error <= result.tolerance);
    assert_int_equal(reference_steps, FIRST + LAUNCH);
    assert_true(walks == 5 && steps == STEPS);
    result = time_row(N / 64);
    assert_int_equal(result.verdict, QP_PASS);
    assert_int_equal(reference_steps, STEPS); /* small ones are checked whole */
}

/* A benchmark takes such runs; a check, which times nothing, takes all steps of the reference. */
TEST(benchmarks_take_them)
{
    struct qp_bench_desc desc = {.iterations = STEPS, .repeats = 2};
    const struct qp_variant *variant;
    struct qp_problem problem, *const problems[] = {&problem};
    struct qp_trial *op = make_op(&variant);
    struct qp_record record;
    spoil(0, 1, 0, 0.0f);
    assert_ok(qp_trial_problem(op, N, N, 1, &problem));
    reference_steps = 0;
    assert_ok(qp_bench(NULL, &variant, problems, 1, &desc, &record));
    assert_true(record.verdict == QP_PASS && record.glups > 0.0 && record.iterations == STEPS);
    assert_true(record.error <= record.tolerance && reference_steps == FIRST + LAUNCH);
    spoil(0, 1, STEPS, 1.0f);
    assert_ok(qp_bench(NULL, &variant, problems, 1, &desc, &record));
    assert_true(record.verdict == QP_FAIL && isnan(record.seconds) && isnan(record.glups));
    spoil(0, 1, 0, 0.0f);
    desc.cold = true;
    reference_steps = 0;
    assert_ok(qp_bench(NULL, &variant, problems, 1, &desc, &record));
    assert_true(record.verdict == QP_PASS && reference_steps == STEPS - FIRST);
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
}

TEST(wrong_runs_fail)
{
    assert_fails(0, 3, 3, 1.0f, "after 17 steps: cell (5, 0) is ");
    assert_fails(0, FIRST + 1, STEPS, 1e-3f, "the last 8 of 260 steps: cell (5, 0) is ");
    assert_fails(0, STEPS, STEPS, 1e-3f, "the last 8 of 260 steps: cell (5, 0) is ");
    assert_fails(5, 250, 250, 1e-3f, "run 3 has another answer after 260 steps than run 1");
    assert_fails(4, 259, 259, 1e-7f, "run 2 has another answer after 260 steps than run 1");
    assert_fails(2, 250, 250, 1.0f, "the last 8 of 260 steps: cell (5, 0) is ");
    assert_fails(4, 30, 30, NAN, "cell (5, 0) is nan, which is no number");
    assert_fails(3, 30, 30, NAN, "cell (5, 0) is nan, which is no number");
}

/* ---- A variant that races ---- */

/* Jacobi's steps, which are a chaotic variant's least; from the step where it is wrong on a cell
 * has too much, or too little. */
static void relax(const struct qp_sweep *s)
{
    count();
    for (int y = 0; y < s->height; y++) {
        const float *x = s->x + (long)y * s->pitch;
        float *out = s->out + (long)y * s->pitch;
#pragma omp simd
        for (int i = 0; i < s->width; i++)
            out[i] = 0.25f * ((x[i - 1] + x[i + 1]) + (x[i - s->pitch] + x[i + s->pitch]));
    }
    const long middle = (long)(s->height / 2) * s->pitch + s->width / 2;
    s->out[middle] += 0.25f;
    if (is_wrong())
        s->out[middle] = wrong.error;
}

/* The variant, and its problem. */
static struct qp_recipe racing_recipe = {.state = {.format = QP_R32F, .pad_x = 1, .pad_y = 1},
                                         .sweep = relax};
static struct qp_variant racing_row;

static struct qp_problem make_racing(void)
{
    static const struct qp_poisson5_variant chaotic = {.order = QP_POISSON5_CHAOTIC};
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = "spike", .width = N, .height = N};
    struct qp_problem problem;
    racing_recipe.own = &chaotic;
    racing_row = *qp_variant_find("poisson5/sequential");
    racing_row.recipe = &racing_recipe;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static int racing_length(int walk)
{
    return walk == 1 ? 33 : STEPS;
}

static void assert_races(struct qp_problem *problem, int walk, float value, const char *reason)
{
    spoil(walk, 200, STEPS, value);
    length_of = racing_length;
    const struct qp_result result = time_runs(&racing_row, problem);
    length_of = turning_length;
    if (reason != NULL)
        assert_reason(&result, reason);
    else
        assert_int_equal(result.verdict, QP_PASS);
    assert_int_equal(walks, reason != NULL ? walk : 4);
    assert_int_equal(problem->reference_iterations, 33); /* 260 would take too long */
}

TEST(racing_rows_keep_their_bounds)
{
    static const char outside[] = "distance from between Jacobi and the solution at cell (64, 64)";
    struct qp_problem problem = make_racing(); /* which keeps its reference */
    assert_races(&problem, 9, 0.0f, NULL);
    assert_races(&problem, 4, 1e6f, outside); /* the third timed run */
    assert_races(&problem, 4, 0.25f, outside);
    assert_races(&problem, 3, -1.0f, outside);
    qp_problem_destroy(&problem);
}

/* They start from zeros whatever the others do, and a problem does so again afterwards. */
TEST(racing_rows_start_from_zeros)
{
    const struct qp_bench_desc desc = {.iterations = 3, .repeats = 1, .random_start = true};
    const struct qp_variant *const variants[] = {&racing_row, qp_variant_find("poisson5/openmp")};
    struct qp_problem problem = make_racing(), *const problems[] = {&problem, &problem};
    struct qp_record records[2];
    spoil(9, 1, 0, 0.0f);
    length_of = racing_length;
    assert_ok(qp_bench(NULL, variants, problems, 2, &desc, records));
    assert_true(records[0].verdict == QP_PASS && records[1].verdict == QP_PASS);
    assert_true(problem.reference_scale > 0.8); /* values up to 1; from zeros 0.25 + h^2 f / 4 */
    assert_false(problem.random_start);
    for (int i = 0; i < N * N; i++)
        assert_true(problem.field[QP_POISSON5_X].values[i] == 0.0f);
    qp_problem_destroy(&problem);
}
