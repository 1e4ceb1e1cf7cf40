/* SPDX-License-Identifier: MIT */
/* Krylov methods with any square matrix: rounds of corrections, the residual of each in double on
 * the host. The device computes with a matrix that is scaled by its diagonal, so that neither the
 * units of rows nor those of unknowns matter. A plain solve takes the rounds that its tolerance
 * asks for, one in most cases. */
#include "lab/solve/iterate/sparse.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/solve/certain.h"
#include "lab/solve/iterate/iteration.h"
#include "lab/solve/preference.h"
#include "lab/solve/solvers.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/memory.h"

/* Rounds: a recurrence of float's carries five digits, of which the last may be lost to the
 * rounding of its sum. Where rounds are many, the norm that the device sees is another one than the
 * system's, and they go deeper than they are asked to. */
static const double nearest = 1e-5, margin = 0.5, deeper = 0.1, least_gain = 0.5;
enum { MANY = 3 };

/* ---- The system ---- */

enum qp_status qp_krylov_system_make(const struct qp_market *matrix, struct qp_krylov_system *out)
{
    /* Entries by rows in double, while they are sorted, and in float. */
    const double wanted = 44.0 * (double)matrix->count + 24.0 * (double)matrix->rows,
                 there = 0.9 * qp_memory_for(wanted);
    *out = (struct qp_krylov_system){.sign = 1.0};
    if (wanted > there)
        return qp_fail(
            QP_BAD_INPUT, "an iteration with %zu entr%s needs about %.1f GB, and may take %.1f",
            matrix->count, matrix->count == 1 ? "y" : "ies", wanted * 1e-9, there * 1e-9);
    enum qp_status status = qp_sparse_read(matrix, &out->rows);
    if (status == QP_OK)
        status = qp_traits_find(&out->rows, &out->traits);
    if (status != QP_OK)
        qp_krylov_system_destroy(out);
    return status;
}

void qp_krylov_system_destroy(struct qp_krylov_system *system)
{
    qp_krylov_destroy(&system->krylov);
    qp_preconditioner_destroy(&system->cycles);
    qp_sparse_destroy(&system->rows);
    free(system->units);
    *system = (struct qp_krylov_system){0};
}

/* Sets units that make every |a_ii| 1, or about 1 where all are alike: then nothing is rounded.
 * Without a diagonal to go by, one unit for all makes the largest entry about 1. */
static void set_units(struct qp_krylov_system *system)
{
    const struct qp_sparse *a = &system->rows;
    const bool by_diagonal =
        system->choice.precondition != QP_KRYLOV_NONE && system->traits.zero < 0;
    double least = INFINITY, most = 0.0;
    int exponent;
    for (int i = 0; i < a->rows; i++) {
        double own = 0.0;
        for (size_t k = a->first[i]; k < a->first[i + 1]; k++)
            own = !by_diagonal        ? fmax(own, fabs(a->given[k]))
                  : a->column[k] == i ? fabs(a->given[k])
                                      : own;
        least = fmin(least, own);
        most = fmax(most, own);
        system->units[i] = own > 0.0 ? 1.0 / sqrt(own) : 1.0;
    }
    frexp(most, &exponent);
    for (int i = 0; i < a->rows && (!by_diagonal || least == most); i++)
        system->units[i] = ldexp(1.0, -(exponent / 2));
    system->sign = system->traits.sign < 0 ? -1.0 : 1.0;
}

/* Refuses a row whose largest entry, in the units, float does not hold: beside the diagonal, or
 * beside the largest of all entries where one unit is that of all. */
