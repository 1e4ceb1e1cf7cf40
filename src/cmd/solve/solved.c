/* SPDX-License-Identifier: MIT */
#include "cmd/solve/solved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "baseline/baseline.h"
#include "plan/op.h"

/* Systems that check solves: small enough for hundreds of steps of every row, large enough for many texels each
 * way. */
static const struct {
    const char *name, *kind; /* kind of the problem that gives the right-hand side, or all */
    int width, height;
} systems[] = {{"random", "random", 31, 20},
               {"wraps", "wraps", 20, 31},
               {"symmetric", "symmetric", 21, 21},
               {"bidomain", "bidomain", 13, 11},
               {"gr_30_30", "random", 30, 30}};

/* Refinement ends at this ||b - A x||_2 / ||b||_2. */
static const double residual_tolerance = 1e-12;

/* One system and its solution by elimination. */
struct system {
    struct qp_market matrix;
    int width, height;
    double *b, *x;
    double tolerance; /* of a row's error */
};

/* Tolerance of the error. With r = b - A x the error is A^-1 r, and ||r||_1 <= sqrt(n) ||r||_2 <= sqrt(n) t ||b||_2
 * <= sqrt(n) t ||A||_1 ||x||_1; so the relative error is at most sqrt(n) t times the condition
 * number ||A||_1 ||A^-1||_1. Roundings of elimination itself are some 1e-16 where t is 1e-12. */
static enum qp_status eliminate(struct system *system)
{
    double condition;
    enum qp_status status = baseline_solve(&system->matrix, system->b, system->x, &condition);
    system->tolerance = sqrt((double)system->matrix.rows) * residual_tolerance * condition;
    return status;
}

static void destroy(struct system *system)
{
    qp_market_destroy(&system->matrix);
    free(system->b);
    free(system->x);
    *system = (struct system){0};
}

static enum qp_status matrix(int number, const struct qp_problem *problem, struct qp_market *out)
{
    if (strcmp(systems[number].name, "gr_30_30") == 0)
        return baseline_gr_30_30(out);
    return baseline_matrix(problem, out);
}

static enum qp_status create(const struct options *options, int number, struct system *out)
{
    struct qp_problem problem;
    *out = (struct system){.width = systems[number].width, .height = systems[number].height};
    enum qp_status status =
        cmd_problem(options, "jacobi9", systems[number].kind, out->width, out->height, 1, &problem);
    if (status != QP_OK)
        return status;
    size_t cells = (size_t)out->width * (size_t)out->height;
    out->b = qp_alloc(cells, sizeof *out->b, "a right-hand side");
    out->x = qp_alloc(cells, sizeof *out->x, "a solution");
    bool has_room = out->b != NULL && out->x != NULL;
    status = has_room ? matrix(number, &problem, &out->matrix) : QP_NO_MEMORY;
    const float *b = qp_problem_field(&problem, "b")->values;
    for (size_t i = 0; i < cells && status == QP_OK; i++)
        out->b[i] = b[i];
    if (status == QP_OK)
        status = eliminate(out);
    qp_problem_destroy(&problem);
    if (status != QP_OK)
        destroy(out);
    return status;
}

static void judge(struct solved *row, const char *name, const struct system *system,
                  const struct qp_solution *solution)
{
    double error = solved_distance(solution->x, system->x, system->matrix.rows);
    if (row->cases++ == 0 || !(error / system->tolerance <= row->error / row->tolerance)) {
        row->error = error;
        row->tolerance = system->tolerance;
    }
    if (solution->ending != QP_CONVERGED)
        solved_fail(row, name, solution->sentence);
    else if (!(error <= system->tolerance))
        solved_fail(row, name, "converged, but to another solution than elimination finds");
}

static enum qp_status solve(const struct options *options, struct qp_context *context,
                            const struct qp_variant *variant, const char *name,
                            const struct system *system, struct solved *row)
{
    struct qp_solve_desc desc = {.variant = variant,
                                 .tolerance = residual_tolerance,
                                 .refine = true,
                                 .width = system->width,
                                 .height = system->height,
                                 .pingpong = options->pingpong,
                                 .target = options->target,
                                 .interrupt = &cmd_interrupted};
    struct qp_solution solution;
    enum qp_status status = qp_solve(context, &system->matrix, system->b, NULL, &desc, &solution);
    if (status == QP_UNSUPPORTED)
        return QP_OK;
    const bool failed = status == QP_DEVICE || status == QP_BAD_INPUT;
    if (status == QP_OK && !cmd_interrupted)
        judge(row, name, system, &solution);
    else if (failed)
        solved_fail(row, name, qp_error());
    qp_solution_destroy(&solution);
    return failed ? QP_OK : status;
}

static bool can_solve(const struct qp_variant *variant, const struct qp_context *context)
{
    return strcmp(variant->op, "jacobi9") == 0 && (!qp_variant_draws(variant) || context != NULL);
}

static bool any_can_solve(const struct qp_variant *const rows[], int count,
                          const struct qp_context *context)
{
    int i = 0;
    while (i < count && !can_solve(rows[i], context))
        i++;
    return i < count;
}

static enum qp_status check_iterations(const struct options *options, struct qp_context *context,
                                       const struct qp_variant *const rows[], int count,
                                       struct solved out[])
{
    enum qp_status status = QP_OK;
    if (!any_can_solve(rows, count, context))
        return QP_OK;
    for (int k = 0; k < (int)(sizeof systems / sizeof systems[0]) && status == QP_OK; k++) {
        struct system system;
        if (options->problem != NULL && strcmp(options->problem, systems[k].name) != 0)
            continue;
        status = create(options, k, &system);
        if (status != QP_OK)
            return status;
        for (int i = 0; i < count && status == QP_OK && !cmd_interrupted; i++) {
            if (can_solve(rows[i], context) && !out[i].failed)
                status = solve(options, context, rows[i], systems[k].name, &system, &out[i]);
        }
        destroy(&system);
    }
    return status;
}

enum qp_status solved_check(const struct options *options, struct qp_context *context,
                            const struct qp_variant *const rows[], int count, struct solved out[])
{
    for (int i = 0; i < count; i++)
        out[i] = (struct solved){0};
    enum qp_status status = check_iterations(options, context, rows, count, out);
    return status == QP_OK ? solved_check_dense(options, context, rows, count, out) : status;
}
