/* SPDX-License-Identifier: MIT */
/* Convergence control. The device measures the residual of its own iterate and one texel comes
 * back; the last word is the host's, in double, from the matrix as it was given. */
#include <quadpass/solve.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "io/market.h"
#include "ops/half.h"
#include "ops/plan.h"
#include "ops/problem.h"
#include "walk/solving.h"

enum {
    DEFAULT_STEPS = 100000,
    CHECK_EVERY = 25,       /* steps; a fixed number, so that two runs are the same bit for bit */
    STAGNATION_STEPS = 1000 /* without a new least residual */
};

/* A residual that grew so much will not come back. */
static const double hopeless_growth = 1e6;
/* The device's sum is good to about 1e-6: stop a little below the tolerance. */
static const double margin = 0.99;
/* A round of refinement asks float for three digits, which it has. */
static const double round_tolerance = 1e-3;

struct solve {
    struct qp_context *context;
    const struct qp_market *matrix;
    const struct qp_solve_desc *desc;
    struct qp_solution *out;
    struct qp_problem problem;
    double *b, *residual, *kept; /* in double, as long as x; kept: x before a correction */
    double norm_b;               /* 1 if b is 0 */
    double tolerance;
    int most_steps;
    double begin, first_residual;
    /* of the walk under way: */
    double target, least, unit; /* unit: what the walk's residual 1 is in the whole system's */
    int least_step, steps_before, round;
    enum qp_ending ending;
};

/* ---- The host's side, in double ---- */

static size_t rows_of(const struct solve *s)
{
    return (size_t)s->matrix->rows;
}

/* residual = b - A x; out->residual its relative norm. */
static void measure(struct solve *s)
{
    for (size_t i = 0; i < rows_of(s); i++)
        s->residual[i] = s->b[i];
    qp_market_add_product(s->matrix, -1.0, s->out->x, s->residual);
    s->out->residual = qp_norm(s->residual, rows_of(s)) / s->norm_b;
}

/* ---- The walk's side ---- */

static bool watch(void *user, int step, double residual)
{
    struct solve *s = user;
    if (s->desc->on_progress != NULL) {
        struct qp_progress progress = {.step = s->steps_before + step,
                                       .most_steps = s->most_steps,
                                       .round = s->round,
                                       .residual = residual * s->unit,
                                       .tolerance = s->tolerance,
                                       .first_residual = s->first_residual,
                                       .seconds = qp_clock() - s->begin};
        s->desc->on_progress(s->desc->user, &progress);
    }
    if (!isfinite(residual) || residual * s->unit > hopeless_growth * s->first_residual) {
        s->ending = QP_DIVERGING;
        return false;
    }
    if (residual <= s->target) {
        s->ending = QP_CONVERGED;
        return false;
    }
    if (residual < s->least) {
        s->least = residual;
        s->least_step = step;
    } else if (step - s->least_step >= STAGNATION_STEPS) {
        s->ending = QP_STAGNATED;
        return false;
    }
    return true;
}

/* One walk of at most `steps` steps to `target`, from the problem's start; the answer
 * in *result. */
static enum qp_status walk_to(struct solve *s, double target, double unit, struct qp_result *result)
{
    struct qp_walk_desc walk = {.iterations = s->most_steps - s->steps_before,
                                .pingpong = s->desc->pingpong,
                                .target = s->desc->target,
                                .unchecked = true,
                                .keep_solution = true,
                                .on_residual = watch,
                                .every = CHECK_EVERY,
                                .interrupt = s->desc->interrupt,
                                .user = s};
    s->target = target;
    s->unit = unit;
    s->least = INFINITY;
    s->least_step = 0;
    s->ending = QP_OUT_OF_STEPS;
    enum qp_status status = qp_walk_copies(s->context, s->out->variant, &s->problem, &walk, result);
    if (status == QP_OK && result->solution.values == NULL) /* an infinite answer is one too */
        return qp_fail(result->verdict == QP_SKIP ? QP_UNSUPPORTED : QP_DEVICE, "%s: %s",
                       s->out->variant->name, result->reason);
    s->steps_before += status == QP_OK ? result->iterations : 0;
    if (qp_is_interrupted(s->desc->interrupt))
        s->ending = QP_INTERRUPTED;
    return status;
}

