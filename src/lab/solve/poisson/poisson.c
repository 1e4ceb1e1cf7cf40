/* SPDX-License-Identifier: MIT */
/* Poisson's equation by steps on the device, and corrections on the host. The problem of a walk
 * holds f in float, so a variant in double takes two rounds, too, where that is not enough. */

#include <float.h>
#include <limits.h>
#include <math.h>

#include "lab/plan/problem.h"
#include "lab/solve/poisson/poisson.h"
#include "lab/walk/description.h"
#include "toolkit/base/caller.h"
#include "toolkit/gl/call.h"

/* Least gain of a round: it makes the residual smaller by this factor, however near the floor of
 * the variant's precision is. A solve is refined where its tolerance is nearer to the floor than
 * the second factor. */
static const double weakest_round = 0.25, above_floor = 4.0;
/* Most gain of a round, whose right-hand side is rounded to float. */
static const double least_round = 0x1p-20;
/* Last round: one that leaves more of the residual than this. Cycles leave half of it at most. */
static const double least_gain = 0.75;
/* Part of the tolerance that the last round aims for: a correction's right-hand side is rounded,
 * too. */
static const double margin = 0.9;

/* ---- Rounds ---- */

/* Plans a walk by the method, in shorter cycles if few steps are left. */
static struct qp_poisson5_course plan(const struct qp_iteration *s, double factor)
{
    if (s->cycles)
        return qp_cycles_plan(s, factor);
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

/* Best multiple of a correction, as a cycle that was cut short may leave more than there was: by
 * the residuals r before and r' after the correction <r, r - r'> / |r - r'|^2. */
static double best_part(const struct qp_iteration *s)
{
    const float *f = s->rhs->values; /* r / (p h^2) */
    double along = 0.0, square = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const double before = s->scale * f[i];
        const double change = before - ldexp(s->residual[i], -s->exponent);
        along += before * change;
        square += change * change;
    }
    return along / square;
}

/* Takes the best part of the present correction. */
static void shorten(struct qp_iteration *s)
{
    double *x = s->out->x;
    s->part = best_part(s);
    for (size_t i = 0; i < s->n; i++)
        x[i] = s->kept[i] + s->part * (x[i] - s->kept[i]);
    qp_poisson_measure(s);
}

/* False if the residual did not fall; an interrupted correction is shortened before that. */
static bool accepts(struct qp_iteration *s, double before)
{
    if (s->cycles)
        return qp_cycles_accept(s, before);
    s->part = 1.0;
    if (s->ending == QP_INTERRUPTED && !(s->out->residual < before))
        shorten(s);
    s->is_back = !(s->out->residual < before);
    return !s->is_back;
}

/* ---- Beginning ---- */

/* Floor of the residual; f is rounded to float in any precision. */
static double floor_of(const struct qp_iteration *s)
{
    const bool is_double = qp_poisson_is_double(s->out->variant);
    return fmax(qp_poisson_floor(&s->problem, is_double), 0x1p-24);
}

static double steps_to(const struct qp_iteration *s, double factor)
{
    return s->method->plan(&s->problem, (struct qp_poisson5_goal){factor, s->nearest}).steps;
}

static enum qp_status make_problem(struct qp_iteration *s)
{
    const struct qp_poisson_desc *desc = s->poisson;
    enum qp_status status =
        qp_problem_allocate(&qp_op_poisson5, "field", desc->width, desc->height, 1, &s->problem);
    if (status == QP_OK)
        status = qp_iteration_allocate(s, 0);
    const double h = qp_poisson5_h(&s->problem);
    s->problem.weight = 1.0;
    s->rhs = &s->problem.field[QP_POISSON5_F];
    s->scale = h * h;
    return status == QP_OK ? qp_poisson_fill_rhs(s) : status;
}

/* Sets the numbers that steer rounds. */
static void steer(struct qp_iteration *s)
{
    s->out->method = s->method->name;
    s->refines = s->desc->refine || above_floor * floor_of(s) > s->tolerance;
    s->margin = margin;
    s->nearest = s->refines ? fmin(fmax(floor_of(s), least_round), weakest_round) : DBL_MIN;
    s->gain = least_gain;
    s->forecast = (int)fmin(steps_to(s, s->aim), INT_MAX);
    /* no fewer steps than one e-fold takes */
    s->patience = (int)fmin(fmax(QP_STAGNATION_STEPS, steps_to(s, exp(-1.0))), INT_MAX);
}

