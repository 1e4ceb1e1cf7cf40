/* SPDX-License-Identifier: MIT */
/* What a checkpoint has of the choice between methods. */
#include "solve/method.h"

static void store_side(struct qp_store *store, struct qp_side *side)
{
    int method = (int)side->method, ending = (int)side->ending;
    qp_store_int(store, &method);
    qp_store_int(store, &ending);
    qp_store_row(store, &side->variant);
    qp_store_int(store, &side->steps);
    qp_store_int(store, &side->eliminations);
    qp_store_double(store, &side->residual);
    qp_store_double(store, &side->condition);
    qp_store_int(store, &side->digits);
    qp_store_double(store, &side->seconds);
    qp_store_text(store, side->reason, sizeof side->reason);
    qp_store_text(store, side->sentence, sizeof side->sentence);
    side->method = (enum qp_method)method;
    side->ending = (enum qp_ending)ending;
}

static void store_forecast(struct qp_store *store, struct qp_forecast *forecast)
{
    qp_store_double(store, &forecast->elimination);
    qp_store_int(store, &forecast->step);
    qp_store_double(store, &forecast->residual);
    qp_store_double(store, &forecast->seconds);
    qp_store_int(store, &forecast->since);
    qp_store_double(store, &forecast->to_come);
    qp_store_double(store, &forecast->pace);
    qp_store_bool(store, &forecast->leaves);
}

void qp_method_store(struct qp_store *store, void *owner)
{
    struct qp_choice *m = owner;
    struct qp_answer *out = m->out;
    qp_store_int(store, &out->begun);
    qp_store_int(store, &m->at);
    store->failed = store->failed || out->begun < 0 || out->begun > out->sides || m->at < 0 ||
                    m->at >= out->sides;
    qp_store_bool(store, &m->may_eliminate);
    qp_store_bool(store, &m->leaves);
    qp_store_bool(store, &m->regular);
    qp_store_text(store, m->obstacle, sizeof m->obstacle);
    qp_store_text(store, m->objection, sizeof m->objection);
    qp_store_text(store, m->reason, sizeof m->reason);
    qp_store_double(store, &out->weight);
    store_forecast(store, &m->forecast);
    for (int k = 0; k < out->sides; k++)
        store_side(store, &out->side[k]);
    qp_store_doubles(store, out->x, (size_t)out->sides * m->n);
}
