/* SPDX-License-Identifier: MIT */
#include "support/async.h"

#include <math.h>
#include <string.h>

#include "lab/plan/problem.h"

const char *const async_rows[ROWS] = {"poisson5/threads_async0", "poisson5/threads_async1",
                                      "poisson5/threads_async2", "poisson5/threads_async3"};
const char *const async_kinds[3] = {"spike", "sine", "field"};
const struct qp_size async_sizes[ASYNC_SIZES] = {{1, 1},   {2, 1},    {3, 2},   {63, 7},
                                                 {64, 8},  {65, 9},   {127, 1}, {1, 40},
                                                 {64, 33}, {200, 70}, {330, 17}};
const int async_blocks[4] = {8, 4, 16, 32};

struct qp_problem async_problem(const char *kind, int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = kind, .width = width, .height = height, .seed = 7};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

struct qp_walk_desc async_steps(int launches, int alpha, int block)
{
    return (struct qp_walk_desc){.iterations = launches,
                                 .block = block,
                                 .keep_solution = true,
                                 .parts = {.alpha = alpha > 0 ? alpha : -1}};
}

struct qp_result async_walk(struct qp_context *context, const char *row, struct qp_problem *problem,
                            const struct qp_walk_desc *desc)
{
    struct qp_result result;
    assert_ok(qp_walk(context, qp_variant_find(row), problem, desc, &result));
    return result;
}

struct qp_result async_run(struct qp_context *context, const char *row, struct qp_problem *problem,
                           int launches, int alpha)
{
    struct qp_walk_desc desc = async_steps(launches, alpha, 0);
    desc.unchecked = true;
    const struct qp_result result = async_walk(context, row, problem, &desc);
    if (result.verdict != QP_PASS)
        fail_msg("%s: %s", row, result.reason);
    return result;
}

struct qp_result async_must_pass(struct qp_context *context, const char *row,
                                 struct qp_problem *problem, int launches, int alpha, int block)
{
    const struct qp_walk_desc desc = async_steps(launches, alpha, block);
    problem->reference_iterations = -1;
    struct qp_result result = async_walk(context, row, problem, &desc);
    if (result.verdict != QP_PASS || (strstr(row, "async2") != NULL && result.error != 0.0))
        fail_msg("%s, %d x %d, %s, %d launches at alpha %d, blocks of %d: error %g, %s", row,
                 problem->width, problem->height, problem->kind, launches, alpha, block,
                 result.error, result.reason);
    assert_int_equal(result.parts.alpha, alpha);
    qp_matrix_destroy(&result.solution);
    return result;
}

/* ---- Refused ---- */

void async_must_skip(struct qp_context *context, const char *row, struct qp_problem *problem,
                     const struct qp_walk_desc *desc, const char *words)
{
    const struct qp_result result = async_walk(context, row, problem, desc);
    assert_int_equal(result.verdict, QP_SKIP);
    if (strstr(result.reason, words) == NULL)
        fail_msg("%s: '%s' does not say '%s'", row, result.reason, words);
}

static bool never(void *user, int step, double residual)
{
    (void)user, (void)step, (void)residual;
    return false;
}

void async_refusals(struct qp_context *context, const char *const rows[ROWS], int alpha,
                    const char *words)
{
    struct qp_problem spike = async_problem("spike", 64, 64),
                      field = async_problem("field", 64, 64);
    const struct qp_walk_desc odd = async_steps(1, 3, 0), many = async_steps(1, alpha, 0),
                              plain = async_steps(1, 2, 0), block = async_steps(1, 2, 12);
    struct qp_walk_desc looks = async_steps(4, 2, 0);
    looks.every = 1;
    looks.on_residual = never;
    looks.unchecked = true;
    for (int row = 0; row < ROWS; row++) {
        if (row != ASYNC3)
            async_must_skip(context, rows[row], &spike, &odd, "even async factors");
        if (row != ASYNC2)
            async_must_skip(context, rows[row], &field, &plain, "no judge");
        async_must_skip(context, rows[row], &spike, &many, words);
        async_must_skip(context, rows[row], &spike, &looks, "no change");
        async_must_skip(context, rows[row], &spike, &block, "12 rows");
    }
    qp_problem_destroy(&field);
    qp_problem_destroy(&spike);
}

/* ---- Beside Jacobi ---- */

void async_alpha_0(struct qp_context *context, const char *const rows[], int count,
                   const char *jacobi, int launches)
{
    static const double cycle[] = {0.5, 0.125, 0.25}; /* whose products are exact, fused or not */
    const struct qp_weights weights = {cycle, COUNT(cycle)};
    struct qp_problem problem = async_problem("field", 300, 100);
    const size_t bytes = qp_problem_cells(&problem) * sizeof(float);
    for (int weighted = 0; weighted < 2; weighted++) {
        struct qp_walk_desc desc = async_steps(launches, 0, 0);
        desc.unchecked = true;
        desc.weights = weighted ? &weights : NULL;
        struct qp_result wanted = async_walk(context, jacobi, &problem, &desc);
        for (int row = 0; row < count; row++) {
            struct qp_result result = async_walk(context, rows[row], &problem, &desc);
            if (result.verdict != QP_PASS)
                fail_msg("%s: %s", rows[row], result.reason);
            assert_memory_equal(result.solution.values, wanted.solution.values, bytes);
            qp_matrix_destroy(&result.solution);
        }
        qp_matrix_destroy(&wanted.solution);
    }
    qp_problem_destroy(&problem);
}

static void keep_components(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    (void)seconds;
    if (stage == QP_STAGE_PROGRAM)
        *(struct qp_launch_blocks *)user = qp_plan_blocks(plan);
}

struct qp_launch_blocks async_components(const char *row, struct qp_problem *problem, int block)
{
    struct qp_launch_blocks out = {0};
    struct qp_walk_desc desc = async_steps(1, 2, block);
    desc.unchecked = true;
    desc.on_stage = keep_components;
    desc.user = &out;
    struct qp_result result = async_walk(NULL, row, problem, &desc);
    assert_int_equal(result.verdict, QP_PASS);
    qp_matrix_destroy(&result.solution);
    return out;
}

void async_all_cells_move(const char *row, struct qp_problem *problem,
                          const struct qp_result *jacobi)
{
    struct qp_result result = async_run(NULL, row, problem, 1, 2);
    for (size_t i = 0; i < qp_problem_cells(problem); i++) {
        if (!(result.solution.values[i] > 1.05f * jacobi->solution.values[i]))
            fail_msg("%s: cell %zu has %g, and %g after one step", row, i,
                     (double)result.solution.values[i], (double)jacobi->solution.values[i]);
    }
    qp_matrix_destroy(&result.solution);
}

double async_distance(const struct qp_result *result, const struct qp_result *wanted)
{
    const size_t cells = (size_t)result->solution.width * (size_t)result->solution.height;
    double off = 0.0, largest = 0.0;
    for (size_t i = 0; i < cells; i++) {
        const double w = qp_matrix_value(&wanted->solution, i);
        off = fmax(off, fabs(qp_matrix_value(&result->solution, i) - w));
        largest = fmax(largest, fabs(w));
    }
    return off / largest;
}
