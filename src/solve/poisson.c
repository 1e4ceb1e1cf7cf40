/* SPDX-License-Identifier: MIT */
/* Poisson's equation by steps on the device, and corrections on the host. As in solve.c a walk computes a correction
 * from 0 in the row's precision,
 *
 *     A d = r / p,    x = x + p d,
 *
 * with r = h^2 f - A x in double and p a power of two, such that the largest component of r / p is about 1. The
 * problem of a walk holds f in float, so a row in double takes two rounds, too, where that is not enough. */
#include <quadpass/poisson.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/caller.h"
#include "base/clock.h"
#include "base/watch.h"
#include "gl/call.h"
#include "plan/problem.h"
#include "solve/poisson.h"
#include "solve/solving.h"
#include "walk/description.h"

enum {
    DEFAULT_STEPS = 10000000,
    CHECK_EVERY = 25,       /* steps; a fixed number, so that two runs are the same bit for bit */
    STAGNATION_STEPS = 1000 /* without a new least residual, and no fewer than one e-fold takes */
};

/* Growth of the residual that counts as divergence at once. */
static const double hopeless_growth = 1e6;
/* A round makes the residual smaller by this at least, however near the floor of the row's precision is; and a solve is
 * refined where its tolerance is nearer to the floor than this. */
static const double weakest_round = 0.25, above_floor = 4.0;
/* And no smaller than this, for its right-hand side is rounded to float. */
static const double least_round = 0x1p-20;
/* A round that leaves more of the residual is the last: cycles leave half of it at most. */
static const double least_gain = 0.75;
/* Part of the tolerance that the last round aims for: a correction's right-hand side is rounded, too. */
static const double margin = 0.9;

static size_t cells_of(const struct qp_poisson *s)
{
    return qp_problem_cells(&s->problem);
}

/* ---- Steps on the device, by walks ---- */

static struct qp_progress progress_at(const struct qp_poisson *s, int step, double residual)
{
    return (struct qp_progress){.step = s->steps_before + step,
                                .most_steps = s->most_steps,
                                .round = s->refines ? s->round : 0,
                                .residual = residual,
                                .tolerance = s->aim,
                                .first_residual = s->first_residual,
                                .seconds = qp_clock() - s->begin,
                                .forecast = s->forecast};
}

static bool end(struct qp_poisson *s, enum qp_ending ending)
{
    s->ending = ending;
    s->has_ended = true;
    return false;
}

/* Within a cycle the residual says nothing but whether it is a number; what was known before it is shown. */
static bool watch(void *user, int step, double residual)
{
    struct qp_poisson *s = user;
    const double shown = s->method->fill != NULL ? s->out->residual : residual * s->unit;
    const struct qp_progress progress = progress_at(s, step, shown);
    if (s->desc->on_progress != NULL)
        s->desc->on_progress(s->desc->user, &progress);
    if (!isfinite(residual) || shown > hopeless_growth * s->first_residual)
        return end(s, QP_DIVERGING);
    if (s->method->fill != NULL)
        return true;
    if (residual <= s->target)
        return end(s, QP_CONVERGED);
    if (residual < s->least) {
        s->least = residual;
        s->least_step = step;
    } else if (step - s->least_step >= s->patience) {
        return end(s, QP_STAGNATED);
    }
    return true;
}

/* The course of one walk, of no more steps than are left; a list gets shorter cycles if need be. */
static struct qp_poisson5_course plan(const struct qp_poisson *s, double factor)
{
    const int left = s->most_steps - s->steps_before;
    struct qp_poisson5_course course =
        s->method->plan(&s->problem, (struct qp_poisson5_goal){factor, s->nearest});
    course.is_cut = course.walk > left;
    while (course.cycle > left)
        course.cycle /= 2;
    if (course.walk == 0 || course.is_cut)
        course.walk = course.cycle > 0 ? left / course.cycle * course.cycle : left;
    return course;
}

/* One walk from 0 towards `factor`, as near to it as one walk can get. */
static enum qp_status walk_to(struct qp_poisson *s, double factor, struct qp_result *result)
{
    const struct qp_poisson5_course course = plan(s, factor);
    double *values = qp_alloc((size_t)course.cycle + 1, sizeof *values, "the steps' weights");
    struct qp_weights weights = {.value = values, .count = course.cycle};
    const struct qp_walk_desc walk = {.iterations = course.walk,
                                      .pingpong = s->desc->pingpong,
                                      .target = s->desc->target,
                                      .parts = s->desc->parts,
                                      .unchecked = true,
                                      .keep_solution = true,
                                      .on_residual = watch,
                                      .every = CHECK_EVERY,
                                      .interrupt = s->desc->interrupt,
                                      .wants_state = qp_poisson_wants_state,
                                      .on_state = qp_poisson_keep_state,
                                      .user = s,
                                      .weights = course.cycle > 0 ? &weights : NULL};
    if (values == NULL)
        return QP_NO_MEMORY;
    if (course.cycle > 0)
        s->method->fill(&s->problem, course.cycle, values);
    s->ending = s->method->fill != NULL && !course.is_cut ? QP_CONVERGED : QP_OUT_OF_STEPS;
    s->problem.weight = s->out->weight = course.weight;
    s->target = fmax(s->nearest, factor);
    s->unit = s->out->residual;
    if (s->walked.step == 0) {
        s->least = INFINITY;
        s->least_step = 0;
    }
    s->has_ended = s->has_written = false;
    const enum qp_status status =
        qp_walk_copies(s->context, s->out->variant, &s->problem, &walk, &s->walked, result);
    s->has_ended = s->has_ended || result->iterations == course.walk;
    free(values);
    return status;
}

