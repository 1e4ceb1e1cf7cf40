/* SPDX-License-Identifier: MIT */
/* Part of a checkpoint of an elimination. */
#include "lab/solve/eliminate/elimination.h"
#include "toolkit/base/clock.h"

/* Stores all but residuals, which are computed anew from x. */
void qp_dense_store(struct qp_archive *archive, void *owner)
{
    struct qp_dense *s = owner;
    double seconds = qp_clock() - s->begin;
    int eliminations = s->is_halfway ? s->eliminations_before : s->out->eliminations;
    qp_archive_variant(archive, &s->out->variant);
    qp_archive_text(archive, s->obstacle, sizeof s->obstacle);
    qp_archive_double(archive, &seconds);
    qp_archive_int(archive, &eliminations);
    qp_archive_bool(archive, &s->gained);
    qp_archive_doubles(archive, s->is_halfway ? s->kept : s->x, s->n * s->sides);
    s->begin = qp_clock() - seconds;
    if (archive->reads)
        s->out->eliminations = eliminations;
}
