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
#include "base/watch.h"
#include "engines/check.h"
#include "ops/jacobi9/jacobi9.h"
#include "solve/certain.h"
#include "solve/residual.h"
#include "solve/solve.h"
#include "solve/solver.h"

enum {
    DEFAULT_STEPS = 100000,
    CHECK_EVERY = 25 /* steps; a fixed number, so that two runs are the same bit for bit */
};

/* Growth of the residual that counts as divergence at once. */
static const double hopeless_growth = 1e6;
/* Growth above the least residual that counts as slow divergence after a thousand steps. */
static const double slow_growth = 2.0;
/* Safety factor: the device's sum is good to about 1e-6, so stop a little below the tolerance. */
static const double margin = 0.99;
/* Tolerance of a round of refinement: three digits, which float can reach. */
static const double round_tolerance = 1e-3;

/* ---- Residuals on the host, in double ---- */

void qp_iteration_measure(struct qp_iteration *s)
{
    qp_residual_find(s->matrix, s->b, s->lost, s->out->x, s->residual, s->bound, s->scratch);
    s->out->residual = qp_residual_norm(s->bound, s->b, NULL, qp_iteration_rows(s));
}

/* ---- Steps on the device, by walks ---- */

static struct qp_progress progress_at(const struct qp_iteration *s, int step, double residual)
{
    return (struct qp_progress){.step = s->steps_before + step,
                                .most_steps = s->most_steps,
                                .round = s->round,
                                .residual = residual * s->unit,
                                .tolerance = s->aim,
                                .first_residual = s->first_residual,
                                .seconds = qp_clock() - s->begin};
}

static bool end(struct qp_iteration *s, enum qp_ending ending)
{
    s->ending = ending;
    s->has_ended = true;
    return false;
}

static bool watch(void *user, int step, double residual)
{
    struct qp_iteration *s = user;
    const struct qp_progress progress = progress_at(s, step, residual);
    if (s->desc->on_progress != NULL)
        s->desc->on_progress(s->desc->user, &progress);
    if (step >= 2 * s->mark.step) {
        s->mark_before = s->mark;
        s->mark = progress;
    }
    s->last = progress;
    if (!isfinite(residual) || progress.residual > hopeless_growth * s->first_residual)
        return end(s, QP_DIVERGING);
    if (residual <= s->target)
        return end(s, QP_CONVERGED);
    if (residual < s->least) {
        s->least = residual;
        s->least_step = step;
    } else if (step - s->least_step >= QP_STAGNATION_STEPS) {
        s->idle = true;
        return end(s, residual > slow_growth * s->least ? QP_DIVERGING : QP_STAGNATED);
    }
    if (s->goes_on != NULL && !s->goes_on(s->user, &progress))
        return end(s, QP_INTERRUPTED);
    return true;
}

/* An interrupt before the walk's first step, or in the middle of one. */
static enum qp_status leave_early(struct qp_iteration *s)
{
    s->ending = QP_INTERRUPTED;
    return s->has_written ? QP_OK : qp_checkpoint_write(s->checkpoint);
}

static enum qp_status look_at(struct qp_iteration *s, const struct qp_result *result)
{
    const bool none = result->solution.width == 0;
    if (s->written != QP_OK)
        return s->written; /* the sentence stands */
    if (none && qp_watch_is_sentence(result->reason))
        return leave_early(s);
    if (none) /* an infinite answer is one too */
        return qp_fail(result->verdict == QP_SKIP ? QP_UNSUPPORTED : result->cause, "%s: %s",
                       s->out->variant->name, result->reason);
    s->steps_before += result->iterations;
    if (qp_is_interrupted(s->desc->interrupt) && !s->has_ended)
        s->ending = QP_INTERRUPTED;
    return QP_OK;
}

/* One walk of at most the steps that are left to `target`, from the problem's start; the answer
 * in *result. */
static enum qp_status walk_to(struct qp_iteration *s, double target, double unit,
                              struct qp_result *result)
{
    struct qp_walk_desc walk = {.iterations = s->most_steps - s->steps_before,
                                .pingpong = s->desc->pingpong,
                                .target = s->desc->target,
                                .parts = s->desc->parts,
                                .unchecked = true,
                                .keep_solution = true,
                                .on_residual = watch,
                                .every = CHECK_EVERY,
                                .interrupt = s->desc->interrupt,
                                .wants_state = qp_iteration_wants_state,
                                .on_state = qp_iteration_keep_state,
                                .user = s};
    s->target = target;
    s->unit = unit;
    if (s->walked.step == 0) {
        s->least = INFINITY;
        s->least_step = 0;
    }
    s->mark = s->mark_before = (struct qp_progress){0};
    s->idle = s->has_ended = s->has_written = false;
    s->ending = QP_OUT_OF_STEPS;
    enum qp_status status =
        qp_walk_copies(s->context, s->out->variant, &s->problem, &walk, &s->walked, result);
    if (status == QP_OK)
        status = look_at(s, result);
    if (status != QP_OK)
        qp_matrix_destroy(&result->solution);
    qp_matrix_destroy(&s->walked.x);
    s->walked.step = 0;
    return status;
}

/* ---- Plain and refined solves ---- */

/* The residual becomes the right-hand side of a correction from 0; returns log2 of p. */
static int fill_correction(struct qp_iteration *s)
{
    float *b = qp_problem_field(&s->problem, "b")->values;
    float *start = qp_problem_field(&s->problem, "x")->values;
    double largest = 0.0;
    int exponent;
    for (size_t i = 0; i < qp_iteration_rows(s); i++)
        largest = fmax(largest, fabs(s->residual[i]));
    frexp(largest, &exponent);
    for (size_t i = 0; i < qp_iteration_rows(s); i++) {
        b[i] = (float)ldexp(s->residual[i], -exponent);
        start[i] = 0.0f;
    }
    return exponent;
}

