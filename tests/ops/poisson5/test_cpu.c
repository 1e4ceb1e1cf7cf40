/* SPDX-License-Identifier: MIT */
/* All variants of poisson5 on the CPU against a loop of this file, bit for bit: kinds, sizes,
 * steps, weights, numbers of threads. Slips are wrong versions of the loop, which no variant may
 * agree with. */
#include "support/threads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "toolkit/base/values.h"

static const char *const rows[] = {
    "sequential",     "sequential_vectors", "threads", "threads_bound", "threads_numa",
    "threads_strips", "openmp_plain",       "openmp",  "openmp_blocked"};

static enum slip {
    NO_SLIP,
    NO_LEFT, /* each neighbour left out */
    NO_RIGHT,
    NO_BELOW,
    NO_ABOVE,
    DIAGONAL,  /* another one in its place */
    RHS_TWICE, /* h^2 f wrong by a factor */
    NO_RHS,
    RIM_OPEN,     /* a rim that takes its neighbour's value */
    WEIGHT_STUCK, /* the first step's weight in all */
    /* A variant that sees its neighbour as it was one step before: no second barrier, no ghost
     * cells. */
    STALE_ROW,
    SUM_TURNED, /* the same numbers, added in another order */
    SLIPS
} slip;

/* ---- The loop ---- */

struct grid {
    const struct qp_problem *problem;
    const double *old, *older;
    bool rounds; /* to float */
};

static double rounded(const struct grid *g, double value)
{
    return g->rounds ? (double)(float)value : value;
}

static double at(const struct grid *g, int x, int y)
{
    const int width = g->problem->width, height = g->problem->height;
    const bool inside = x >= 0 && x < width && y >= 0 && y < height;
    if (!inside && slip != RIM_OPEN)
        return 0.0;
    const int i = x < 0        ? 0
                  : x >= width ? width - 1
                               : x,
              j = y < 0         ? 0
                  : y >= height ? height - 1
                                : y;
    return g->old[(size_t)j * (size_t)width + (size_t)i];
}

static double update(const struct grid *g, int x, int y, double weight)
{
    const double here = at(g, x, y), side = rounded(g, qp_poisson5_rhs(g->problem, x, y));
    double left = at(g, x - 1, y), right = at(g, x + 1, y);
    double below = at(g, x, y - 1), above = at(g, x, y + 1);
    left = slip == NO_LEFT ? 0.0 : left;
    right = slip == NO_RIGHT ? 0.0 : right;
    below = slip == NO_BELOW ? 0.0 : below;
    above = slip == NO_ABOVE ? 0.0 : slip == DIAGONAL ? at(g, x + 1, y + 1) : above;
    if (slip == STALE_ROW && y == g->problem->height / 2 && y > 0)
        below = g->older[(size_t)(y - 1) * (size_t)g->problem->width + (size_t)x];
    double sum = rounded(g, rounded(g, left + right) + rounded(g, below + above));
    if (slip == SUM_TURNED)
        sum = rounded(g, rounded(g, left + below) + rounded(g, right + above));
    sum = rounded(g, sum + (slip == NO_RHS ? 0.0 : slip == RHS_TWICE ? 2.0 * side : side));
    const double t = 0.25 * sum, w = rounded(g, weight);
    return w == 1.0 ? t : rounded(g, here + rounded(g, w * rounded(g, t - here)));
}

/* The answer after `steps` steps; the caller frees it. A sum or product of two floats in double,
 * rounded to float, is the float one. */
static double *loop(const struct qp_problem *problem, int steps, bool rounds)
{
    const size_t cells = qp_problem_cells(problem);
    double *state[3];
    for (int k = 0; k < 3; k++)
        state[k] = malloc(cells * sizeof(double));
    for (size_t i = 0; i < cells; i++)
        state[0][i] = state[1][i] = problem->field[QP_POISSON5_X].values[i];
    for (int k = 0; k < steps; k++) {
        const struct grid g = {problem, state[0], state[1], rounds};
        const double weight = qp_problem_step_weight(problem, slip == WEIGHT_STUCK ? 0 : k);
        for (int y = 0; y < problem->height; y++) {
            for (int x = 0; x < problem->width; x++)
                state[2][(size_t)y * (size_t)problem->width + (size_t)x] = update(&g, x, y, weight);
        }
        double *oldest = state[1];
        state[1] = state[0];
        state[0] = state[2];
        state[2] = oldest;
    }
    free(state[1]);
    free(state[2]);
    return state[0];
}

/* ---- Variants ---- */