/* Opens checkpoints, whose facts name the method and the variant. */
static enum qp_status open_checkpoint(struct qp_iteration *s)
{
    struct qp_checkpoint *c = s->checkpoint;
    const struct qp_solve_desc *desc = s->desc;
    const enum qp_status status =
        qp_checkpoint_make(desc->checkpoint, desc->every, desc->resume, desc->interrupt, c);
    if (status != QP_OK || !qp_checkpoint_is_wanted(c))
        return status;
    qp_checkpoint_add_text(c, "operation", qp_op_poisson5.name);
    qp_checkpoint_add_number(c, "width of the grid", s->out->width);
    qp_checkpoint_add_number(c, "height of the grid", s->out->height);
    qp_checkpoint_add_text(c, "method", s->out->method);
    qp_checkpoint_add_text(c, "variant", s->out->variant->name);
    qp_checkpoint_add_number(c, "tolerance", s->tolerance);
    qp_checkpoint_add_number(c, "largest number of steps", s->most_steps);
    qp_checkpoint_add_text(c, "refinement", desc->refine ? "on" : "off");
    qp_checkpoint_add_style(c, desc->pingpong, desc->target);
    qp_checkpoint_add_values(c, "right-hand side", s->b, s->n);
    return qp_checkpoint_open(c);
}

static enum qp_status prepare(struct qp_iteration *s)
{
    const struct qp_solve_desc *desc = s->desc;
    const struct qp_style style = {
        .pingpong = desc->pingpong, .target = desc->target, .parts = desc->parts};
    enum qp_status status = qp_check_ways(desc->most_steps, &style, desc->variant);
    if (status == QP_OK)
        status = qp_iteration_read_desc(s);
    if (status == QP_OK)
        status = make_problem(s);
    if (status != QP_OK)
        return status;
    qp_iteration_start(s);
    const bool cycles = qp_poisson_takes_cycles(s);
    status = cycles ? qp_poisson_take_cycles(s) : qp_poisson_choose(s);
    if (status != QP_OK)
        return status;
    if (!cycles)
        steer(s);
    return open_checkpoint(s);
}

static const struct qp_equation poisson = {.part = "poisson5",
                                           .usual_steps = 10000000,
                                           .prepare = prepare,
                                           .measure = qp_poisson_measure,
                                           .plan = plan,
                                           .accepts = accepts,
                                           .report = qp_poisson_report};

enum qp_status qp_solve_poisson(struct qp_context *context, const struct qp_poisson_desc *desc,
                                struct qp_solution *out)
{
    struct qp_call call;
    int digits;
    if (QP_NEED_OUT(out, (struct qp_solution){0}) || QP_NEED(desc))
        return QP_BAD_USE;
    struct qp_checkpoint checkpoint = {0};
    const struct qp_solve_desc ways = {.variant = desc->variant,
                                       .tolerance = desc->tolerance,
                                       .most_steps = desc->most_steps,
                                       .refine = desc->refine,
                                       .pingpong = desc->pingpong,
                                       .target = desc->target,
                                       .parts = desc->parts,
                                       .interrupt = desc->interrupt,
                                       .on_progress = desc->on_progress,
                                       .user = desc->user,
                                       .checkpoint = desc->checkpoint,
                                       .every = desc->every,
                                       .resume = desc->resume};
    struct qp_iteration s = {.equation = &poisson,
                             .context = context,
                             .desc = &ways,
                             .poisson = desc,
                             .checkpoint = &checkpoint,
                             .out = out};
    enum qp_status status = qp_call_begin(&call, context);
    if (status == QP_OK)
        status = qp_iteration_solve(&s, &digits);
    if (status == QP_OK)
        qp_checkpoint_tell(&checkpoint, out->variant, out->sentence, sizeof out->sentence);
    qp_checkpoint_close(&checkpoint);
    return qp_call_end(&call, status);
}