static enum qp_status check_range(const struct qp_sparse *a)
{
    double others = 0.0;
    for (size_t k = 0; k < a->count; k++)
        others = fmax(others, fabs(a->given[k]));
    for (int i = 0; i < a->rows; i++) {
        size_t most = a->first[i];
        for (size_t k = most; k < a->first[i + 1]; k++)
            most = fabs(a->given[k]) > fabs(a->given[most]) ? k : most;
        const float value = most < a->first[i + 1] ? fabsf(a->value[most]) : 1.0f;
        if (value >= FLT_MIN && value <= FLT_MAX)
            continue;
        for (size_t k = a->first[i]; k < a->first[i + 1] && value > 1.0f; k++)
            others = a->column[k] == i ? fabs(a->given[k]) : others;
        return qp_fail(QP_BAD_INPUT,
                       "row %d, column %d holds %g, and %s %g: the range inside the matrix is too "
                       "wide for float; elimination scales rows and columns",
                       i + 1, a->column[most] + 1, a->given[most],
                       value > 1.0f ? "the diagonal of its row" : "the largest entry is", others);
    }
    return QP_OK;
}

static enum qp_status scale(struct qp_krylov_system *system)
{
    if (system->units != NULL)
        return QP_OK;
    system->units = qp_alloc((size_t)system->rows.rows, sizeof *system->units, "units of rows");
    if (system->units == NULL)
        return QP_NO_MEMORY;
    set_units(system);
    qp_sparse_scale(&system->rows, system->units);
    for (size_t k = 0; k < system->rows.count && system->sign < 0.0; k++)
        system->rows.value[k] = -system->rows.value[k];
    return check_range(&system->rows);
}

static bool has_cycles(const struct qp_iteration *s)
{
    return s->by == QP_KRYLOV_CG && s->system->choice.precondition == QP_KRYLOV_MULTIGRID;
}

/* Makes the present method's programs and arrays. */
static enum qp_status open(struct qp_iteration *s)
{
    struct qp_krylov_system *system = s->system;
    const double begin = qp_clock();
    enum qp_status status = QP_OK;
    if (has_cycles(s) && system->cycles == NULL)
        status = qp_preconditioner_make(s->matrix, s->desc->width, s->desc->height, system->units,
                                        &system->cycles);
    if (status != QP_OK)
        return status;
    struct qp_sparse inverse = {0};
    const struct qp_krylov_desc desc = {
        .context = s->context,
        .matrix = &system->rows,
        .method = (enum qp_krylov_method)s->by,
        .precondition = s->by == QP_KRYLOV_CG ? system->choice.precondition : QP_KRYLOV_JACOBI,
        .layout = system->choice.layout,
        .cuda = system->choice.cuda,
        .apply = qp_preconditioner_apply,
        .user = system->cycles,
        .inverse = &inverse};
    if (system->krylov == NULL || system->made != desc.method) {
        qp_krylov_destroy(&system->krylov);
        if (desc.precondition == QP_KRYLOV_BLOCKS)
            status = qp_blocks_invert(&system->rows, &inverse);
        if (status == QP_OK)
            status = qp_krylov_create(&desc, &system->krylov);
        qp_sparse_destroy(&inverse);
        system->made = desc.method;
    }
    if (status == QP_OK) {
        s->state = (int)qp_krylov_state_size(system->krylov);
        s->out->variant = qp_krylov_variant(system->krylov);
        s->out->method = qp_krylov_name(desc.method);
    }
    s->out->part[QP_COMPILING] += qp_clock() - begin;
    return status;
}

/* ---- Beginning ---- */

static enum qp_status prepare(struct qp_iteration *s)
{
    if (s->context == NULL && !s->system->choice.cuda)
        return qp_fail(QP_UNSUPPORTED, "%s computes by OpenGL, and no device is open",
                       qp_krylov_name(s->system->choice.method));
    s->refines = true;
    s->by = (int)s->system->choice.method;
    s->broken_after = -1;
    s->margin = margin;
    s->nearest = nearest;
    s->gain = least_gain;
    s->scale = 1.0;
    s->problem.width = s->matrix->rows;
    s->problem.height = 1;
    enum qp_status status = qp_iteration_read_desc(s);
    if (status == QP_OK)
        status = qp_iteration_allocate_matrix(s);
    if (status == QP_OK)
        status = qp_matrix_create(s->problem.width, 1, &s->problem.field[0]);
    if (status != QP_OK)
        return status;
    s->rhs = &s->problem.field[0];
    s->out->width = s->out->height = 0;
    s->patience = (int)fmin(fmax(QP_STAGNATION_STEPS, 5.0 * sqrt((double)s->n)), INT_MAX);
    status = qp_iteration_set_vectors(s);
    if (status == QP_OK)
        status = scale(s->system);
    if (status != QP_OK)
        return status;
    s->units = s->system->units;
    s->scale = s->system->sign;
    qp_iteration_start(s);
    return open(s);
}

