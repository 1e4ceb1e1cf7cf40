/* SPDX-License-Identifier: MIT */
/* Large grids that are judged on patches after all steps, and small ones before: each finds wrong
 * variants that the other lets pass. */
/* wrap: qp_checked_steps */
#include "support/support.h"

#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "lab/walk/patches.h"
#include "lab/walk/timed_walk.h"

enum { WIDTH = 512, HEIGHT = 1600, STEPS = 72, FIRST = 33, LATE = 60 };

/* ---- Grids that are said to be wider than they are (--wrap) ---- */

enum { WIDER = 64 }; /* then a run is above 2^28 updates, up to which all steps are checked */

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

/* ---- A variant that is wrong somewhere ---- */

enum fault { RIGHT, LATE_STEPS, LAST_ROWS, FIRST_ROW, LEFT, RIGHT_SIDE, BETWEEN };
static enum fault wrong;

/* Walks and their steps, from 1: the first and the second are on the small grid. */
static int walks, steps;

static void count(void)
{
    if (walks == 0 || steps == (walks == 1 ? FIRST : STEPS)) {
        walks++;
        steps = 0;
    }
    steps++;
}

/* First and last cell of a row that keep their old value by mistake; false for none. The last fault
 * is of the small grid alone. */
static bool forgets(const struct qp_sweep *s, int y, int *first, int *last)
{
    const bool large = walks == 3;
    const int end = s->width - 1;
    *first = wrong == RIGHT_SIDE ? end : wrong == FIRST_ROW ? 200 : 0;
    *last = wrong == LEFT ? 0 : wrong == FIRST_ROW ? 200 : end;
    if (wrong == BETWEEN)
        *first = *last = s->width / 3;
    switch (wrong) {
    case LATE_STEPS:
        return large && steps > LATE;
    case LAST_ROWS:
        return large && y >= s->height - 8;
    case FIRST_ROW:
        return large && y == 0;
    case LEFT:
    case RIGHT_SIDE:
        return large;
    case BETWEEN:
        return walks == 2 && steps > LATE && y == s->height / 3;
    default:
        return false;
    }
}

static void relax(const struct qp_sweep *s)
{
    const int middle = s->height / 2;
    count();
    for (int y = 0; y < s->height; y++) {
        const float *x = s->x + (long)y * s->pitch;
        float *out = s->out + (long)y * s->pitch;
        int first, last;
#pragma omp simd
        for (int i = 0; i < s->width; i++)
            out[i] = 0.25f * ((x[i - 1] + x[i + 1]) + (x[i - s->pitch] + x[i + s->pitch]));
        out[s->width / 2] += y == middle ? 0.25f : 0.0f;
        if (forgets(s, y, &first, &last))
            memcpy(out + first, x + first, (size_t)(last - first + 1) * sizeof *out);
    }
}

static struct qp_recipe recipe = {.state = {.format = QP_R32F, .pad_x = 1, .pad_y = 1},
                                  .sweep = relax};
static struct qp_variant variant;

static struct qp_problem make_problem(int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = "spike", .width = width, .height = height};
    struct qp_problem problem;
    variant = *qp_variant_find("poisson5/sequential");
    variant.recipe = &recipe;
    assert_ok(qp_problem_create(&desc, &problem));
    qp_problem_start_at_random(&problem, true);
    return problem;
}

/* The first timed run, with what is checked before and after it. */
static struct qp_result run(enum fault fault, struct qp_earlier_runs *timed)
{
    const struct qp_walk_desc walk = {.iterations = STEPS};
    struct qp_problem problem = make_problem(WIDTH, HEIGHT);
    struct qp_result result;
    wrong = fault;
    walks = steps = 0;
    *timed = (struct qp_earlier_runs){.runs = 0};
    assert_ok(qp_timed_walk(NULL, &variant, &problem, &walk, timed, &result));
    qp_problem_destroy(&problem);
    return result;
}

static void assert_wrong(enum fault fault, const char *reason)
{
    struct qp_earlier_runs timed;
    const struct qp_result result = run(fault, &timed);
    if (result.verdict != QP_FAIL || strncmp(result.reason, reason, strlen(reason)) != 0)
        fail_msg("fault %d: %s, %s", (int)fault, qp_verdict_name(result.verdict), result.reason);
}