/* ---- Plain and refined solves ---- */

static enum qp_status solve_plain(struct solve *s)
{
    struct qp_result result;
    enum qp_status status = walk_to(s, margin * s->tolerance, 1.0, &result);
    if (status != QP_OK)
        return status;
    for (size_t i = 0; i < rows_of(s); i++)
        s->out->x[i] = result.solution.values[i];
    qp_matrix_destroy(&result.solution);
    measure(s);
    return QP_OK;
}

/* Asks float for A d = r, scaled to a largest component of 1 so that nothing under- or overflows,
 * and adds d to x in double. A correction that made things worse is not kept. */
static enum qp_status refine_once(struct solve *s, double before)
{
    float *b = qp_problem_field(&s->problem, "b")->values;
    float *start = qp_problem_field(&s->problem, "x")->values;
    double largest = 0.0;
    for (size_t i = 0; i < rows_of(s); i++)
        largest = fmax(largest, fabs(s->residual[i]));
    for (size_t i = 0; i < rows_of(s); i++) {
        b[i] = (float)(s->residual[i] / largest);
        start[i] = 0.0f;
    }
    struct qp_result result;
    double target = fmax(round_tolerance, 0.5 * s->tolerance / before);
    enum qp_status status = walk_to(s, target, before, &result);
    if (status != QP_OK)
        return status;
    const float *d = result.solution.values;
    memcpy(s->kept, s->out->x, rows_of(s) * sizeof *s->kept);
    for (size_t i = 0; i < rows_of(s); i++)
        s->out->x[i] += largest * d[i];
    measure(s);
    if (!(s->out->residual < before)) {
        memcpy(s->out->x, s->kept, rows_of(s) * sizeof *s->kept);
        measure(s);
    }
    qp_matrix_destroy(&result.solution);
    return QP_OK;
}

