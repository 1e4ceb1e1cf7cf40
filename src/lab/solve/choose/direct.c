/* SPDX-License-Identifier: MIT */
/* Choice of a direct solver: whether it takes elimination's place, which one of those handed in,
 * and when an iteration is left for it. */
#include <math.h>

#include "lab/solve/choose/choice.h"
#include "lab/solve/choose/thresholds.h"
#include "lab/solve/preference.h"
#include "toolkit/base/status.h"

double qp_method_most_of_direct(const struct qp_choice *m)
{
    return fmin(fmax(qp_short_wait, qp_off * m->dense_seconds), QP_LONGEST_ELIMINATION);
}

void qp_method_hurry(struct qp_choice *m)
{
    m->at_once = true;
    m->most_seconds = fmin(
        m->most_seconds, fmax(qp_surely, qp_off * fmin(m->prospects.krylov, m->prospects.jacobi)));
}

void qp_method_look_at_krylov(struct qp_choice *m, const struct qp_progress *now)
{
    const struct qp_forecast *f = &m->forecast;
    const double entries = (double)m->system.rows.count,
                 products = m->system.choice.method == QP_KRYLOV_BICGSTAB ? 2.0 : 1.0,
                 pace = qp_pace_krylov(m->context, entries, products) -
                        qp_pace_krylov(m->context, entries, 0.0),
                 left = f->to_come * pace;
    m->leaves = m->may_eliminate && m->direct && f->since > 0 && f->step == now->step &&
                now->step > m->wait &&
                left > fmax(fmax(now->step * pace, qp_short_wait), 2.0 * m->direct_seconds);
    if (!m->leaves)
        return;
    m->wait = (int)qp_off * now->step;
    m->at_once = isfinite(left) && left <= m->dense_seconds;
    m->most_seconds = m->at_once ? left : qp_method_most_of_direct(m);
}

/* Leaves direct solvers of definite matrices out. */
static void leave_definite_out(struct qp_choice *m)
{
    while (m->own.direct != NULL && m->own.direct->definite)
        m->own.direct = m->own.direct->next;
}

void qp_method_go_on_indefinite(struct qp_choice *m)
{
    leave_definite_out(m);
    m->direct = m->own.direct != NULL;
    m->may_eliminate = m->direct || isfinite(m->dense_seconds);
    m->system.choice.method = QP_KRYLOV_MINRES;
    m->system.choice.precondition = QP_KRYLOV_JACOBI;
    m->multigrid = false;
    if (m->direct)
        qp_method_hurry(m);
}

static double expect(const struct qp_choice *m)
{
    return qp_pace_direct((double)m->matrix->count, (double)m->n, (double)m->out->sides);
}

/* Leaves out those of definite matrices where A is none, as far as can be seen, or is small. */
static void choose_direct(struct qp_choice *m)
{
    const struct qp_traits *traits = &m->system.traits;
    const bool small = !m->asked && m->own.direct->next != NULL && expect(m) < qp_loading;
    if (!m->own.direct->definite || small ||
        qp_krylov_system_make(m->matrix, &m->system) != QP_OK || !traits->definite ||
        traits->sign <= 0)
        leave_definite_out(m);
}

enum qp_status qp_method_need_direct(struct qp_choice *m)
{
    const char *name = m->own.direct->name;
    choose_direct(m);
    return m->own.direct != NULL
               ? QP_OK
               : qp_fail(QP_UNSUPPORTED,
                         "%s takes symmetric and positive definite matrices, and this one is none; "
                         "take another method",
                         name);
}

void qp_method_look_whether_direct_fits(struct qp_choice *m)
{
    const double seconds = expect(m);
    if (m->desc->direct == NULL || m->matrix->dense ||
        seconds > fmin(m->dense_seconds, QP_LONGEST_ELIMINATION))
        return;
    choose_direct(m);
    if (m->own.direct == NULL)
        return;
    m->may_eliminate = m->direct = true;
    m->direct_seconds = seconds;
    m->most_seconds = qp_method_most_of_direct(m);
}

bool qp_method_take_next_direct(struct qp_choice *m)
{
    const struct qp_direct *next = m->own.direct->next;
    if (next != NULL)
        qp_method_give_reason(m, "the host's %.40s was taken, for %.250s", next->name, qp_error());
    m->own.direct = next != NULL ? next : m->own.direct;
    return next != NULL;
}
