/* SPDX-License-Identifier: MIT */
/* Choice of the method for a system, and the other method if the first one fails. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/solve/choose/choice.h"
#include "lab/solve/choose/thresholds.h"
#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/iterate/iteration.h"
#include "lab/solve/preference.h"
#include "lab/solve/regular.h"
#include "lab/solve/solvers.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"

static struct qp_side *side_of(const struct qp_choice *m)
{
    return &m->out->side[m->at];
}

static const double *columns(const struct qp_choice *m, const double *values)
{
    return values != NULL ? values + (size_t)m->at * m->n : NULL;
}

/* Rules elimination out, with the last error as the reason. */
static void forbid_elimination(struct qp_choice *m, const char *obstacle)
{
    m->may_eliminate = false;
    snprintf(m->obstacle, sizeof m->obstacle, "%s", obstacle);
    snprintf(m->objection, sizeof m->objection, "%s", qp_error());
}

/* ---- Iteration, side by side ---- */

static bool look(void *user, const struct qp_progress *now)
{
    struct qp_choice *m = user;
    qp_forecast_look(&m->forecast, now);
    if (m->krylov)
        qp_method_look_at_krylov(m, now);
    else
        m->leaves = m->may_eliminate && m->forecast.leaves;
    if (m->leaves)
        qp_method_reason_to_leave(m, now->most_steps);
    return !m->leaves;
}

/* Begins a forecast, unless a checkpoint's goes on. */
static void begin_forecast(struct qp_choice *m)
{
    const double unknowns = (double)m->n, left = m->out->sides - m->at;
    if (qp_checkpoint_holds(m->checkpoint, "iteration"))
        return;
    m->leaves = false;
    m->forecast = (struct qp_forecast){0};
    const double dense = m->elimination != NULL && isfinite(m->dense_seconds)
                             ? (m->desc->refine ? QP_ELIMINATIONS_REFINED : 1) *
                                   qp_pace_elimination(m->context, m->elimination, unknowns, left)
                             : INFINITY;
    if (m->may_eliminate)
        m->forecast.elimination = fmin(dense, fmax(m->direct_seconds, qp_short_solve)) /
                                  qp_pace_step(m->context, unknowns) / left;
}

static void add_seconds(struct qp_side *side, double seconds, const double part[])
{
    side->seconds += seconds;
    for (int k = 0; k < QP_SOLVE_PARTS; k++)
        side->part[k] += part[k];
}

static void keep_iterate(struct qp_choice *m, const struct qp_solution *got, int digits)
{
    struct qp_side *side = side_of(m);
    memcpy(m->out->x + (size_t)m->at * m->n, got->x, m->n * sizeof *got->x);
    m->out->weight = got->weight;
    side->method = QP_ITERATION;
    side->variant = got->variant;
    side->ending = got->ending;
    side->steps += got->steps;
    side->solver = got->method;
    side->residual = got->residual;
    add_seconds(side, got->seconds, got->part);
    side->condition = NAN;
    side->digits = digits;
    m->regular = m->regular || digits >= 0;
    snprintf(side->sentence, sizeof side->sentence, "%s", got->sentence);
}

/* Goes on with the present side by conjugate gradients with cycles as their preconditioner. */
static enum qp_status precondition(struct qp_choice *m, const struct qp_solution *stalled)
{
    enum qp_status status = QP_OK;
    if (m->system.rows.rows == 0)
        status = qp_krylov_system_make(m->matrix, &m->system);
    m->system.choice =
        (struct qp_krylov_choice){.method = QP_KRYLOV_CG, .precondition = QP_KRYLOV_MULTIGRID};
    m->krylov = true;
    if (stalled != NULL)
        qp_method_reason_to_precondition(m, stalled);
    return status;
}

/* Adds to the sentence of conjugate gradients which cycles came before them. */
static void tell_cycles(struct qp_choice *m, int cycles)
{
    struct qp_side *side = side_of(m);
    const size_t length = strlen(side->sentence);
    if (m->multigrid && m->krylov && cycles > 0)
        snprintf(side->sentence + length, sizeof side->sentence - length,
                 "; %d cycles of multigrid alone came before, and gained too little", cycles);
}

/* Iterates the present side, from its start or from where it was left. *fails if elimination is to
 * take over. */