/* ---- Corrections ---- */

/* The residual becomes the right-hand side of a correction from 0; returns log2 of p. */
static int fill_correction(struct qp_poisson *s)
{
    const double h = qp_poisson5_h(&s->problem);
    float *f = s->problem.field[QP_POISSON5_F].values;
    double largest = 0.0;
    int exponent;
    for (size_t i = 0; i < cells_of(s); i++)
        largest = fmax(largest, fabs(s->residual[i]));
    frexp(largest, &exponent);
    for (size_t i = 0; i < cells_of(s); i++)
        f[i] = (float)(ldexp(s->residual[i], -exponent) / (h * h));
    memset(s->problem.field[QP_POISSON5_X].values, 0, cells_of(s) * sizeof(float));
    return exponent;
}

/* What a walk without an answer means. */
static enum qp_status explain(struct qp_poisson *s, const struct qp_result *result)
{
    if (qp_watch_is_sentence(result->reason)) {
        s->ending = QP_INTERRUPTED; /* before its first step, or in the middle of one */
        return s->has_written ? QP_OK : qp_checkpoint_write(&s->checkpoint);
    }
    return qp_fail(result->verdict == QP_SKIP ? QP_UNSUPPORTED : result->cause, "%s: %s",
                   s->out->variant->name, result->reason);
}

/* A cycle that was cut short may leave more than there was. The multiple of it that leaves least, by the residuals r
 * before and r' after the correction: <r, r - r'> / |r - r'|^2. */
static double best_part(const struct qp_poisson *s, int exponent)
{
    const double h = qp_poisson5_h(&s->problem);
    const float *f = s->problem.field[QP_POISSON5_F].values; /* r / (p h^2) */
    double along = 0.0, square = 0.0;
    for (size_t i = 0; i < cells_of(s); i++) {
        const double before = h * h * f[i];
        const double change = before - ldexp(s->residual[i], -exponent);
        along += before * change;
        square += change * change;
    }
    return along / square;
}

/* Takes as much of the correction under way as is best. */
static void shorten(struct qp_poisson *s, int exponent)
{
    double *x = s->out->x;
    s->part = best_part(s, exponent);
    for (size_t i = 0; i < cells_of(s); i++)
        x[i] = s->kept[i] + s->part * (x[i] - s->kept[i]);
    qp_poisson_measure(s);
}

/* Walks a correction towards `factor` and adds it to x in double. If the residual grew it is taken back, or shortened
 * where an interrupt is the reason. */
static enum qp_status correct(struct qp_poisson *s, double factor)
{
    const double before = s->out->residual;
    const int exponent = fill_correction(s);
    struct qp_result result;
    enum qp_status status = walk_to(s, factor, &result);
    if (status == QP_OK)
        status = s->written; /* the sentence stands */
    if (status == QP_OK && result.solution.width == 0)
        status = explain(s, &result);
    qp_matrix_destroy(&s->walked.x);
    s->walked.step = 0;
    if (status != QP_OK || result.solution.width == 0) {
        qp_matrix_destroy(&result.solution);
        return status;
    }
    s->steps_before += result.iterations;
    if (qp_is_interrupted(s->desc->interrupt) && !s->has_ended)
        s->ending = QP_INTERRUPTED;
    memcpy(s->kept, s->out->x, cells_of(s) * sizeof *s->kept);
    for (size_t i = 0; i < cells_of(s); i++)
        s->out->x[i] += ldexp(qp_matrix_value(&result.solution, i), exponent);
    qp_matrix_destroy(&result.solution);
    qp_poisson_measure(s);
    s->part = 1.0;
    if (s->ending == QP_INTERRUPTED && !(s->out->residual < before))
        shorten(s, exponent);
    s->is_back = !(s->out->residual < before);
    if (s->is_back) {
        memcpy(s->out->x, s->kept, cells_of(s) * sizeof *s->kept);
        qp_poisson_measure(s);
    }
    return QP_OK;
}