/* ---- Rounds ---- */

/* Looks at a run: its progress, and whether a checkpoint is due. */
static bool look(void *user, int step, double residual)
{
    struct qp_iteration *s = user;
    bool continues = qp_iteration_watch(s, step, residual);
    if (!qp_checkpoint_is_due(s->checkpoint))
        return continues;
    struct qp_matrix state = {0};
    s->written = qp_matrix_create(s->state, 1, &state);
    if (s->written == QP_OK)
        s->written = qp_krylov_save(s->system->krylov, state.values);
    continues = s->written == QP_OK && qp_iteration_keep_state(s, step, &state) && continues;
    qp_matrix_destroy(&state);
    return continues;
}

static void settle_ending(struct qp_iteration *s)
{
    static const enum qp_ending endings[] = {
        [QP_KRYLOV_TARGET] = QP_CONVERGED,    [QP_KRYLOV_OUT_OF_STEPS] = QP_OUT_OF_STEPS,
        [QP_KRYLOV_STOPPED] = QP_INTERRUPTED, [QP_KRYLOV_CURVATURE] = QP_BREAKDOWN,
        [QP_KRYLOV_RHO] = QP_BREAKDOWN,       [QP_KRYLOV_OMEGA] = QP_BREAKDOWN,
        [QP_KRYLOV_DIVERGING] = QP_DIVERGING};
    if (s->why == QP_KRYLOV_STOPPED && s->has_ended)
        return; /* by watch, which knows why */
    s->ending = endings[s->why];
    s->has_ended = s->why != QP_KRYLOV_STOPPED;
}

/* Steps from look to look at most: half a second's, and so few that stagnation shows in several
 * looks, for the residual of conjugate gradients goes up and down. */
static int rarest_look(const struct qp_iteration *s)
{
    enum { LOOKS = 8 };
    const double entries = (double)s->system->rows.count;
    const int steps = qp_pace_looks(s->context, s->system->choice.cuda, entries);
    return steps < s->patience / LOOKS ? steps : s->patience / LOOKS;
}

/* Walks a round by a run on the device. */
static enum qp_status run(struct qp_iteration *s, int steps, struct qp_result *result)
{
    struct qp_krylov_result got;
    enum qp_status status = open(s); /* which a checkpoint may have left by another method */
    if (status != QP_OK)
        return status;
    struct qp_krylov *krylov = s->system->krylov;
    s->target *= s->round > MANY ? deeper : 1.0;
    const struct qp_krylov_run run = {.r = s->walked.step == 0 ? s->rhs->values : NULL,
                                      .target = s->target,
                                      .most_steps = steps,
                                      .every = has_cycles(s) ? 1 : 0,
                                      .rarely = rarest_look(s),
                                      .look = look,
                                      .user = s,
                                      .interrupt = s->desc->interrupt};
    *result = (struct qp_result){0};
    if (s->walked.step > 0 && s->walked.x.width != s->state)
        return qp_fail(QP_BAD_INPUT, "the checkpoint's state is none of %s here", s->out->method);
    status = s->walked.step > 0 ? qp_krylov_restore(krylov, s->walked.x.values) : QP_OK;
    if (status == QP_OK)
        status = qp_krylov_run(krylov, &run, &got);
    if (status == QP_OK)
        status = qp_matrix_create(s->problem.width, 1, &result->solution);
    if (status == QP_OK)
        status = qp_krylov_answer(krylov, result->solution.values);
    if (status != QP_OK)
        return status;
    result->iterations = got.steps;
    s->why = (int)got.ending;
    settle_ending(s);
    return QP_OK;
}

/* Goes on after a breakdown: as MINRES where CG was nobody's wish, or from where it is now, as long
 * as that gains. */