/* True if the variant's answer is the loop's, every cell of it. */
static bool agrees(const char *name, bool doubles, struct qp_problem *problem, int steps,
                   const struct qp_weights *weights, const double *expected)
{
    char full[64];
    struct qp_result result;
    const struct qp_walk_desc desc = {
        .iterations = steps, .unchecked = true, .keep_solution = true, .weights = weights};
    snprintf(full, sizeof full, "poisson5/%s%s", name, doubles ? "_double" : "");
    const struct qp_variant *variant = qp_variant_find(full);
    if (variant == NULL) /* openmp_plain and threads_strips exist in float alone */
        return slip == NO_SLIP;
    assert_ok(qp_walk(NULL, variant, problem, &desc, &result));
    if (result.verdict != QP_PASS)
        fail_msg("%s, %d x %d: %s", full, problem->width, problem->height, result.reason);
    size_t i = 0;
    while (i < qp_problem_cells(problem) && qp_matrix_value(&result.solution, i) == expected[i])
        i++;
    const bool same = i == qp_problem_cells(problem);
    if (!same && slip == NO_SLIP)
        fail_msg("%s, %s, %d x %d, %d steps, %d threads: cell %zu is %g, not %g", full,
                 problem->kind, problem->width, problem->height, steps, omp_get_max_threads(), i,
                 qp_matrix_value(&result.solution, i), expected[i]);
    qp_matrix_destroy(&result.solution);
    return same;
}

/* All variants in float, or in both precisions; returns how many agree. */
static int walk_rows(const char *kind, int width, int height, double weight,
                     const struct qp_weights *weights, int steps, int precisions)
{
    const struct qp_problem_desc desc = {.op = "poisson5",
                                         .kind = kind,
                                         .width = width,
                                         .height = height,
                                         .weight = weight,
                                         .seed = 7};
    struct qp_problem problem;
    int agreeing = 0;
    assert_ok(qp_problem_create(&desc, &problem));
    for (int doubles = 0; doubles < precisions; doubles++) {
        problem.weights = weights;
        double *expected = loop(&problem, steps, !doubles);
        problem.weights = NULL;
        for (int k = 0; k < COUNT(rows); k++)
            agreeing += agrees(rows[k], doubles, &problem, steps, weights, expected);
        free(expected);
    }
    qp_problem_destroy(&problem);
    return agreeing;
}

static const double weight_list[] = {0.7, 1.0, 1.9, 0.31, 1.2};
static const struct qp_weights weights = {weight_list, COUNT(weight_list)};

/* Awkward sizes, one above a vector, a cache line, a tile of 1024 columns in float and of 512 in
 * double; steps below, at and above the 16 of a fused sweep. More threads than rows, than cells,
 * and a prime number of them. Without LONG=1 each size has each kind, each way of weights, and each
 * number of steps each number of threads; not all at once. */
THREADS_TEST(all_rows_agree)
{
    static const struct qp_size sizes[] = {{1, 1},   {2, 1},    {1, 2},   {3, 3},
                                           {16, 5},  {17, 33},  {65, 9},  {13, 66},
                                           {64, 64}, {35, 131}, {530, 7}, {1041, 70}};
    static const int steps[] = {1, 2, 15, 16, 17, 35}, threads[] = {1, 2, 3, 4, 7, 16};
    static const char *const kinds[] = {"field", "spike", "sine"};
    for (int s = 0; s < COUNT(sizes); s++) {
        for (int k = 0; k < COUNT(kinds); k++) {
            for (int w = 0; w < 3; w++) {
                if ((s + k + w) % 3 != 0 && !support_takes_long())
                    continue;
                omp_set_num_threads(threads[(s + 2 * k + w) % COUNT(threads)]);
                assert_int_equal(walk_rows(kinds[k], sizes[s].width, sizes[s].height,
                                           w == 1 ? 0.9 : 1.0, w == 2 ? &weights : NULL,
                                           steps[(s / 6 * 3 + k + w) % COUNT(steps)], 2),
                                 2 * COUNT(rows));
            }
        }
    }
}

/* A grid whose arrays outgrow the caches is streamed, by all variants that stream. */
TEST(streamed_grids_agree)
{
    assert_int_equal(walk_rows("spike", 3601, 3607, 1.0, NULL, 2, 1), COUNT(rows));
    if (support_takes_long())
        assert_int_equal(walk_rows("field", 3601, 3607, 1.0, &weights, 19, 2), 2 * COUNT(rows));
}

/* No variant agrees with a loop that is wrong. */
THREADS_TEST(slips_are_found)
{
    omp_set_num_threads(4);
    for (slip = NO_SLIP + 1; slip < SLIPS; slip++)
        assert_int_equal(walk_rows("field", 37, 26, 1.0, &weights, 18, 2), 0);
    slip = NO_SLIP;
}

/* Every few steps the residual is asked for: fused steps and blocks in threads' own memory have the
 * iterate before the last one too. */