/* Rounds, as long as each gains enough; a single one where nothing is refined. */
static enum qp_status solve_rounds(struct qp_poisson *s)
{
    bool goes_on = s->out->residual > s->aim;
    while (goes_on) {
        const double before = s->out->residual;
        s->round++;
        const enum qp_status status = correct(s, margin * s->aim / before);
        if (status != QP_OK)
            return status;
        const bool cut = s->ending == QP_OUT_OF_STEPS && s->steps_before < s->most_steps;
        const bool may = s->ending == QP_CONVERGED || s->ending == QP_STAGNATED || cut;
        const bool gains = s->out->residual <= least_gain * before;
        if (may && !gains && !cut)
            s->ending = QP_STAGNATED;
        if (may && gains && s->steps_before >= s->most_steps)
            s->ending = QP_OUT_OF_STEPS;
        goes_on = s->refines && may && (gains || cut) && s->out->residual > s->aim &&
                  s->steps_before < s->most_steps;
    }
    return QP_OK;
}

/* ---- Beginning ---- */

/* In any precision f is rounded to float. */
static double floor_of(const struct qp_poisson *s)
{
    const bool is_double = qp_poisson_is_double(s->out->variant);
    return fmax(qp_poisson_floor(&s->problem, is_double), 0x1p-24);
}

static double steps_to(const struct qp_poisson *s, double factor)
{
    return s->method->plan(&s->problem, (struct qp_poisson5_goal){factor, s->nearest}).steps;
}

static enum qp_status allocate(struct qp_poisson *s)
{
    const size_t cells = cells_of(s);
    s->b = qp_alloc(cells, sizeof *s->b, "the right-hand side");
    s->residual = qp_alloc(cells, sizeof *s->residual, "the residual");
    s->bound = qp_alloc(cells, sizeof *s->bound, "the residual with its rounding");
    s->kept = qp_alloc(cells, sizeof *s->kept, "the iterate before a correction");
    s->out->x = qp_alloc_zero(cells, sizeof *s->out->x, "the solution");
    return s->b != NULL && s->residual != NULL && s->bound != NULL && s->kept != NULL &&
                   s->out->x != NULL
               ? QP_OK
               : QP_NO_MEMORY;
}

static enum qp_status prepare(struct qp_poisson *s)
{
    const struct qp_poisson_desc *desc = s->desc;
    enum qp_status status =
        qp_problem_allocate(&qp_op_poisson5, "field", desc->width, desc->height, 1, &s->problem);
    if (status == QP_OK)
        status = allocate(s);
    if (status == QP_OK)
        status = qp_poisson_fill_rhs(s);
    if (status != QP_OK)
        return status;
    s->problem.weight = s->out->weight = 1.0;
    s->out->width = desc->width;
    s->out->height = desc->height;
    qp_poisson_measure(s);
    s->first_residual = s->out->residual;
    fill_correction(s); /* rows are chosen for the problem that they will get */
    if ((status = qp_poisson_choose(s)) != QP_OK)
        return status;
    s->out->method = s->method->name;
    s->refines = desc->refine || above_floor * floor_of(s) > s->tolerance;
    s->aim = desc->refine ? fmin(s->tolerance, DBL_EPSILON) : s->tolerance;
    s->nearest = s->refines ? fmin(fmax(floor_of(s), least_round), weakest_round) : DBL_MIN;
    s->forecast = (int)fmin(steps_to(s, s->aim), INT_MAX);
    s->patience = (int)fmin(fmax(STAGNATION_STEPS, steps_to(s, exp(-1.0))), INT_MAX);
    return QP_OK;
}

static enum qp_status read_desc(struct qp_poisson *s)
{
    const struct qp_poisson_desc *desc = s->desc;
    const struct qp_style style = {
        .pingpong = desc->pingpong, .target = desc->target, .parts = desc->parts};
    s->most_steps = desc->most_steps > 0 ? desc->most_steps : DEFAULT_STEPS;
    const enum qp_status status = qp_check_ways(desc->most_steps, &style, desc->variant);
    return status == QP_OK ? qp_find_tolerance(desc->tolerance, &s->tolerance) : status;
}

static enum qp_status solve(struct qp_poisson *s)
{
    enum qp_status status = read_desc(s);
    if (status == QP_OK)
        status = prepare(s);
    if (status == QP_OK)
        status = qp_poisson_begin(s);
    if (status == QP_OK)
        status = solve_rounds(s);
    if (status == QP_OK)
        qp_poisson_finish(s);
    else
        qp_solution_destroy(s->out);
    free(s->b);
    free(s->residual);
    free(s->bound);
    free(s->kept);
    qp_matrix_destroy(&s->walked.x);
    qp_problem_destroy(&s->problem);
    return status;
}

enum qp_status qp_solve_poisson(struct qp_context *context, const struct qp_poisson_desc *desc,
                                struct qp_solution *out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, (struct qp_solution){0}) || QP_NEED(desc))
        return QP_BAD_USE;
    struct qp_poisson s = {.context = context,
                           .desc = desc,
                           .out = out,
                           .ending = QP_CONVERGED, /* where 0 is good enough */
                           .begin = qp_clock()};
    enum qp_status status = qp_call_begin(&call, context);
    if (status == QP_OK)
        status = solve(&s);
    qp_checkpoint_close(&s.checkpoint);
    return qp_call_end(&call, status);
}