static enum qp_status iterate(struct qp_choice *m, bool *fails)
{
    struct qp_solution got;
    struct qp_solve_desc ways = *m->desc;
    char name[QP_ELIMINATOR];
    int digits;
    const int steps = side_of(m)->steps;
    const bool cycles = m->multigrid && !m->krylov, again = side_of(m)->variant != NULL;
    const double *start = again ? columns(m, m->out->x) : columns(m, m->start);
    begin_forecast(m);
    if (cycles)
        ways.method = "multigrid";
    enum qp_status status = QP_OK;
    if (m->multigrid && m->krylov && m->system.rows.rows == 0) /* resumed */
        status = precondition(m, NULL);
    if (status == QP_OK)
        status = qp_iterate(m->context, m->matrix, m->krylov ? &m->system : NULL, columns(m, m->b),
                            start, &ways, m->asked || cycles ? NULL : look, m, m->checkpoint, &got,
                            &digits);
    if (status != QP_OK)
        return status;
    keep_iterate(m, &got, digits);
    tell_cycles(m, steps);
    if (cycles && got.ending == QP_STAGNATED && m->context != NULL) {
        status = precondition(m, &got);
        qp_solution_destroy(&got);
        return status == QP_OK ? iterate(m, fails) : status;
    }
    const bool ended = got.ending != QP_CONVERGED && got.ending != QP_INTERRUPTED;
    const bool doubtful = got.ending == QP_CONVERGED && qp_method_may_host_look(m);
    *fails = m->may_eliminate && (m->leaves || ended || doubtful);
    if (*fails && m->direct && got.ending == QP_BREAKDOWN &&
        m->system.choice.method == QP_KRYLOV_CG)
        qp_method_go_on_indefinite(m);
    if (*fails && ended)
        qp_method_reason_to_go_on(m, &got, qp_method_eliminator(m, name));
    else if (*fails && !m->leaves)
        qp_method_give_reason(m,
                              "%s was taken, for iteration converged, but cannot tell whether the "
                              "matrix is singular",
                              qp_method_eliminator(m, name));
    else if (!*fails && !m->asked && !m->krylov && !cycles)
        qp_method_reason_to_iterate(m);
    const bool again_by_other = ended && !*fails && !m->asked && !m->krylov &&
                                m->system.rows.rows > 0; /* which was made where that can */
    if (again_by_other)
        qp_method_reason_to_go_on(m, &got, qp_krylov_name(m->system.choice.method));
    qp_solution_destroy(&got);
    m->krylov = m->krylov || again_by_other;
    return again_by_other ? iterate(m, fails) : QP_OK;
}

/* ---- Elimination of the present side and all later ones ---- */

/* Checks memory, textures and time. */
static void look_whether_elimination_fits(struct qp_choice *m)
{
    struct qp_dense_solution none = {.sides = m->out->sides};
    struct qp_dense asked = {.context = m->context,
                             .matrix = m->matrix,
                             .desc = m->desc,
                             .out = &none,
                             .sides = (size_t)m->out->sides + QP_ALL_PROBES};
    enum qp_status status = qp_dense_check_sides(m->matrix, m->b, m->out->sides);
    if (status == QP_OK)
        status = qp_dense_choose_variant(&asked);
    m->may_eliminate = true;
    m->elimination = none.variant;
    if (status != QP_OK) {
        forbid_elimination(m, "does not fit");
        return;
    }
    const double seconds =
        qp_pace_elimination(m->context, m->elimination, (double)m->n, (double)asked.sides);
    if (seconds > QP_LONGEST_ELIMINATION) {
        qp_fail(QP_UNSUPPORTED, "about %.1g hours on %s", seconds / 3600.0,
                qp_variant_draws(m->elimination) ? "this device" : "the processor");
        forbid_elimination(m, "would take too long");
        return;
    }
    m->dense_seconds = seconds;
}

/* Keeps the better x if the elimination did not converge: the iteration's may have the smaller
 * residual. */