/* Walks a correction to `target` and adds it to x in double. It is taken back if it is not finite, or if
 * in refinement the residual grew. */
static enum qp_status correct(struct qp_iteration *s, double target)
{
    const double before = s->out->residual;
    const int exponent = fill_correction(s);
    struct qp_result result;
    enum qp_status status = walk_to(s, target, before, &result);
    if (status != QP_OK || result.solution.width == 0)
        return status;
    memcpy(s->kept, s->out->x, qp_iteration_rows(s) * sizeof *s->kept);
    for (size_t i = 0; i < qp_iteration_rows(s); i++)
        s->out->x[i] += ldexp(qp_matrix_value(&result.solution, i), exponent);
    qp_matrix_destroy(&result.solution);
    qp_iteration_measure(s);
    s->is_back = !isfinite(s->out->residual);
    if (!s->is_back && (!s->desc->refine || s->out->residual < before))
        return QP_OK;
    memcpy(s->out->x, s->kept, qp_iteration_rows(s) * sizeof *s->kept);
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

/* b NULL stands for A times ones. */
static enum qp_status set_vectors(struct qp_iteration *s, const double *b, const double *start)
{
    const size_t rows = qp_iteration_rows(s);
    double *x = s->out->x;
    if (b == NULL)
        qp_residual_times_ones(s->matrix, s->b, s->lost, s->scratch);
    for (size_t i = 0; i < rows; i++) {
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

/* Steps are told by D (x' - x) / w, which must stay in float. */
static enum qp_status set_weight(struct qp_iteration *s)
{
    const float *diagonal = qp_problem_field(&s->problem, "DD")->values;
    const bool given = s->desc->weight != 0.0;
    double largest = 0.0;
    if (given)
        s->problem.weight = s->desc->weight;
    for (size_t i = 0; i < qp_iteration_rows(s); i++)
        largest = fmax(largest, fabs((double)diagonal[i]));
    if (largest <= 1e30 * s->problem.weight)
        return QP_OK;
    return qp_fail(
        given ? QP_BAD_USE : QP_BAD_INPUT,
        "a weight of %.3g%s is too small for Jacobi in float beside a diagonal of %.3g; %s",
        s->problem.weight, given ? "" : ", which the other entries ask for,", largest,
        given ? "take a larger --weight" : "elimination needs none");
}

static enum qp_status allocate(struct qp_iteration *s, bool makes_b)
{
    const size_t rows = qp_iteration_rows(s);
    s->b = qp_alloc(rows, sizeof *s->b, "the right-hand side");
    s->lost = makes_b ? qp_alloc(rows, sizeof *s->lost, "its rounding") : NULL;
    s->residual = qp_alloc(rows, sizeof *s->residual, "the residual");
    s->bound = qp_alloc(rows, sizeof *s->bound, "the residual with its rounding");
    s->scratch = qp_alloc(rows, sizeof *s->scratch, "the residual's second half");
    s->kept = qp_alloc(rows, sizeof *s->kept, "the iterate before a correction");
    s->proof = qp_alloc(QP_CERTAIN_VECTORS * rows, sizeof *s->proof, "a proof of digits");
    s->out->x = qp_alloc(rows, sizeof *s->out->x, "the solution");
    const bool good = s->b != NULL && (s->lost != NULL || !makes_b) && s->residual != NULL &&
                      s->bound != NULL && s->scratch != NULL && s->kept != NULL &&
                      s->proof != NULL && s->out->x != NULL;
    return good ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status prepare(struct qp_iteration *s, const double *b, const double *start)
{
    const struct qp_solver *solver = qp_solver_of(s->desc->variant);
    if (solver->input != QP_NINE_BANDS) /* the variant will be refused, if there is one */
        solver = qp_solver_for(QP_NINE_BANDS);
    enum qp_status status =
        solver->problem(s->matrix, s->desc->width, s->desc->height, &s->problem);
    if (status == QP_OK)
        status = set_weight(s);
    if (status != QP_OK)
        return status;
    status = allocate(s, b == NULL);
    if (status != QP_OK)
        return qp_fail_within(status, "room 1, problem");
    s->out->width = s->problem.width;
    s->out->height = s->problem.height;
    s->out->weight = s->problem.weight;
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

static enum qp_status solve(struct qp_iteration *s, const double *b, const double *start)
{
    enum qp_status status = read_desc(s);
    if (status == QP_OK)
        status = prepare(s, b, start);
    if (status == QP_OK)
        status = qp_iteration_begin(s);
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
                             .ending = QP_CONVERGED, /* where the start is good enough */
                             .begin = qp_clock()};
    *out = (struct qp_solution){0};
    const enum qp_status status = solve(&s, b, start);
    *digits = status == QP_OK ? qp_iteration_finish(&s) : -1;
    if (status != QP_OK)
        qp_solution_destroy(out);
    free(s.b);
    free(s.lost);
    free(s.residual);
    free(s.bound);
    free(s.scratch);
    free(s.kept);
    free(s.proof);
    qp_matrix_destroy(&s.walked.x);
    qp_problem_destroy(&s.problem);
    return status;
}

void qp_solution_destroy(struct qp_solution *solution)
{
    if (solution == NULL)
        return;
    free(solution->x);
    *solution = (struct qp_solution){0};
}
