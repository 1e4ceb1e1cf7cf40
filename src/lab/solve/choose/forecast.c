/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "lab/solve/choose/choice.h"
#include "lab/solve/choose/thresholds.h"
#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/preference.h"

/* Prospects of the Krylov method of the system's choice. */
static struct qp_prospects expect(const struct qp_choice *m)
{
    const struct qp_krylov_system *system = &m->system;
    const struct qp_traits *traits = &system->traits;
    const double n = (double)m->n, entries = (double)system->rows.count,
                 sides = (double)m->out->sides,
                 tolerance = m->desc->tolerance > 0.0 ? m->desc->tolerance : 1e-5,
                 factor = m->desc->refine ? DBL_EPSILON : fmin(tolerance, 0.5);
    struct qp_prospects p = {.jacobi = INFINITY,
                             .krylov = INFINITY,
                             .elimination = INFINITY,
                             .direct = m->direct_seconds,
                             .multigrid = INFINITY,
                             .steps = qp_traits_krylov_steps(traits, factor),
                             .cycles = ceil(-log10(factor))};
    const double products = (system->choice.method == QP_KRYLOV_BICGSTAB ? 2.0 : 1.0) * p.steps;
    if (traits->zero < 0 || system->choice.method == QP_KRYLOV_MINRES)
        p.krylov = qp_pace_krylov(m->context, entries, sides * products);
    if (traits->zero < 0 && m->out->width > 0)
        p.jacobi = sides * qp_pace_jacobi(m->context, n, qp_traits_jacobi_steps(traits, factor));
    if (m->out->width > 0 && traits->definite && traits->sign > 0 &&
        traits->dominance <= qp_rough && m->n >= QP_LEAST_GRID)
        p.multigrid = sides * qp_pace_multigrid(m->context, n, p.cycles);
    if (isfinite(m->dense_seconds))
        p.elimination = (m->desc->refine ? QP_ELIMINATIONS_REFINED : 1) *
                        qp_pace_elimination(m->context, m->elimination, n, sides);
    return p;
}

/* Chooses CG's polynomial for many steps of short passes. */
static void choose_polynomial(struct qp_choice *m, double steps)
{
    if (m->system.choice.method == QP_KRYLOV_CG && steps > QP_MANY_STEPS &&
        qp_pace_is_of_passes(m->context, (double)m->system.rows.count))
        m->system.choice.precondition = QP_KRYLOV_POLYNOMIAL;
}

bool qp_method_asks_for_iteration(const struct qp_choice *m)
{
    return m->start != NULL || m->desc->weight > 0.0 || m->desc->most_steps > 0 ||
           m->desc->width > 0;
}

bool qp_method_may_host_look(const struct qp_choice *m)
{
    return !m->regular && m->singular[0] == '\0' && m->n <= QP_DENSE_MOST_ON_HOST;
}

enum qp_status qp_method_look_ahead(struct qp_choice *m, bool *eliminates)
{
    const bool asked = qp_asks_for_krylov(m->desc), has_grid = m->out->width > 0,
               iterates = qp_method_asks_for_iteration(m),
               small = m->may_eliminate && qp_method_may_host_look(m) && (has_grid || !iterates),
               other = m->asked || m->context == NULL || m->desc->weight > 0.0 || small,
               at_once = small && m->direct && !m->asked && !iterates;
    *eliminates = qp_asks_for_direct(m->desc) || at_once;
    if (at_once)
        qp_method_reason_to_look(m, true);
    m->multigrid = qp_asks_for_multigrid(m->desc);
    if (!asked && other) {
        qp_krylov_system_destroy(&m->system);
        return QP_OK;
    }
    enum qp_status status = m->system.rows.rows > 0 /* made to choose a direct solver */
                                ? QP_OK
                                : qp_krylov_system_make(m->matrix, &m->system);
    const struct qp_traits *traits = &m->system.traits;
    /* True: elimination soon ends what MINRES, whose residual is the least, does not. */
    const bool ends = !asked && m->direct && traits->balanced > 1.0 && m->dense_seconds <= qp_soon;
    if (status == QP_OK)
        status = qp_krylov_choose(m->desc,
                                  traits->definite && !ends ? QP_KRYLOV_CG
                                  : traits->symmetric       ? QP_KRYLOV_MINRES
                                                            : QP_KRYLOV_BICGSTAB,
                                  &m->system);
    m->krylov = asked;
    if (asked && !m->asked)
        qp_method_give_reason(m, "%s was taken, for a preconditioner was asked for",
                              qp_krylov_name(m->system.choice.method));
    if (status != QP_OK || asked)
        return status;
    const struct qp_prospects *p = &m->prospects;
    m->prospects = expect(m);
    choose_polynomial(m, p->steps);
    m->system.choice.may_switch = m->system.choice.may_switch && !m->direct;
    m->krylov = (p->krylov < p->jacobi && p->krylov < p->elimination) ||
                (isinf(p->jacobi) && (iterates || !m->may_eliminate));
    *eliminates = !m->krylov && isinf(p->jacobi);
    /* Rows that are dominant as given let elimination keep its pivots, and its forecast hold. */
    m->at_once = m->direct && !*eliminates && !iterates &&
                 (traits->balanced > 1.0 || (!traits->symmetric && traits->dominance <= 1.0)) &&
                 ((traits->symmetric && !traits->definite) ||
                  p->direct < (traits->definite ? qp_spared : 1.0) * fmin(p->krylov, p->jacobi));
    if (m->at_once)
        qp_method_hurry(m);
    m->multigrid = p->multigrid < fmin(fmin(p->krylov, p->jacobi), fmin(p->elimination, p->direct));
    m->next_krylov = m->krylov;
    m->next_eliminates = *eliminates;
    if (m->multigrid)
        m->krylov = *eliminates = m->at_once = false;
    if (m->multigrid)
        qp_method_reason_of_cycles(m);
    else if (m->krylov || *eliminates || m->at_once)
        qp_method_reason_of_prospects(m);
    return QP_OK;
}

/* Forecast from the rate of convergence. Jacobi's residual falls by a factor a step that only grows
 * towards that of the slowest part of the error, since the quick parts vanish first. So the rate of
 * the latter half of the steps is the best to come, and a forecast is renewed as steps double. */
void qp_forecast_look(struct qp_forecast *forecast, const struct qp_progress *now)
{
    enum { FIRST = 100 };
    if (now->step < FIRST || now->step < 2 * forecast->step)
        return;
    if (forecast->step > 0) {
        const int steps = now->step - forecast->step;
        const double rate = log(forecast->residual / now->residual) / steps;
        const double wanted = log(now->residual / now->tolerance);
        forecast->since = forecast->step;
        forecast->to_come = rate > 0.0 ? wanted / rate : INFINITY;
        forecast->pace = (now->seconds - forecast->seconds) / steps;
        forecast->leaves = forecast->to_come > forecast->elimination ||
                           forecast->to_come > now->most_steps - now->step;
    }
    forecast->step = now->step;
    forecast->residual = now->residual;
    forecast->seconds = now->seconds;
}