static void keep_solution(struct qp_choice *m, const struct qp_dense_solution *got, int k)
{
    struct qp_side *side = &m->out->side[m->at + k];
    const struct qp_side before = *side, new = qp_dense_side(got, k);
    if (before.variant == NULL || new.residual <= before.residual) {
        *side = new;
        side->steps = before.steps;
        memcpy(m->out->x + (size_t)(m->at + k) * m->n, got->x + (size_t)k * m->n,
               m->n * sizeof *got->x);
        qp_method_keep_reason(m, side);
    } else {
        snprintf(side->reason, sizeof side->reason,
                 "iteration was taken, for elimination after it came no nearer: residual %.3g",
                 new.residual);
    }
    if (side->method == QP_ITERATION && side->ending == QP_INTERRUPTED)
        qp_method_tell_left(side, got->ending == QP_INTERRUPTED);
    side->eliminations = got->eliminations;
    side->seconds = before.seconds;
    memcpy(side->part, before.part, sizeof side->part);
    add_seconds(side, got->seconds, got->part);
}

/* True for refusals after which the iteration may go on: size, memory, the variant's limits; not a
 * singular matrix. */
static bool is_objection(const struct qp_choice *m, enum qp_status status)
{
    return status != QP_BAD_INPUT && status != QP_DEVICE && !qp_context_is_lost(m->context);
}

/* Gives the direct solver up, with its sentence; elimination by a variant is what is left. Where it
 * came before an iteration it was to be quick, and may still follow it. */
static void give_direct_up(struct qp_choice *m)
{
    if (m->at_once) {
        m->at_once = false;
        m->most_seconds = qp_method_most_of_direct(m);
        return;
    }
    m->direct = false;
    m->may_eliminate = isfinite(m->dense_seconds);
    m->direct_seconds = INFINITY;
    if (m->may_eliminate)
        qp_method_give_reason(m, "elimination was taken, for %.250s", qp_error());
    else
        forbid_elimination(m, "was refused");
}

static enum qp_status eliminate(struct qp_choice *m)
{
    const int left = m->out->sides - m->at;
    struct qp_dense_solution got;
    enum qp_status status =
        qp_eliminate(m->context, m->matrix, columns(m, m->b), left, false,
                     m->direct ? m->most_seconds : 0.0, m->desc, m->checkpoint, &got);
    const bool came_first = m->at_once;
    if (status == QP_UNSUPPORTED && m->direct && qp_method_take_next_direct(m))
        return eliminate(m);
    if (status != QP_OK && m->direct && !m->asked && is_objection(m, status)) {
        give_direct_up(m);
        if (m->may_eliminate && !came_first)
            return eliminate(m);
    }
    if (status != QP_OK)
        return status;
    for (int k = 0; k < left; k++)
        keep_solution(m, &got, k);
    m->regular |= got.regular;
    m->out->begun = m->out->sides;
    qp_dense_solution_destroy(&got);
    return QP_OK;
}

/* ---- Both ---- */

/* Goes on without elimination, with more steps if the iteration was left. */
static enum qp_status go_on(struct qp_choice *m, bool left)
{
    bool fails;
    const enum qp_status status = left ? iterate(m, &fails) : QP_OK;
    qp_method_reason_to_iterate(m);
    qp_method_keep_reason(m, side_of(m));
    return status;
}

/* Eliminates in place of an iteration that was left, or has failed. If elimination refuses, an
 * iteration that was left goes on. */
static enum qp_status take_over(struct qp_choice *m)
{
    const bool was_direct = m->direct, was_to_be_quick = m->at_once;
    enum qp_status status = eliminate(m);
    bool fails = false;
    if (status == QP_OK || !is_objection(m, status))
        return status;
    if (!was_to_be_quick)
        forbid_elimination(m, "was refused");
    if (m->krylov && was_direct && !m->asked) {
        m->system.choice.may_switch = !was_to_be_quick;
        qp_method_give_reason(m, "%s was taken, for %.250s",
                              qp_krylov_name(m->system.choice.method), qp_error());
        status = iterate(m, &fails);
        qp_method_keep_reason(m, side_of(m));
        return status == QP_OK && fails ? take_over(m) : status;
    }
    return m->krylov ? QP_OK : go_on(m, m->leaves);
}

/* Goes on with a side that a checkpoint has left after its first iteration. */
static enum qp_status take_up(struct qp_choice *m)
{
    if (m->out->begun == m->at)
        return QP_OK;
    if (qp_checkpoint_holds(m->checkpoint, "elimination"))
        return take_over(m);
    return qp_checkpoint_holds(m->checkpoint, "iteration") ? go_on(m, true) : QP_OK;
}

