/* SPDX-License-Identifier: MIT */
#include "tools/cmd/solve/check_solves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/engines/shared.h"
#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/poisson/poisson.h"
#include "toolkit/base/status.h"
#include "tools/cmd/solve/check_system.h"

/* False for variants that hand textures from OpenGL to CUDA and back in each step: such a step
 * takes 0.4 ms, and thousands of them seconds. */
static bool steps_fast(const struct qp_variant *variant)
{
    const enum qp_sharing sharing = qp_sharing_of(variant->recipe);
    return sharing == QP_UNSHARED || sharing == QP_SHARE_KEPT;
}

/* Systems on grids small enough for hundreds of steps of every variant, large enough for many
 * texels each way. Systems without a grid: a random matrix that needs no pivoting, one that does,
 * and two from practice, with zeros on the diagonal and a condition of 1e8. */
static const struct check_origin origins[] = {
    {&check_grid, "random", "random", 31, 20, NULL, NULL},
    {&check_grid, "wraps", "wraps", 20, 31, NULL, NULL},
    {&check_grid, "symmetric", "symmetric", 21, 21, NULL, NULL},
    {&check_grid, "bidomain", "bidomain", 13, 11, NULL, steps_fast},
    {&check_grid, "gr_30_30", "random", 30, 30, baseline_gr_30_30, steps_fast},
    {&check_right_side, "field", "field", 31, 20, NULL, qp_poisson_has_method},
    {&check_right_side, "spike", "spike", 20, 31, NULL, qp_poisson_has_method},
    {&check_matrix, "dominant", "dominant", 61, 61, NULL, NULL},
    {&check_matrix, "general", "general", 61, 61, NULL, qp_dense_does_all},
    {&check_matrix, "west0067.mtx", NULL, 0, 0, NULL, qp_dense_does_all},
    {&check_matrix, "impcol_a.mtx", NULL, 0, 0, NULL, qp_dense_does_all},
};

/* True if the variant's operation solves such a system, the variant promises to, and no other
 * system is asked for. */
static bool suits(const struct check_origin *origin, const struct options *options,
                  const struct qp_variant *variant)
{
    const struct qp_solver *solver = qp_solver_of(variant);
    return origin->input->input == solver->input &&
           (origin->suits == NULL || origin->suits(variant)) &&
           (origin->kind == NULL || qp_op_kind(solver->op, origin->kind) >= 0) &&
           (options->problem == NULL || strcmp(options->problem, origin->name) == 0);
}

static enum qp_status create(const struct check_origin *origin, const struct options *options,
                             const struct qp_variant *variant, struct check_system *out)
{
    struct qp_problem problem = {0};
    enum qp_status status = QP_OK;
    *out = (struct check_system){.residual = 1e-12};
    if (origin->kind != NULL)
        status = cmd_problem(options, variant->op, origin->kind, origin->width, origin->height, 1,
                             &problem);
    if (status == QP_OK)
        status = origin->input->make(origin, &problem, out);
    qp_problem_destroy(&problem);
    return status;
}

/* Relative distance ||x - y||_1 / ||y||_1. */
static double distance(const double *x, const double *y, int count)
{
    double difference = 0.0, all = 0.0;
    for (int i = 0; i < count; i++) {
        difference += fabs(x[i] - y[i]);
        all += fabs(y[i]);
    }
    return difference / all;
}

static void fail(struct solved *row, const struct check_origin *origin, const char *why)
{
    row->failed = true;
    snprintf(row->reason, sizeof row->reason, "solving %s: %.480s", origin->name, why);
}

/* Tolerance of the error. With r = b - A x the error is A^-1 r, and ||r||_1 <= sqrt(n) ||r||_2 <=
 * sqrt(n) t ||b||_2 <= sqrt(n) t ||A||_1 ||x||_1; so the relative error is at most sqrt(n) t times
 * the condition number ||A||_1 ||A^-1||_1. Roundings of elimination itself are some 1e-16 where t
 * is 1e-12. */
static void judge(struct solved *row, const struct check_origin *origin,
                  const struct check_system *system, const double *x)
{
    const int n = system->matrix.rows;
    const double tolerance = sqrt((double)n) * system->residual * system->condition;
    char why[80];
    snprintf(why, sizeof why, "converged, but to another solution than %s finds",
             origin->input->judge);
    for (int k = 0; k < system->sides; k++) {
        const size_t at = (size_t)k * (size_t)n;
        const double error = distance(x + at, system->x + at, n);
        if (row->cases++ == 0 || !(error / tolerance <= row->error / row->tolerance)) {
            row->error = error;
            row->tolerance = tolerance;
        }
        if (!(error <= tolerance))
            fail(row, origin, why);
    }
}

/* Solves one system. A refusal because of the variant's own limits is no failure. */
static enum qp_status solve(const struct check_origin *origin, const struct options *options,
                            struct qp_context *context, const struct qp_variant *variant,
                            const struct check_system *system, struct solved *row)
{
    double *x = NULL;
    char complaint[512] = "";
    enum qp_status status = origin->input->solve(options, context, variant, system, &x, complaint);
    const bool failed = status == QP_DEVICE || status == QP_BAD_INPUT;
    if (failed)
        fail(row, origin, qp_error());
    if (status == QP_OK && !cmd_interrupted)
        judge(row, origin, system, x);
    if (status == QP_OK && !cmd_interrupted && complaint[0] != '\0')
        fail(row, origin, complaint);
    free(x);
    return failed || status == QP_UNSUPPORTED ? QP_OK : status;
}

enum qp_status check_solves(const struct options *options, struct qp_context *context,
                            const struct qp_variant *variant, struct solved *out)
{
    enum qp_status status = QP_OK;
    *out = (struct solved){0};
    if (qp_variant_draws(variant) && context == NULL)
        return QP_OK;
    for (size_t k = 0; k < sizeof origins / sizeof origins[0] && status == QP_OK; k++) {
        struct check_system system;
        if (out->failed || cmd_interrupted || !suits(&origins[k], options, variant))
            continue;
        status = create(&origins[k], options, variant, &system);
        if (status == QP_OK)
            status = solve(&origins[k], options, context, variant, &system, out);
        check_system_destroy(&system);
    }
    return status;
}
