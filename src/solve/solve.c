/* SPDX-License-Identifier: MIT */
/* Convergence control. The device measures the residual of its own iterate and one texel comes
 * back; the host decides at the end, in double, from the matrix as it was given.
 *
 * The walk computes a correction: with x0 the start, r = b - A x0 in double and p a power of two,
 *
 *     A d = r / p,    x = x0 + p d,
 *
 * d from 0 in float, p such that the largest component of r / p is about 1. That is the same iteration
 * digit for digit where x0 is 0, but nothing under- or overflows, however large or small b and the
 * start are. A plain solve is one correction down to the tolerance, refinement several. */
#include <quadpass/solve.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engines/check.h"
#include "ops/jacobi9/jacobi9.h"
#include "solve/certain.h"
#include "solve/residual.h"
#include "solve/solve.h"
#include "solve/solver.h"

enum { DEFAULT_STEPS = 100000 };

/* Safety factor: the device's sum is good to about 1e-6, so stop a little below the tolerance. */
static const double margin = 0.99;
/* Tolerance of a round of refinement: three digits, which float can reach. */
static const double round_tolerance = 1e-3;

/* ---- Residuals on the host, in double ---- */

void qp_iteration_measure(struct qp_iteration *s)
{
    qp_residual_find(s->matrix, s->b, s->lost, s->out->x, s->residual, s->bound, s->scratch);
    s->out->residual = qp_residual_norm(s->bound, s->b, NULL, s->n);
}

/* ---- Plain and refined solves ---- */

static int fill_correction(struct qp_iteration *s)
{
    return qp_iteration_fill(s, qp_problem_field(&s->problem, "b"), 1.0);
}

/* Walks a correction to `target` and adds it to x in double. It is taken back if it is not finite, or if
 * in refinement the residual grew. */
static enum qp_status correct(struct qp_iteration *s, double target)
{
    const double before = s->out->residual;
    const int exponent = fill_correction(s);
    struct qp_result result;
    s->target = target;
    s->unit = before;
    s->ending = QP_OUT_OF_STEPS;
    enum qp_status status = qp_iteration_walk(s, s->most_steps - s->steps_before, NULL, &result);
    if (status != QP_OK || result.solution.width == 0)
        return status;
    qp_iteration_add(s, &result.solution, exponent);
    qp_iteration_measure(s);
    s->is_back = !isfinite(s->out->residual);
    if (!s->is_back && (!s->desc->refine || s->out->residual < before))
        return QP_OK;
    memcpy(s->out->x, s->kept, s->n * sizeof *s->kept);
    qp_iteration_measure(s);
    return QP_OK;
}

/* Goes on to the last digit of double, as long as a round at least halves the residual. */
static enum qp_status solve_refined(struct qp_iteration *s)
{
    bool done = false;
    while (!done && s->out->residual > s->aim) {
        double before = s->out->residual;
        s->round++;
        enum qp_status status = correct(s, fmax(round_tolerance, 0.5 * s->aim / before));
        if (status != QP_OK)
            return status;
        done = s->ending != QP_CONVERGED && s->ending != QP_STAGNATED;
        if (!done && s->out->residual > 0.5 * before) {
            s->ending = QP_STAGNATED;
            done = true;
        }
    }
    return QP_OK;
}

/* ---- Beginning and end ---- */

static enum qp_status check_variant(const struct qp_iteration *s, const struct qp_variant *variant)
{
    struct qp_problem copies = s->problem;
    if (qp_variant_is_bound(variant))
        return qp_fail(QP_UNSUPPORTED, "a bound computes no solution; take another row");
    copies.systems = qp_variant_systems(variant);
    return qp_plan_check(s->context, variant, &copies, s->desc->target);
}

static enum qp_status choose_variant(struct qp_iteration *s)
{
    if (s->desc->variant != NULL) {
        s->out->variant = s->desc->variant;
        enum qp_status status = check_variant(s, s->desc->variant);
        return status == QP_OK ? QP_OK : qp_fail_within(status, "%s", s->desc->variant->name);
    }
    for (const char *const *name = qp_solve_preference(s->context); *name != NULL; name++) {
        const struct qp_variant *variant = qp_variant_find(*name);
        if (qp_variant_draws(variant) && s->context == NULL)
            continue;
        enum qp_status status = check_variant(s, variant);
        if (status == QP_OK)
            s->out->variant = variant;
        if (status == QP_OK || qp_context_is_lost(s->context))
            return status;
    }
    return qp_fail_within(QP_UNSUPPORTED, "no variant can take this problem");
}

static enum qp_status refuse_value(size_t i, const char *whose, double value)
{
    return qp_fail(QP_BAD_INPUT,
                   "row %zu of %s is %.3g, beyond the float that iteration computes in; scale the "
                   "system",
                   i + 1, whose, value);
}

/* b NULL: A times ones. */
static enum qp_status set_vectors(struct qp_iteration *s, const double *b, const double *start)
{
    double *x = s->out->x;
    if (b == NULL)
        qp_residual_times_ones(s->matrix, s->b, s->lost, s->scratch);
    for (size_t i = 0; i < s->n; i++) {
        s->b[i] = b != NULL ? b[i] : s->b[i];
        x[i] = start != NULL ? start[i] : 0.0;
        if (!(fabs(s->b[i]) <= FLT_MAX))
            return refuse_value(i, b != NULL ? "the right-hand side" : "A times ones", s->b[i]);
        if (!(fabs(x[i]) <= FLT_MAX))
            return refuse_value(i, "the start", x[i]);
    }
    qp_iteration_measure(s);
    s->first_residual = s->out->residual;
    fill_correction(s); /* variants are chosen for the problem that they will get */
    return QP_OK;
}