/* Eliminates from the first side on, since iteration cannot take the problem at all; or refuses,
 * where something was asked for that only iteration has. */
static enum qp_status take_other(struct qp_choice *m, enum qp_status refusal)
{
    const bool cannot = refusal == QP_BAD_INPUT || refusal == QP_UNSUPPORTED;
    if (m->at > 0)
        return qp_fail_within(refusal, "column %d", m->at + 1);
    if (!cannot || m->asked || qp_context_is_lost(m->context))
        return refusal;
    if (qp_method_asks_for_iteration(m)) {
        snprintf(m->objection, sizeof m->objection, "%s", qp_error());
        return qp_fail(refusal,
                       "%s; for elimination leave out what only iterations have: --x0, --weight, "
                       "--max-iterations, --grid",
                       m->objection);
    }
    qp_method_reason_to_look(m, qp_method_may_host_look(m) && (m->direct || m->out->width < 1));
    return eliminate(m);
}

static enum qp_status solve(struct qp_choice *m, bool eliminates);

/* Goes on, where multigrid refuses a matrix that nobody asked it to take, by what comes next. */
static enum qp_status take_next(struct qp_choice *m)
{
    m->multigrid = false;
    m->krylov = m->next_krylov;
    if (m->next_krylov || m->next_eliminates)
        qp_method_reason_of_prospects(m);
    return solve(m, m->next_eliminates);
}

static enum qp_status run(struct qp_choice *m)
{
    struct qp_answer *out = m->out;
    enum qp_status status = take_up(m);
    while (status == QP_OK && out->begun < out->sides &&
           (out->begun == 0 || !qp_is_interrupted(m->desc->interrupt))) {
        bool fails = false;
        m->at = out->begun;
        status = iterate(m, &fails);
        const bool refused = status == QP_BAD_INPUT || status == QP_UNSUPPORTED;
        if (refused && m->multigrid && !m->krylov && !m->asked && m->at == 0)
            return take_next(m);
        if (status == QP_UNSUPPORTED && m->krylov && !m->asked && m->at == 0) {
            m->krylov = false; /* the device cannot */
            status = iterate(m, &fails);
        }
        if (status != QP_OK)
            return take_other(m, status);
        out->begun++;
        if (fails)
            status = take_over(m);
        else
            qp_method_keep_reason(m, side_of(m));
    }
    return status;
}

/* Begins with elimination, or with an iteration. */
static enum qp_status solve(struct qp_choice *m, bool eliminates)
{
    const bool at_once = m->at_once;
    const enum qp_status status = eliminates || at_once ? eliminate(m) : run(m);
    if (status == QP_OK || m->at_once || !at_once)
        return status;
    qp_method_reason_of_prospects(m);
    return run(m);
}

/* ---- The end ---- */

/* Checks whether A is singular, after an iteration that was asked for by name. Errors: QP_BAD_INPUT
 * if it is. */
static enum qp_status look_whether_singular(struct qp_choice *m)
{
    struct qp_dense_solution got;
    const struct qp_solve_desc desc = {.interrupt = m->desc->interrupt};
    enum qp_status status =
        qp_eliminate(m->context, m->matrix, m->b, 1, false, 0.0, &desc, NULL, &got);
    m->regular = status == QP_OK && got.regular;
    qp_dense_solution_destroy(&got);
    return is_objection(m, status) || qp_may_be_singular(m->desc, status, m->singular) ? QP_OK
                                                                                       : status;
}

/* Ends a solve of a singular matrix: with an error if no side has an answer. */
static enum qp_status end_singular(struct qp_choice *m)
{
    enum qp_status all = QP_BAD_INPUT;
    for (int k = 0; k < m->out->begun; k++) {
        struct qp_side *side = &m->out->side[k];
        const enum qp_status status =
            qp_end_singular(m->singular, side->ending, side->residual, side->solver, side->sentence,
                            sizeof side->sentence);
        side->digits = -1;
        all = status == QP_OK ? QP_OK : all;
    }
    return all;
}

static void settle(struct qp_answer *out)
{
    for (int k = 0; k < out->begun; k++) {
        const struct qp_side *side = &out->side[k], *worst = &out->side[out->worst];
        const bool good = side->ending == QP_CONVERGED, all_good = worst->ending == QP_CONVERGED;
        out->converged += good;
        if (good != all_good ? all_good : side->residual > worst->residual)
            out->worst = k;
    }
}