static bool corrects(struct qp_iteration *s, bool gains)
{
    const bool broken = s->ending == QP_BREAKDOWN || s->ending == QP_DIVERGING;
    if (!broken || s->by == QP_KRYLOV_BICGSTAB || s->by == QP_KRYLOV_MINRES)
        return broken && gains;
    if (!s->system->choice.may_switch)
        return false;
    s->broken_after = s->steps_before;
    s->by = QP_KRYLOV_MINRES;
    s->is_back = false;
    return open(s) == QP_OK;
}

/* ---- Outcome ---- */

static const char *const broken[] = {
    [QP_KRYLOV_CURVATURE] = "p'Ap is not positive: the matrix is not positive definite, or float "
                            "cannot tell that it is",
    [QP_KRYLOV_RHO] = "rho = 0, for the residual or A times it is at right angles to four others",
    [QP_KRYLOV_OMEGA] = "A times the residual is zero",
    [QP_KRYLOV_DIVERGING] = "the residual grew without end"};

#define OTHERS "leave --method out, and another one may take over"
#define FLOATS "corrections in float gain nothing more"

static const char *advise(const struct qp_iteration *s)
{
    const bool asked = s->desc->method != NULL || s->desc->variant != NULL;
    const enum qp_ending ending = s->out->ending;
    const bool gains = ending != QP_BREAKDOWN && ending != QP_DIVERGING && ending != QP_STAGNATED;
    if (s->system->traits.skew && !gains)
        return "steps of bicgstab gain nothing where A' = -A; solve A'A x = A'b by cg, or "
               "eliminate";
    switch (ending) {
    case QP_BREAKDOWN:
    case QP_DIVERGING:
        return asked ? OTHERS : "another start (--x0) may go further";
    case QP_STAGNATED:
        return s->desc->refine ? qp_iteration_advise(s) : asked ? FLOATS "; " OTHERS : FLOATS;
    default:
        return qp_iteration_advise(s);
    }
}

static int steps_of_proof(const struct qp_iteration *s)
{
    const double cg = s->broken_after > 0 ? s->broken_after : 0.0;
    const double products = (s->by == QP_KRYLOV_BICGSTAB ? 2.0 : 1.0) * (s->steps_before - cg) + cg;
    return qp_pace_proof(s->context, (double)s->system->rows.count, (double)s->n, products);
}

static int report(struct qp_iteration *s, struct qp_outcome *o)
{
    struct qp_solution *out = s->out;
    const int own = out->steps - (s->broken_after > 0 ? s->broken_after : 0);
    char before[200] = "", rounds[32] = "", why[160] = "";
    o->advice = advise(s);
    const int digits =
        out->ending == QP_CONVERGED ? qp_iteration_certify(s, steps_of_proof(s), -1, o) : -1;
    out->rounds = s->round;
    out->seconds = qp_clock() - s->begin - out->part[QP_COMPILING];
    if (s->round > 1)
        snprintf(rounds, sizeof rounds, " in %d rounds", s->round);
    if (s->broken_after >= 0)
        snprintf(before, sizeof before, "%d of cg, which broke down (%s), and ", s->broken_after,
                 broken[QP_KRYLOV_CURVATURE]);
    if (out->ending == QP_BREAKDOWN)
        snprintf(why, sizeof why, ", where %s", broken[s->why]);
    snprintf(o->where, sizeof o->where, "residual %.3g after %s%d step%s of %s%s%s in %.3g s%s",
             out->residual, before, own, own == 1 ? "" : "s", out->method,
             has_cycles(s) ? " with cycles of multigrid" : "", rounds, out->seconds, why);
    return digits;
}

const struct qp_equation qp_sparse_equation = {.part = "iteration",
                                               .usual_steps = 100000,
                                               .prepare = prepare,
                                               .measure = qp_iteration_measure,
                                               .plan = qp_iteration_plan,
                                               .walk = run,
                                               .accepts = qp_iteration_accepts,
                                               .corrects = corrects,
                                               .report = report};
