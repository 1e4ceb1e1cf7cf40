/* SPDX-License-Identifier: MIT */
/* What a checkpoint has of an elimination. */
#include "base/clock.h"
#include "solve/dense.h"

/* Residuals are computed anew from x. */
void qp_dense_store(struct qp_store *store, void *owner)
{
    struct qp_dense *s = owner;
    double seconds = qp_clock() - s->begin;
    int eliminations = s->is_halfway ? s->eliminations_before : s->out->eliminations;
    qp_store_row(store, &s->out->variant);
    qp_store_text(store, s->obstacle, sizeof s->obstacle);
    qp_store_double(store, &seconds);
    qp_store_int(store, &eliminations);
    qp_store_bool(store, &s->gained);
    qp_store_doubles(store, s->is_halfway ? s->kept : s->x, s->n * s->sides);
    s->begin = qp_clock() - seconds;
    if (store->reads)
        s->out->eliminations = eliminations;
}
