/* SPDX-License-Identifier: MIT */
/* Many small Poisson grids: variants in float have each other's bits, and no grid reads another. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5_batch/poisson5_batch.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "toolkit/gl/context/context.h"

static const char openmp[] = "poisson5_batch/openmp";
static const char *const rows[] = {openmp, "poisson5_batch/blocks", "poisson5_batch/cuda_naive",
                                   "poisson5_batch/cuda_graphs", "poisson5_batch/cuda_batch"};

static struct qp_problem make(int n, int count)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5_batch", .width = n, .height = count, .seed = 7};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static struct qp_result walk(void **state, const char *name, struct qp_problem *problem, int steps,
                             int block)
{
    const struct qp_variant *variant = qp_variant_find(name);
    const struct qp_walk_desc desc = {.iterations = steps, .block = block, .keep_solution = true};
    struct qp_result result;
    assert_ok(qp_walk(qp_variant_draws(variant) ? *state : NULL, variant, problem, &desc, &result));
    return result;
}

/* True if the variant's library is built in, and its device is here. */
static bool runs_here(void **state, const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    struct qp_context *context = *state;
    if (!qp_variant_draws(variant))
        return support_is_built(variant);
    return context != NULL && (variant->needs & ~qp_context_device(context)->abilities) == 0;
}

/* ---- Bits ---- */

/* Plain C in float, in the order that poisson5_batch.c gives; only the grids' own cells are
 * read. */
static void relax_plainly(const struct qp_problem *problem, const float *old, float *new)
{
    const int n = problem->width;
    for (int row = 0; row < problem->height; row++) {
        for (int x = 0; x < n; x++) {
            const int i = row * n + x, y = row % n;
            const float left = x > 0 ? old[i - 1] : 0.0f, right = x + 1 < n ? old[i + 1] : 0.0f;
            const float below = y > 0 ? old[i - n] : 0.0f, above = y + 1 < n ? old[i + n] : 0.0f;
            const float rhs = problem->field[QP_POISSON5_BATCH_RHS].values[i];
            new[i] = ((left + right) + (below + above) + rhs) * 0.25f;
        }
    }
}

static void expect_bits(void **all, struct qp_problem *problem, int steps)
{
    enum { MOST = 65 * 65 * 5 };
    static float state[2][MOST];
    const size_t cells = qp_problem_cells(problem);
    assert_true(cells <= MOST);
    memcpy(state[0], problem->field[QP_POISSON5_BATCH_X].values, cells * sizeof(float));
    for (int k = 0; k < steps; k++)
        relax_plainly(problem, state[k % 2], state[(k + 1) % 2]);
    for (int r = 0; r < COUNT(rows); r++) {
        if (!runs_here(all, rows[r]))
            continue;
        struct qp_result result = walk(all, rows[r], problem, steps, 0);
        if (result.verdict == QP_SKIP && problem->width > 64)
            continue;
        if (result.verdict != QP_PASS)
            fail_msg("%s, %d: %s", rows[r], problem->width, result.reason);
        if (memcmp(result.solution.values, state[steps % 2], cells * sizeof(float)) != 0)
            fail_msg("%s has other bits on grids of %d x %d after %d steps", rows[r],
                     problem->width, problem->width, steps);
        qp_matrix_destroy(&result.solution);
    }
}

CLEAN_TEST(rows_have_the_bits_of_plain_c)
{
    static const int sizes[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65};
    static const int steps[] = {1, 2, 3, 20, 33};
    for (int i = 0; i < COUNT(sizes); i++) {
        for (int k = 0; k < COUNT(steps); k++) {
            struct qp_problem problem = make(sizes[i], k % 2 == 0 ? 5 : 1);
            expect_bits(state, &problem, steps[k]);
            qp_problem_destroy(&problem);
        }
    }
}

/* ---- Strangers ---- */

/* Grids whose numbers are much larger leave all others their bits. */
CLEAN_TEST(strangers_do_not_meet)
{
    enum { N = 13, GRIDS = 40, CELLS = N * N };
    for (int r = 0; r < COUNT(rows); r++) {
        if (!runs_here(state, rows[r]))
            continue;
        struct qp_problem problem = make(N, GRIDS);
        struct qp_result alone = walk(state, rows[r], &problem, 20, 0);
        for (int g = 3; g < GRIDS; g += 7) {
            for (int i = 0; i < CELLS; i++)
                problem.field[QP_POISSON5_BATCH_X].values[g * CELLS + i] *= 0x1p80f;
        }
        problem.reference_iterations = -1;
        struct qp_result among = walk(state, rows[r], &problem, 20, 0);
        for (int g = 0; g < GRIDS; g++) {
            const bool same = memcmp(alone.solution.values + g * CELLS,
                                     among.solution.values + g * CELLS, CELLS * sizeof(float)) == 0;
            if (same == (g % 7 == 3))
                fail_msg("%s, grid %d of %d", rows[r], g, GRIDS);
        }
        qp_matrix_destroy(&alone.solution);
        qp_matrix_destroy(&among.solution);
        qp_problem_destroy(&problem);
    }
}