/* Finds the grid of the unknowns, asked for or from the matrix, whichever method solves. */
static enum qp_status find_grid(struct qp_choice *m)
{
    struct qp_answer *out = m->out;
    out->width = m->desc->width;
    out->height = m->desc->height;
    if (out->width < 1) /* and so is the height */
        return qp_jacobi9_find_grid(m->matrix, &out->width, &out->height), QP_OK;
    return qp_jacobi9_check_grid(m->matrix, out->width, out->height);
}

static enum qp_status prepare(struct qp_choice *m)
{
    struct qp_answer *out = m->out;
    const size_t count = m->n * (size_t)out->sides;
    const double wanted = (double)out->sides * ((double)sizeof *out->side + 8.0 * (double)m->n),
                 there = 0.9 * qp_memory_for(wanted);
    if (wanted > there)
        return qp_fail(QP_BAD_INPUT, "%d right-hand side%s about %.1f GB, and may take %.1f%s",
                       out->sides, out->sides > 1 ? "s need" : " needs", wanted * 1e-9,
                       there * 1e-9, out->sides > 1 ? "; give fewer at a time" : "");
    out->side = qp_alloc_zero((size_t)out->sides, sizeof *out->side, "what became of each side");
    out->x = qp_alloc_zero(count, sizeof *out->x, "the solutions");
    if (out->side == NULL || out->x == NULL)
        return QP_NO_MEMORY;
    if (m->start != NULL)
        memcpy(out->x, m->start, count * sizeof *out->x);
    if (m->asked)
        qp_method_give_reason(m, "%s was asked for",
                              m->desc->variant != NULL ? m->desc->variant->name : m->desc->method);
    return QP_OK;
}

enum qp_status qp_choose_method(struct qp_context *context, const struct qp_market *matrix,
                                const double *b, int sides, const double *start,
                                const struct qp_solve_desc *desc, struct qp_checkpoint *checkpoint,
                                struct qp_answer *out)
{
    bool resumed, eliminates = false;
    *out = (struct qp_answer){.rows = matrix->rows, .sides = sides};
    struct qp_choice m = {.context = context,
                          .matrix = matrix,
                          .b = b,
                          .start = start,
                          .own = *desc,
                          .out = out,
                          .n = (size_t)matrix->rows,
                          .asked = desc->variant != NULL || desc->method != NULL,
                          .direct = qp_asks_for_direct(desc),
                          .direct_seconds = INFINITY,
                          .dense_seconds = INFINITY,
                          .most_seconds = INFINITY,
                          .checkpoint = checkpoint};
    m.desc = &m.own;
    enum qp_status status = prepare(&m);
    if (status == QP_OK)
        status = qp_look_whether_regular(matrix, &m.regular);
    if (status == QP_OK || qp_may_be_singular(desc, status, m.singular))
        status = find_grid(&m);
    if (status == QP_OK && !m.asked) {
        look_whether_elimination_fits(&m);
        qp_method_look_whether_direct_fits(&m);
    }
    if (status == QP_OK && m.asked && m.direct)
        status = qp_method_need_direct(&m);
    if (status == QP_OK)
        status = qp_method_look_ahead(&m, &eliminates);
    if (status == QP_OK)
        status = qp_checkpoint_enter(checkpoint, "system", qp_method_store, &m, &resumed);
    if (status == QP_OK)
        status = solve(&m, eliminates || qp_solver_of(desc->variant)->input == QP_ANY_MATRIX);
    qp_krylov_system_destroy(&m.system);
    if (status == QP_OK && qp_is_interrupted(desc->interrupt))
        status = qp_checkpoint_end(checkpoint);
    if (status == QP_OK && qp_method_may_host_look(&m) && !qp_is_interrupted(desc->interrupt))
        status = look_whether_singular(&m);
    if (status == QP_OK && m.singular[0] != '\0')
        status = end_singular(&m);
    else if (status == QP_OK && !m.regular)
        qp_method_tell_doubt(&m);
    if (status == QP_OK)
        settle(out);
    else
        qp_answer_destroy(out);
    return status;
}