static bool note(void *user, int step, double residual)
{
    double *noted = user;
    noted[step] = residual;
    return step < 50;
}

TEST(residuals_agree)
{
    const struct qp_problem_desc desc = {.op = "poisson5", .width = 70, .height = 67, .seed = 2};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    double first[101];
    for (int k = 0; k < 2 * COUNT(rows); k++) {
        char name[64];
        struct qp_result result;
        double noted[101] = {0};
        const struct qp_walk_desc walk = {
            .iterations = 100, .unchecked = true, .every = 25, .on_residual = note, .user = noted};
        snprintf(name, sizeof name, "poisson5/%s%s", rows[k / 2], k % 2 ? "_double" : "");
        if (qp_variant_find(name) == NULL)
            continue;
        assert_ok(qp_walk(NULL, qp_variant_find(name), &problem, &walk, &result));
        assert_int_equal(result.iterations, 50);
        if (k == 0)
            memcpy(first, noted, sizeof first);
        assert_true(noted[25] > noted[50] && noted[50] > 0.0);
        for (int step = 25; step <= 50; step += 25)
            assert_true(fabs(noted[step] - first[step]) <= (k % 2 ? 1e-3 : 0.0) * first[step]);
    }
    qp_problem_destroy(&problem);
}

/* In each stage both states can be read: the start before the first pass, then what it wrote. */
static void read_states(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    int *reads = user;
    (void)seconds;
    if (stage != QP_STAGE_UPLOAD && stage != QP_STAGE_PROGRAM && stage != QP_STAGE_PASS)
        return;
    const struct qp_layout *l = &plan->layout;
    void *texels = malloc(qp_layout_bytes(l));
    const size_t cell = (size_t)(l->origin_y + 2) * (size_t)l->storage_x + (size_t)l->origin_x + 3;
    const double start = plan->problem->field[QP_POISSON5_X].values[2 * plan->problem->width + 3];
    assert_ok(plan->engine->read(plan, false, texels));
    assert_true(qp_value(texels, l->precision, cell) == start);
    assert_ok(plan->engine->read(plan, true, texels));
    assert_int_equal(isfinite(qp_value(texels, l->precision, cell)), stage == QP_STAGE_PASS);
    free(texels);
    ++*reads;
}

TEST(states_can_be_read)
{
    const struct qp_problem_desc desc = {.op = "poisson5", .width = 20, .height = 9};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    for (int k = 0; k < COUNT(rows); k++) {
        char name[64];
        struct qp_result result;
        int reads = 0;
        const struct qp_walk_desc walk = {
            .iterations = 3, .on_stage = read_states, .user = &reads, .warm_seconds = 0.001};
        snprintf(name, sizeof name, "poisson5/%s", rows[k]);
        assert_ok(qp_walk(NULL, qp_variant_find(name), &problem, &walk, &result));
        assert_int_equal(result.verdict, QP_PASS);
        assert_int_equal(reads, 3);
    }
    qp_problem_destroy(&problem);
}

static bool go_on(void *user, int step, double residual)
{
    (void)step;
    ++*(int *)user;
    return residual >= 0.0;
}

/* Each step has its weight, also where residuals are looked at every fourth step and where the walk
 * begins at the second. */
TEST(weights_follow_their_steps)
{
    static const char *const names[] = {"sequential",  "threads",        "threads_numa",
                                        "openmp",      "openmp_blocked", "sequential_vectors",
                                        "openmp_plain"};
    enum { STEPS = 11 };
    const struct qp_problem_desc desc = {.op = "poisson5", .width = 40, .height = 23, .seed = 3};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    for (int k = 0; k < COUNT(names) * 2; k++) {
        char name[64];
        struct qp_result result[2];
        int looks = 0;
        snprintf(name, sizeof name, "poisson5/%s", names[k / 2]);
        for (int cut = 0; cut < 2; cut++) {
            const struct qp_walk_desc walk = {.iterations = STEPS,
                                              .first = k % 2,
                                              .unchecked = true,
                                              .keep_solution = true,
                                              .weights = &weights,
                                              .every = cut ? 4 : 0,
                                              .on_residual = cut ? go_on : NULL,
                                              .user = &looks};
            assert_ok(qp_walk(NULL, qp_variant_find(name), &problem, &walk, &result[cut]));
            assert_non_null(result[cut].solution.values);
        }
        assert_true(looks >= 2);
        if (memcmp(result[0].solution.values, result[1].solution.values,
                   qp_problem_cells(&problem) * sizeof(float)) != 0)
            fail_msg("%s from step %d: in pieces it is another one", name, k % 2);
        qp_matrix_destroy(&result[0].solution);
        qp_matrix_destroy(&result[1].solution);
    }
    qp_problem_destroy(&problem);
}
