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

enum { DEFAULT_STEPS = 10000000 };

/* A round makes the residual smaller by this at least, however near the floor of the row's precision is; and a solve is
 * refined where its tolerance is nearer to the floor than this. */
static const double weakest_round = 0.25, above_floor = 4.0;
/* And no smaller than this, for its right-hand side is rounded to float. */
static const double least_round = 0x1p-20;
/* A round that leaves more of the residual is the last: cycles leave half of it at most. */
static const double least_gain = 0.75;
/* Part of the tolerance that the last round aims for: a correction's right-hand side is rounded, too. */
static const double margin = 0.9;

/* ---- Steps on the device, by walks ---- */

/* The course of one walk, of no more steps than are left; a list gets shorter cycles if need be. */
static struct qp_poisson5_course plan(const struct qp_iteration *s, double factor)
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
static enum qp_status walk_to(struct qp_iteration *s, double factor, struct qp_result *result)
{
    const struct qp_poisson5_course course = plan(s, factor);
    double *values = qp_alloc((size_t)course.cycle + 1, sizeof *values, "the steps' weights");
    struct qp_weights weights = {.value = values, .count = course.cycle};
    if (values == NULL)
        return QP_NO_MEMORY;
    if (course.cycle > 0)
        s->method->fill(&s->problem, course.cycle, values);
    s->ending = s->method->fill != NULL && !course.is_cut ? QP_CONVERGED : QP_OUT_OF_STEPS;
    s->problem.weight = s->out->weight = course.weight;
    s->target = fmax(s->nearest, factor);
    s->unit = s->out->residual;
    const enum qp_status status =
        qp_iteration_walk(s, course.walk, course.cycle > 0 ? &weights : NULL, result);
    free(values);
    return status;
}

/* ---- Corrections ---- */

static int fill_correction(struct qp_iteration *s)
{
    const double h = qp_poisson5_h(&s->problem);
    return qp_iteration_fill(s, &s->problem.field[QP_POISSON5_F], h * h);
}

/* A cycle that was cut short may leave more than there was. The multiple of it that leaves least, by the residuals r
 * before and r' after the correction: <r, r - r'> / |r - r'|^2. */
static double best_part(const struct qp_iteration *s, int exponent)
{
    const double h = qp_poisson5_h(&s->problem);
    const float *f = s->problem.field[QP_POISSON5_F].values; /* r / (p h^2) */
    double along = 0.0, square = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const double before = h * h * f[i];
        const double change = before - ldexp(s->residual[i], -exponent);
        along += before * change;
        square += change * change;
    }
    return along / square;
}

/* Takes as much of the correction under way as is best. */
static void shorten(struct qp_iteration *s, int exponent)
{
    double *x = s->out->x;
    s->part = best_part(s, exponent);
    for (size_t i = 0; i < s->n; i++)
        x[i] = s->kept[i] + s->part * (x[i] - s->kept[i]);
    qp_poisson_measure(s);
}

/* Walks a correction towards `factor` and adds it to x in double. If the residual grew it is taken back, or shortened
 * where an interrupt is the reason. */
static enum qp_status correct(struct qp_iteration *s, double factor)
{
    const double before = s->out->residual;
    const int exponent = fill_correction(s);
    struct qp_result result;
    const enum qp_status status = walk_to(s, factor, &result);
    if (status != QP_OK || result.solution.width == 0)
        return status;
    qp_iteration_add(s, &result.solution, exponent);
    qp_poisson_measure(s);
    s->part = 1.0;
    if (s->ending == QP_INTERRUPTED && !(s->out->residual < before))
        shorten(s, exponent);
    s->is_back = !(s->out->residual < before);
    if (s->is_back) {
        memcpy(s->out->x, s->kept, s->n * sizeof *s->kept);
        qp_poisson_measure(s);
    }
    return QP_OK;
}

/* Rounds, as long as each gains enough; a single one where nothing is refined. */
static enum qp_status solve_rounds(struct qp_iteration *s)
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
static double floor_of(const struct qp_iteration *s)
{
    const bool is_double = qp_poisson_is_double(s->out->variant);
    return fmax(qp_poisson_floor(&s->problem, is_double), 0x1p-24);
}

static double steps_to(const struct qp_iteration *s, double factor)
{
    return s->method->plan(&s->problem, (struct qp_poisson5_goal){factor, s->nearest}).steps;
}

