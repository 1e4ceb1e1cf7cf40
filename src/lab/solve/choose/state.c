/* SPDX-License-Identifier: MIT */
/* Part of a checkpoint of the choice between methods. */
#include "lab/solve/choose/choice.h"

static void store_side(struct qp_archive *archive, struct qp_side *side)
{
    int method = (int)side->method, ending = (int)side->ending;
    qp_archive_int(archive, &method);
    qp_archive_int(archive, &ending);
    qp_archive_variant(archive, &side->variant);
    qp_archive_int(archive, &side->steps);
    qp_archive_int(archive, &side->eliminations);
    qp_archive_double(archive, &side->residual);
    qp_archive_double(archive, &side->condition);
    qp_archive_int(archive, &side->digits);
    qp_archive_double(archive, &side->seconds);
    qp_archive_doubles(archive, side->part, QP_SOLVE_PARTS);
    qp_archive_text(archive, side->reason, sizeof side->reason);
    qp_archive_text(archive, side->sentence, sizeof side->sentence);
    side->method = (enum qp_method)method;
    side->ending = (enum qp_ending)ending;
}

static void store_forecast(struct qp_archive *archive, struct qp_forecast *forecast)
{
    qp_archive_double(archive, &forecast->elimination);
    qp_archive_int(archive, &forecast->step);
    qp_archive_double(archive, &forecast->residual);
    qp_archive_double(archive, &forecast->seconds);
    qp_archive_int(archive, &forecast->since);
    qp_archive_double(archive, &forecast->to_come);
    qp_archive_double(archive, &forecast->pace);
    qp_archive_bool(archive, &forecast->leaves);
}

void qp_method_store(struct qp_archive *archive, void *owner)
{
    struct qp_choice *m = owner;
    struct qp_answer *out = m->out;
    qp_archive_int(archive, &out->begun);
    qp_archive_int(archive, &m->at);
    archive->failed = archive->failed || out->begun < 0 || out->begun > out->sides || m->at < 0 ||
                      m->at >= out->sides;
    int precondition = (int)m->system.choice.precondition;
    qp_archive_bool(archive, &m->krylov);
    qp_archive_bool(archive, &m->multigrid);
    qp_archive_int(archive, &precondition);
    m->system.choice.precondition = (enum qp_krylov_precondition)precondition;
    qp_archive_bool(archive, &m->may_eliminate);
    qp_archive_bool(archive, &m->direct);
    qp_archive_bool(archive, &m->at_once);
    qp_archive_int(archive, &m->wait);
    qp_archive_double(archive, &m->most_seconds);
    qp_archive_bool(archive, &m->leaves);
    qp_archive_bool(archive, &m->regular);
    qp_archive_text(archive, m->obstacle, sizeof m->obstacle);
    qp_archive_text(archive, m->objection, sizeof m->objection);
    qp_archive_text(archive, m->reason, sizeof m->reason);
    qp_archive_double(archive, &out->weight);
    store_forecast(archive, &m->forecast);
    for (int k = 0; k < out->sides; k++)
        store_side(archive, &out->side[k]);
    qp_archive_doubles(archive, out->x, (size_t)out->sides * m->n);
}