/* Textures too small for all grids, or for more than one. */
CLEAN_TEST(any_number_of_tiles)
{
    static const int limits[] = {9, 70, 200};
    struct qp_context *context = support_need_context(state);
    const int limit = context->device.rectangle_limit;
    for (int i = 0; i < COUNT(limits); i++) {
        struct qp_problem problem = make(5, 1009);
        context->device.rectangle_limit = limits[i];
        struct qp_result result = walk(state, "poisson5_batch/blocks", &problem, 3, 0);
        context->device.rectangle_limit = limit;
        if (result.verdict != QP_PASS)
            fail_msg("textures of %d: %s", limits[i], result.reason);
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

static size_t passes_before;

static void look_at_target(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    (void)seconds;
    const size_t passes = qp_context_counters(plan->context).passes;
    if (stage == QP_STAGE_UPLOAD)
        passes_before = passes;
    if (stage != QP_STAGE_PROGRAM)
        return;
    assert_true(passes > passes_before);
    float *target = malloc(qp_layout_bytes(&plan->layout));
    assert_ok(plan->engine->read(plan, true, target));
    *(bool *)user = memcmp(target, plan->empty, qp_layout_bytes(&plan->layout)) == 0;
    free(target);
}

/* A draw that does nothing must not find the answer of the one that warmed up. */
CLEAN_TEST(targets_are_empty_again)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make(5, 3);
    struct qp_result result;
    bool empty = false;
    const struct qp_walk_desc desc = {.iterations = 1, .on_stage = look_at_target, .user = &empty};
    const struct qp_variant *variant = qp_variant_find("poisson5_batch/blocks");
    assert_ok(qp_walk(context, variant, &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_PASS);
    assert_true(empty);
    qp_problem_destroy(&problem);
}

/* ---- Sizes that are refused ---- */

CLEAN_TEST(sizes_that_are_none)
{
    static const struct {
        int width, height;
        const char *says;
    } cases[] = {
        {0, 5, "5 grids of 0 x 0 cells are none"},
        {5, 0, "0 grids of 5 x 5 cells are none"},
        {257, 2, "up to 256 x 256, poisson5 takes one grid of any size"},
        {256, 1 << 23, "too many to be counted"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        const struct qp_problem_desc desc = {
            .op = "poisson5_batch", .width = cases[i].width, .height = cases[i].height};
        struct qp_problem problem;
        assert_int_equal(qp_problem_create(&desc, &problem), QP_BAD_USE);
        assert_non_null(strstr(qp_error(), cases[i].says));
    }
}

/* ---- On CUDA ---- */

static void need_cuda(void)
{
    if (!support_is_built(qp_variant_find("poisson5_batch/cuda_batch"))) {
        print_message("%s\n", qp_error());
        skip();
    }
}

CLEAN_TEST(grids_beyond_a_warp_are_skipped_by_name)
{
    need_cuda();
    struct qp_problem problem = make(65, 2);
    struct qp_result result = walk(state, "poisson5_batch/cuda_batch", &problem, 1, 0);
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "take poisson5_batch/cuda_naive"));
    qp_problem_destroy(&problem);
}

/* More grids than graphs in flight, and fewer; graphs of one step, and of several. */
CLEAN_TEST(any_number_of_graphs_in_flight)
{
    static const int blocks[] = {1, 2, 8, 128}, counts[] = {1, 3, 300};
    need_cuda();
    for (int i = 0; i < COUNT(blocks) * COUNT(counts); i++) {
        struct qp_problem problem = make(9, counts[i % COUNT(counts)]);
        for (int steps = 1; steps <= 4; steps++) {
            struct qp_result result = walk(state, "poisson5_batch/cuda_graphs", &problem, steps,
                                           blocks[i / COUNT(counts)]);
            if (result.verdict != QP_PASS)
                fail_msg("%d in flight, %d grids, %d steps: %s", blocks[i / COUNT(counts)],
                         counts[i % COUNT(counts)], steps, result.reason);
            qp_matrix_destroy(&result.solution);
        }
        qp_problem_destroy(&problem);
    }
}

GROUP(support_open_context, support_close_context)