static enum qp_status prepare(struct qp_iteration *s)
{
    const struct qp_poisson_desc *desc = s->equation;
    enum qp_status status =
        qp_problem_allocate(&qp_op_poisson5, "field", desc->width, desc->height, 1, &s->problem);
    if (status == QP_OK)
        status = qp_iteration_allocate(s, 0);
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
    /* no fewer steps than one e-fold takes */
    s->patience = (int)fmin(fmax(QP_STAGNATION_STEPS, steps_to(s, exp(-1.0))), INT_MAX);
    return QP_OK;
}

static enum qp_status read_desc(struct qp_iteration *s)
{
    const struct qp_poisson_desc *desc = s->equation;
    const struct qp_style style = {
        .pingpong = desc->pingpong, .target = desc->target, .parts = desc->parts};
    s->most_steps = desc->most_steps > 0 ? desc->most_steps : DEFAULT_STEPS;
    const enum qp_status status = qp_check_ways(desc->most_steps, &style, desc->variant);
    return status == QP_OK ? qp_find_tolerance(desc->tolerance, &s->tolerance) : status;
}

static void add_facts(struct qp_iteration *s)
{
    struct qp_checkpoint *c = s->checkpoint;
    const struct qp_poisson_desc *desc = s->equation;
    qp_checkpoint_add_text(c, "operation", qp_op_poisson5.name);
    qp_checkpoint_add_number(c, "width of the grid", desc->width);
    qp_checkpoint_add_number(c, "height of the grid", desc->height);
    qp_checkpoint_add_text(c, "method", s->method->name);
    qp_checkpoint_add_text(c, "variant", s->out->variant->name);
    qp_checkpoint_add_number(c, "tolerance", s->tolerance);
    qp_checkpoint_add_number(c, "largest number of steps", s->most_steps);
    qp_checkpoint_add_text(c, "refinement", desc->refine ? "on" : "off");
    qp_checkpoint_add_style(c, desc->pingpong, desc->target);
    qp_checkpoint_add_values(c, "right-hand side", s->b, s->n);
}

/* Opens checkpoints, and takes up the state in the file to go on from, in the middle of a round. */
static enum qp_status begin(struct qp_iteration *s)
{
    bool resumed;
    enum qp_status status =
        qp_checkpoint_make(s->equation->checkpoint, s->equation->every, s->equation->resume,
                           s->equation->interrupt, s->checkpoint);
    if (status != QP_OK || !qp_checkpoint_is_wanted(s->checkpoint))
        return status;
    add_facts(s);
    status = qp_checkpoint_open(s->checkpoint);
    if (status == QP_OK)
        status = qp_checkpoint_enter(s->checkpoint, "poisson5", qp_iteration_store, s, &resumed);
    if (status == QP_OK && resumed) {
        s->round--; /* which is counted when it begins */
        qp_poisson_measure(s);
    }
    return status;
}

static enum qp_status solve(struct qp_iteration *s)
{
    enum qp_status status = read_desc(s);
    if (status == QP_OK)
        status = prepare(s);
    if (status == QP_OK)
        status = begin(s);
    if (status == QP_OK)
        status = solve_rounds(s);
    if (status == QP_OK)
        qp_poisson_finish(s);
    else
        qp_solution_destroy(s->out);
    qp_iteration_destroy(s);
    return status;
}

enum qp_status qp_solve_poisson(struct qp_context *context, const struct qp_poisson_desc *desc,
                                struct qp_solution *out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, (struct qp_solution){0}) || QP_NEED(desc))
        return QP_BAD_USE;
    struct qp_checkpoint checkpoint = {0};
    const struct qp_solve_desc ways = {.pingpong = desc->pingpong,
                                       .target = desc->target,
                                       .parts = desc->parts,
                                       .interrupt = desc->interrupt,
                                       .on_progress = desc->on_progress,
                                       .user = desc->user};
    struct qp_iteration s = {.context = context,
                             .desc = &ways,
                             .equation = desc,
                             .out = out,
                             .checkpoint = &checkpoint,
                             .ending = QP_CONVERGED, /* where 0 is good enough */
                             .begin = qp_clock()};
    enum qp_status status = qp_call_begin(&call, context);
    if (status == QP_OK)
        status = solve(&s);
    qp_checkpoint_close(&checkpoint);
    return qp_call_end(&call, status);
}
