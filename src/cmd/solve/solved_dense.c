/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "baseline/baseline.h"
#include "cmd/solve/solved.h"
#include "io/market.h"
#include "ops/gauss_jordan/gauss_jordan.h"
#include "plan/half.h"

/* Matrices that check solves: a random one that needs no pivoting, one that does, and two from practice: zeros on
 * the diagonal, a condition of 1e8. */
static const struct {
    const char *name;
    bool pivots; /* for rows that exchange rows, in 32 bits */
} systems[] = {
    {"dominant", false}, {"general", true}, {"west0067.mtx", true}, {"impcol_a.mtx", true}};

enum { SIDES = 2, UNKNOWNS = 61 };

/* Refinement ends at this ||b - A x||_2 / ||b||_2; the tolerance of x is that of solved.c. */
static const double residual_tolerance = 1e-12;

struct system {
    struct qp_market matrix;
    double *b, *x; /* SIDES columns; x by LAPACK */
    double tolerance;
};

static void destroy(struct system *system)
{
    qp_market_destroy(&system->matrix);
    free(system->b);
    free(system->x);
    *system = (struct system){0};
}

/* The left of a random [A | b]. */
static enum qp_status make_random(const struct options *options, const char *kind,
                                  struct qp_market *out)
{
    const size_t n = UNKNOWNS;
    struct qp_problem problem;
    enum qp_status status =
        cmd_problem(options, "gauss_jordan", kind, UNKNOWNS, UNKNOWNS, 1, &problem);
    if (status != QP_OK)
        return status;
    const struct qp_matrix *all = qp_problem_field(&problem, "a");
    *out = (struct qp_market){.rows = UNKNOWNS,
                              .columns = UNKNOWNS,
                              .count = n * n,
                              .dense = true,
                              .value = qp_alloc(n * n, sizeof *out->value, "a dense matrix")};
    for (size_t k = 0; k < n * n && out->value != NULL; k++)
        out->value[k] = all->values[k % n * (size_t)all->width + k / n];
    qp_problem_destroy(&problem);
    return out->value != NULL ? QP_OK : QP_NO_MEMORY;
}

/* A times ones and A times a random x, so that ||b|| is about ||A|| ||x||: then a residual of 1e-12
 * can be had in double whatever the condition. */
static enum qp_status fill_sides(struct system *system)
{
    const size_t n = (size_t)system->matrix.rows;
    uint64_t state = 1;
    system->b = qp_alloc_zero(SIDES * n, sizeof *system->b, "right-hand sides");
    system->x = qp_alloc(SIDES * n, sizeof *system->x, "solutions");
    if (system->b == NULL || system->x == NULL)
        return QP_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        system->x[i] = qp_random(&state, -1.0, 1.0);
    qp_market_add_product(&system->matrix, 1.0, NULL, system->b);
    qp_market_add_product(&system->matrix, 1.0, system->x, system->b + n);
    return QP_OK;
}

static enum qp_status create(const struct options *options, int number, struct system *out)
{
    double condition = 0.0;
    const char *name = systems[number].name;
    *out = (struct system){0};
    enum qp_status status = strstr(name, ".mtx") != NULL ? baseline_file(name, &out->matrix)
                                                         : make_random(options, name, &out->matrix);
    if (status == QP_OK)
        status = fill_sides(out);
    if (status == QP_OK)
        status = baseline_solve_dense(&out->matrix, out->b, SIDES, out->x, &condition);
    out->tolerance = sqrt((double)out->matrix.rows) * residual_tolerance * condition;
    if (status != QP_OK)
        destroy(out);
    return status;
}

static void judge(struct solved *row, const char *name, const struct system *system,
                  const struct qp_dense_solution *solution)
{
    const size_t n = (size_t)system->matrix.rows;
    for (size_t k = 0; k < SIDES; k++) {
        double error = solved_distance(solution->x + k * n, system->x + k * n, system->matrix.rows);
        if (row->cases++ == 0 || !(error / system->tolerance <= row->error / row->tolerance)) {
            row->error = error;
            row->tolerance = system->tolerance;
        }
        if (!(error <= system->tolerance))
            solved_fail(row, name, "converged, but to another solution than LAPACK finds");
    }
    if (solution->ending != QP_CONVERGED || solution->on_host)
        solved_fail(row, name, solution->sentence); /* also where only the host solved it */
}

static enum qp_status solve(const struct options *options, struct qp_context *context,
                            const struct qp_variant *variant, const char *name,
                            const struct system *system, struct solved *row)
{
    struct qp_dense_desc desc = {.variant = variant,
                                 .tolerance = residual_tolerance,
                                 .refine = true,
                                 .pingpong = options->pingpong,
                                 .target = options->target,
                                 .interrupt = &cmd_interrupted};
    struct qp_dense_solution solution;
    enum qp_status status =
        qp_solve_dense(context, &system->matrix, system->b, SIDES, &desc, &solution);
    if (status == QP_UNSUPPORTED)
        return QP_OK;
    bool failed = status == QP_DEVICE || status == QP_BAD_INPUT;
    if (status == QP_OK && !cmd_interrupted)
        judge(row, name, system, &solution);
    else if (failed)
        solved_fail(row, name, qp_error());
    qp_dense_solution_destroy(&solution);
    return failed ? QP_OK : status;
}

static bool can_solve(const struct qp_variant *variant, const struct qp_context *context,
                      bool pivots)
{
    return strcmp(variant->op, "gauss_jordan") == 0 &&
           (variant->backend != QP_GL || context != NULL) &&
           (!pivots || (qp_gauss_jordan_exchanges_rows(variant->recipe) &&
                        !qp_recipe_is_half(variant->recipe)));
}

static bool any_can_solve(const struct qp_context *context, const struct qp_variant *const rows[],
                          int count)
{
    int i = 0;
    while (i < count && !can_solve(rows[i], context, false))
        i++;
    return i < count;
}

enum qp_status solved_check_dense(const struct options *options, struct qp_context *context,
                                  const struct qp_variant *const rows[], int count,
                                  struct solved out[])
{
    enum qp_status status = QP_OK;
    if (!any_can_solve(context, rows, count))
        return QP_OK;
    for (int k = 0; k < (int)(sizeof systems / sizeof systems[0]) && status == QP_OK; k++) {
        struct system system;
        if (options->problem != NULL && strcmp(options->problem, systems[k].name) != 0)
            continue;
        status = create(options, k, &system);
        if (status != QP_OK)
            return status;
        for (int i = 0; i < count && status == QP_OK && !cmd_interrupted; i++) {
            if (can_solve(rows[i], context, systems[k].pivots) && !out[i].failed)
                status = solve(options, context, rows[i], systems[k].name, &system, &out[i]);
        }
        destroy(&system);
    }
    return status;
}
