/* SPDX-License-Identifier: MIT */
/* Elimination by a direct solver of sparse systems that the caller handed in. Its factors take the
 * place of a variant, and A is never made dense; scaling, rounds, probes and judge are those of
 * every elimination, so a wrong solver is found by residuals. */
#include <math.h>
#include <stdlib.h>

#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/numbers.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/market.h"

enum { WHY = 256 }; /* letters of a solver's sentence */

static enum qp_status factor(struct qp_dense *s)
{
    char why[WHY] = "it said nothing";
    struct qp_market scaled = *s->matrix;
    double *value = qp_alloc(scaled.count, sizeof *value, "the entries of a scaled matrix");
    if (value == NULL)
        return QP_NO_MEMORY;
    for (size_t k = 0; k < scaled.count; k++) {
        int i, j;
        qp_market_place(s->matrix, k, &i, &j);
        value[k] = ldexp(s->matrix->value[k], s->scaling.row[i] + s->scaling.column[j]);
    }
    scaled.value = value;
    const enum qp_status status =
        s->direct->factor(&scaled, s->seconds, s->desc->interrupt, &s->factors, why, sizeof why);
    free(value);
    if (status == QP_OK && s->factors == NULL && !qp_is_interrupted(s->desc->interrupt))
        return qp_fail(QP_UNSUPPORTED, "%s returns no factors", s->direct->name);
    return status == QP_OK ? QP_OK : qp_fail(status, "%s", why);
}

enum qp_status qp_dense_solve_direct(struct qp_dense *s)
{
    char why[WHY] = "it said nothing";
    enum qp_status status = s->factors == NULL ? factor(s) : QP_OK;
    if (status != QP_OK || s->factors == NULL)
        return status;
    for (size_t k = 0; k < s->sides && !qp_is_interrupted(s->desc->interrupt); k++) {
        double *rest = s->rest + k * s->n;
        s->exponent[k] = qp_dense_exponent(s, rest);
        for (size_t i = 0; i < s->n; i++)
            rest[i] = ldexp(rest[i], s->scaling.row[i] - s->exponent[k]);
        status = s->direct->solve(s->factors, rest, why, sizeof why);
        if (status != QP_OK)
            return qp_fail(status, "%s", why);
        if (!isfinite(qp_largest(rest, s->n)))
            return qp_fail(QP_BAD_INPUT,
                           "the matrix is singular to the digits of double: the factors of %s give "
                           "no numbers",
                           s->direct->name);
    }
    s->out->eliminations++;
    return QP_OK;
}
