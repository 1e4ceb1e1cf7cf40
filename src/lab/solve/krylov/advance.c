/* SPDX-License-Identifier: MIT */
/* Steps on either device, and the vectors of each method. */
#include <string.h>

#include "lab/solve/krylov/steps.h"

enum { ANEW = 4 }; /* steps after which Z = M R is computed from R where the host does that */

bool qp_krylov_has(const struct qp_krylov *k, int vector)
{
    static const char cg[] = "xrpq", polynomial[] = "xrpqzvRPQ", cycles[] = "xrpqzv",
                      bicgstab[] = "xrpvost", chebyshev[] = "xrpqk", minres[] = "xrpqzvo";
    const char *has = k->method == QP_KRYLOV_BICGSTAB           ? bicgstab
                      : k->method == QP_KRYLOV_CHEBYSHEV        ? chebyshev
                      : k->method == QP_KRYLOV_MINRES           ? minres
                      : k->precondition == QP_KRYLOV_POLYNOMIAL ? polynomial
                      : k->precondition >= QP_KRYLOV_MULTIGRID  ? cycles
                                                                : cg;
    return strchr(has, "xrpqzvostkRPQ"[vector]) != NULL;
}

bool qp_krylov_keeps(const struct qp_krylov *k, int vector)
{
    return vector != S && vector != T && vector < OWN_R && qp_krylov_has(k, vector);
}

enum qp_status qp_krylov_apply(struct qp_krylov *k, int from, int to)
{
    float *out = k->host + k->rows;
    const enum qp_status status = k->device->fetch(k, from, k->host);
    if (status != QP_OK)
        return status;
    k->apply(k->user, k->host, out);
    return k->device->send(k, out, to);
}

enum qp_status qp_krylov_advance(struct qp_krylov *k, enum qp_krylov_part part)
{
    enum qp_status status = k->device->run(k, part);
    if (status == QP_OK && k->apply != NULL)
        status = qp_krylov_apply(k, Q, V);
    if (status == QP_OK && k->apply != NULL && (int)k->course.steps % ANEW == ANEW - 1)
        status = qp_krylov_apply(k, R, Z); /* its recurrence rounds */
    if (status == QP_OK && k->apply != NULL)
        status = k->device->run(k, QP_KRYLOV_REST);
    k->parity = part == QP_KRYLOV_BEGIN ? 0 : k->parity ^ (int)k->alternates;
    return status;
}

enum qp_status qp_krylov_step(struct qp_krylov *k)
{
    const enum qp_status status = qp_krylov_advance(k, QP_KRYLOV_STEP);
    return status == QP_OK && k->slow ? k->device->finish(k) : status;
}

enum qp_status qp_krylov_steps_one_by_one(struct qp_krylov *k, int count)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < count && status == QP_OK && !qp_krylov_hurries(k); i++)
        status = qp_krylov_step(k);
    return status;
}

enum qp_status qp_krylov_read_state(struct qp_krylov *k)
{
    float cell[4];
    const enum qp_status status = k->device->fetch_cell(k, true, qp_krylov_cell(k), cell);
    if (status == QP_OK) {
        k->course.square = cell[0];
        k->course.code = cell[1];
        k->course.steps = cell[2];
    }
    return status;
}