TEST(right_rows_pass)
{
    struct qp_earlier_runs timed;
    const struct qp_result result = run(RIGHT, &timed);
    if (result.verdict != QP_PASS)
        fail_msg("%s: %s", qp_verdict_name(result.verdict), result.reason);
    assert_true(result.error > 0.0 && result.error <= result.tolerance);
    assert_true(timed.on_patches && timed.judged_steps == STEPS);
    assert_true(timed.judged_cells > 2.0 * 8 * WIDTH && timed.judged_cells < 0.2 * WIDTH * HEIGHT);
}

TEST(steps_that_go_wrong_late_fail)
{
    assert_wrong(LATE_STEPS, "after 72 steps: cell (");
}

TEST(rows_and_sides_that_are_wrong_fail)
{
    assert_wrong(LAST_ROWS, "after 72 steps: cell (");
    assert_wrong(FIRST_ROW, "after 72 steps: cell (20");
    assert_wrong(LEFT, "after 72 steps: cell (0, ");
    assert_wrong(RIGHT_SIDE, "after 72 steps: cell (511, ");
}

/* A cell between the patches, from a late step on: the small grid has all of them. */
TEST(cells_between_patches_fail_on_a_small_grid)
{
    assert_wrong(BETWEEN, "on 512 x 569 cells, after 72 steps: cell (");
}

/* ---- The choice ---- */

TEST(patches_lie_on_rims_and_seams)
{
    const struct qp_parts_desc parts = {.count = 3, .split = 340};
    struct qp_problem problem = make_problem(WIDTH, HEIGHT);
    struct qp_patch patch[QP_PATCHES];
    bool seam[3] = {false};
    const int count = qp_patches_choose(&variant, &problem, STEPS, &parts, 1e9, patch);
    assert_true(count > 10 && count <= QP_PATCHES);
    assert_true(patch[0].y == 0 && patch[0].width == WIDTH);
    assert_true(patch[1].y + patch[1].height == HEIGHT && patch[1].width == WIDTH);
    for (int i = 0; i < count; i++) {
        const int places[] = {340, HEIGHT / 3, HEIGHT * 2 / 3};
        assert_true(patch[i].x >= 0 && patch[i].x + patch[i].width <= WIDTH);
        assert_true(patch[i].y >= 0 && patch[i].y + patch[i].height <= HEIGHT);
        for (int k = 0; k < 3; k++)
            seam[k] =
                seam[k] || (patch[i].y < places[k] && places[k] < patch[i].y + patch[i].height);
    }
    assert_true(seam[0] && seam[1] && seam[2]);
    qp_problem_destroy(&problem);
}

/* No patches where they would cost more than other checks, or the order of updates is another. */
TEST(some_rows_have_none)
{
    static const struct qp_poisson5_variant chaotic = {.order = QP_POISSON5_CHAOTIC};
    const struct qp_parts_desc whole = {.count = 0};
    struct qp_problem problem = make_problem(WIDTH, HEIGHT);
    struct qp_patch patch[QP_PATCHES];
    assert_int_equal(qp_patches_choose(&variant, &problem, STEPS, &whole, 1e6, patch), 0);
    assert_true(qp_patches_choose(&variant, &problem, STEPS, &whole, 5.5e6, patch) < 5);
    recipe.own = &chaotic;
    assert_int_equal(qp_patches_choose(&variant, &problem, STEPS, &whole, 1e9, patch), 0);
    recipe.own = NULL;
    qp_problem_destroy(&problem);
}

TEST(records_name_what_was_judged)
{
    struct qp_bench_desc desc = {.iterations = STEPS, .repeats = 1, .random_start = true};
    struct qp_problem problem = make_problem(WIDTH, HEIGHT), *const problems[] = {&problem};
    const struct qp_variant *const variants[] = {&variant};
    struct qp_record record;
    wrong = RIGHT;
    walks = steps = 0;
    assert_ok(qp_bench(NULL, variants, problems, 1, &desc, &record));
    assert_int_equal(record.verdict, QP_PASS);
    assert_true(record.judged_steps == STEPS && record.judged_cells > 2.0 * 8 * WIDTH);
    desc.iterations = 3; /* few enough to judge all */
    assert_ok(qp_bench(NULL, variants, problems, 1, &desc, &record));
    assert_true(record.verdict == QP_PASS && record.judged_steps == 0);
    qp_problem_destroy(&problem);
}