/* The device reports steps by D (x' - x) / w, which must stay in float. */
static enum qp_status set_weight(struct qp_iteration *s)
{
    const float *diagonal = qp_problem_field(&s->problem, "DD")->values;
    const bool given = s->desc->weight != 0.0;
    double largest = 0.0;
    if (given)
        s->problem.weight = s->desc->weight;
    for (size_t i = 0; i < s->n; i++)
        largest = fmax(largest, fabs((double)diagonal[i]));
    if (largest <= 1e30 * s->problem.weight)
        return QP_OK;
    return qp_fail(
        given ? QP_BAD_USE : QP_BAD_INPUT,
        "a weight of %.3g%s is too small for Jacobi in float beside a diagonal of %.3g; %s",
        s->problem.weight, given ? "" : ", which the other entries ask for,", largest,
        given ? "take a larger --weight" : "elimination needs none");
}

static enum qp_status prepare(struct qp_iteration *s, const double *b, const double *start)
{
    const struct qp_solver *solver = qp_solver_of(s->desc->variant);
    if (solver->input != QP_NINE_BANDS) /* the variant will be refused, if there is one */
        solver = qp_solver_for(QP_NINE_BANDS);
    enum qp_status status =
        solver->problem(s->matrix, s->desc->width, s->desc->height, &s->problem);
    if (status != QP_OK)
        return status;
    status = qp_iteration_allocate(s, 1 + QP_CERTAIN_VECTORS + (b == NULL));
    if (status != QP_OK)
        return qp_fail_within(status, "room 1, problem");
    s->proof = s->scratch + s->n;
    s->lost = b == NULL ? s->proof + QP_CERTAIN_VECTORS * s->n : NULL;
    status = set_weight(s);
    s->out->width = s->problem.width;
    s->out->height = s->problem.height;
    s->out->weight = s->problem.weight;
    if (status == QP_OK)
        status = set_vectors(s, b, start);
    return status == QP_OK ? choose_variant(s) : status;
}

static enum qp_status read_desc(struct qp_iteration *s)
{
    const struct qp_solve_desc *desc = s->desc;
    s->most_steps = desc->most_steps > 0 ? desc->most_steps : DEFAULT_STEPS;
    if (desc->most_steps < 0)
        return qp_fail(QP_BAD_USE, "%d steps cannot be taken", desc->most_steps);
    if (!(desc->weight >= 0.0 && desc->weight < 2.0))
        return qp_fail(QP_BAD_USE, "a weight of %g is of no use; it must lie between 0 and 2",
                       desc->weight);
    enum qp_status status = qp_find_tolerance(desc->tolerance, &s->tolerance);
    s->aim = desc->refine ? fmin(s->tolerance, DBL_EPSILON) : s->tolerance;
    return status;
}

/* Takes up the state in the file to go on from, in the middle of a round. */
static enum qp_status begin(struct qp_iteration *s)
{
    bool resumed;
    enum qp_status status =
        qp_checkpoint_enter(s->checkpoint, "iteration", qp_iteration_store, s, &resumed);
    if (status != QP_OK || !resumed)
        return status;
    s->round -= s->desc->refine ? 1 : 0; /* which is counted when it begins */
    qp_iteration_measure(s);
    return qp_checkpoint_check_row(s->checkpoint, s->row, s->out->variant);
}

static enum qp_status solve(struct qp_iteration *s, const double *b, const double *start)
{
    enum qp_status status = read_desc(s);
    if (status == QP_OK)
        status = prepare(s, b, start);
    if (status == QP_OK)
        status = begin(s);
    if (status == QP_OK && s->out->residual > s->aim)
        status =
            s->desc->refine ? solve_refined(s) : correct(s, margin * s->aim / s->out->residual);
    qp_checkpoint_leave(s->checkpoint, "iteration");
    return status;
}

enum qp_status qp_iterate(struct qp_context *context, const struct qp_market *matrix,
                          const double *b, const double *start, const struct qp_solve_desc *desc,
                          qp_goes_on *goes_on, void *user, struct qp_checkpoint *checkpoint,
                          struct qp_solution *out, int *digits)
{
    struct qp_iteration s = {.context = context,
                             .matrix = matrix,
                             .desc = desc,
                             .goes_on = goes_on,
                             .user = user,
                             .checkpoint = checkpoint,
                             .out = out,
                             .patience = QP_STAGNATION_STEPS,
                             .refines = desc->refine,
                             .ending = QP_CONVERGED, /* where the start is good enough */
                             .begin = qp_clock()};
    *out = (struct qp_solution){0};
    const enum qp_status status = solve(&s, b, start);
    *digits = status == QP_OK ? qp_iteration_finish(&s) : -1;
    if (status != QP_OK)
        qp_solution_destroy(out);
    qp_iteration_destroy(&s);
    return status;
}

void qp_solution_destroy(struct qp_solution *solution)
{
    if (solution == NULL)
        return;
    free(solution->x);
    *solution = (struct qp_solution){0};
}