/* Goes on as long as a round at least halves the residual. */
static enum qp_status solve_refined(struct solve *s)
{
    bool done = false;
    while (!done && s->out->residual > s->tolerance) {
        double before = s->out->residual;
        s->round++;
        enum qp_status status = refine_once(s, before);
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

static enum qp_status check_variant(const struct solve *s, const struct qp_variant *variant)
{
    struct qp_problem copies = s->problem;
    if (qp_variant_is_bound(variant))
        return qp_fail(QP_UNSUPPORTED, "a bound computes no solution; take another row");
    copies.systems = qp_variant_systems(variant);
    return qp_plan_check(s->context, variant, &copies, s->desc->target);
}

static enum qp_status choose_variant(struct solve *s)
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

static enum qp_status set_vectors(struct solve *s, const double *b, const double *start)
{
    float *in_float = qp_problem_field(&s->problem, "b")->values;
    float *start_in_float = qp_problem_field(&s->problem, "x")->values;
    size_t rows = rows_of(s);
    for (size_t i = 0; i < rows; i++)
        s->b[i] = b != NULL ? b[i] : 0.0;
    if (b == NULL)
        qp_market_add_product(s->matrix, 1.0, NULL, s->b);
    for (size_t i = 0; i < rows; i++) {
        s->out->x[i] = start != NULL ? start[i] : 0.0;
        in_float[i] = (float)s->b[i];
        start_in_float[i] = (float)s->out->x[i];
        if (!isfinite(in_float[i]) || !isfinite(start_in_float[i]))
            return qp_fail(QP_BAD_INPUT,
                           "row %zu of the right-hand side or the start is beyond what float holds",
                           i + 1);
    }
    s->norm_b = qp_norm(s->b, rows);
    if (s->norm_b == 0.0)
        s->norm_b = 1.0;
    return QP_OK;
}

static enum qp_status prepare(struct solve *s, const double *b, const double *start)
{
    enum qp_status status =
        qp_problem_from_market(s->matrix, s->desc->width, s->desc->height, &s->problem);
    if (status != QP_OK)
        return status;
    if (s->desc->weight != 0.0)
        s->problem.weight = s->desc->weight;
    s->b = qp_alloc(rows_of(s), sizeof *s->b, "the right-hand side");
    s->residual = qp_alloc(rows_of(s), sizeof *s->residual, "the residual");
    s->kept = qp_alloc(rows_of(s), sizeof *s->kept, "the iterate before a correction");
    s->out->x = qp_alloc(rows_of(s), sizeof *s->out->x, "the solution");
    if (s->b == NULL || s->residual == NULL || s->kept == NULL || s->out->x == NULL)
        return qp_fail_within(QP_NO_MEMORY, "room 1, problem");
    s->out->width = s->problem.width;
    s->out->height = s->problem.height;
    s->out->weight = s->problem.weight;
    status = set_vectors(s, b, start);
    return status == QP_OK ? choose_variant(s) : status;
}

static void tell(const struct solve *s)
{
    struct qp_solution *out = s->out;
    char where[96];
    bool half = out->variant != NULL && qp_recipe_is_half(out->variant->recipe);
    snprintf(where, sizeof where, "residual %.3g after %d steps in %.3g s", out->residual,
             out->steps, out->seconds);
    const char *format[] = {
        [QP_CONVERGED] = "converged: %s",
        [QP_DIVERGING] = "diverging: %s; take a smaller weight than %g",
        [QP_OUT_OF_STEPS] = "out of steps: %s; allow more of them, or a larger tolerance",
        [QP_STAGNATED] = s->desc->refine ? "stagnated: %s; refinement gains nothing more"
                         : half ? "stagnated at the floor of 16 bits: %s; refinement goes below it"
                                : "stagnated at the floor of float: %s; refinement goes below it",
        [QP_INTERRUPTED] = "interrupted: %s; this is the iterate so far",
    };
    snprintf(out->sentence, sizeof out->sentence, format[out->ending], where, out->weight);
}

static void finish(struct solve *s)
{
    struct qp_solution *out = s->out;
    out->steps = s->steps_before;
    out->seconds = qp_clock() - s->begin;
    if (out->residual <= s->tolerance)
        out->ending = QP_CONVERGED;
    else if (!isfinite(out->residual))
        out->ending = QP_DIVERGING;
    else /* the device saw the tolerance met and double does not: float can do no more */
        out->ending = s->ending == QP_CONVERGED ? QP_STAGNATED : s->ending;
    tell(s);
}

static enum qp_status check_desc(const struct qp_solve_desc *desc)
{
    if (!(desc->tolerance >= 0.0) || !isfinite(desc->tolerance))
        return qp_fail(QP_BAD_USE, "a tolerance of %g is none; give a positive number",
                       desc->tolerance);
    if (desc->most_steps < 0)
        return qp_fail(QP_BAD_USE, "%d steps cannot be taken", desc->most_steps);
    if (!(desc->weight >= 0.0 && desc->weight < 2.0))
        return qp_fail(QP_BAD_USE, "a weight of %g is of no use; it must lie between 0 and 2",
                       desc->weight);
    return QP_OK;
}

enum qp_status qp_solve(struct qp_context *context, const struct qp_market *matrix, const double *b,
                        const double *start, const struct qp_solve_desc *desc,
                        struct qp_solution *out)
{
    *out = (struct qp_solution){0};
    enum qp_status status = check_desc(desc);
    if (status != QP_OK)
        return status;
    struct solve s = {.context = context, .matrix = matrix, .desc = desc, .out = out};
    s.tolerance = desc->tolerance > 0.0 ? desc->tolerance : 1e-5;
    s.most_steps = desc->most_steps > 0 ? desc->most_steps : DEFAULT_STEPS;
    s.begin = qp_clock();
    status = prepare(&s, b, start);
    if (status == QP_OK) {
        measure(&s);
        s.first_residual = out->residual;
        if (out->residual > s.tolerance)
            status = desc->refine ? solve_refined(&s) : solve_plain(&s);
    }
    if (status == QP_OK)
        finish(&s);
    else
        qp_solution_destroy(out);
    free(s.b);
    free(s.residual);
    free(s.kept);
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
