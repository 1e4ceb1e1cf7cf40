/* SPDX-License-Identifier: MIT */
/* Weighted Jacobi with a matrix of nine bands on a grid. The device measures the residual of its
 * own iterate and one texel comes back; the host decides at the end, in double, from the matrix as
 * it was given. */
#include <quadpass/solve.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/solve/iterate/iteration.h"
#include "lab/solve/iterate/sparse.h"
#include "lab/solve/numbers.h"
#include "lab/solve/solvers.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"
#include "toolkit/io/market.h"

/* Safety factor: the device's sum is good to about 1e-6, so stop a little below the tolerance. */
static const double plain_margin = 0.99;
/* Rounds of refinement: three digits each, which float can reach, and half of the residual at
 * least. */
static const double least_round = 1e-3, refined_margin = 0.5, least_gain = 0.5;

/* ---- Beginning ---- */

/* Sets the weight. The device reports steps by D (x' - x) / w, which must stay in float. */
static enum qp_status set_weight(struct qp_iteration *s)
{
    const float *diagonal = qp_problem_field(&s->problem, "DD")->values;
    const bool given = s->desc->weight != 0.0;
    double largest = 0.0;
    if (given)
        s->problem.weight = s->desc->weight;
    for (size_t i = 0; i < s->n; i++)
        largest = fmax(largest, fabs((double)diagonal[i]));
    if (largest <= 1e30 * s->problem.weight)
        return QP_OK;
    return qp_fail(
        given ? QP_BAD_USE : QP_BAD_INPUT,
        "a weight of %.3g%s is too small for Jacobi in float beside a diagonal of %.3g; %s",
        s->problem.weight, given ? "" : ", which the other entries ask for,", largest,
        given ? "take a larger --weight" : "elimination needs none");
}

/* Refuses a diagonal entry that float loses beside the largest entry. */
static enum qp_status check_range(const struct qp_market *a, int exponent)
{
    int i, j, row = 0, column = 0;
    double largest = 0.0;
    for (size_t k = 0; k < a->count; k++) {
        qp_market_place(a, k, &i, &j);
        row = fabs(a->value[k]) > largest ? i : row;
        column = fabs(a->value[k]) > largest ? j : column;
        largest = fmax(largest, fabs(a->value[k]));
    }
    for (size_t k = 0; k < a->count; k++) {
        qp_market_place(a, k, &i, &j);
        if (i == j && a->value[k] != 0.0 && fabs(ldexp(a->value[k], -exponent)) < FLT_MIN)
            return qp_fail(QP_BAD_INPUT,
                           "row %d has %g on the diagonal, and row %d, column %d holds %g: the "
                           "range inside the matrix is too wide for the float that Jacobi computes "
                           "in; elimination scales rows and columns",
                           i + 1, a->value[k], row + 1, column + 1, largest);
    }
    return QP_OK;
}

/* Scales a matrix far from 1 by a power of two, which rounds nothing in the range of float; x stays
 * the same, for b is scaled with it. */
static enum qp_status scale(struct qp_iteration *s, struct qp_market *scaled)
{
    enum { FAR = 100 }; /* exponents: of values that Jacobi may multiply and divide */
    int exponent;
    frexp(qp_largest(s->matrix->value, s->matrix->count), &exponent);
    enum qp_status status = check_range(s->matrix, abs(exponent) > FAR ? exponent : 0);
    if (status != QP_OK || abs(exponent) <= FAR)
        return status;
    *scaled = *s->matrix;
    scaled->value = qp_alloc(scaled->count, sizeof *scaled->value, "a scaled matrix");
    for (size_t k = 0; scaled->value != NULL && k < scaled->count; k++)
        scaled->value[k] = ldexp(s->matrix->value[k], -exponent);
    s->matrix = scaled;
    s->shift = -exponent;
    return scaled->value != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status prepare(struct qp_iteration *s)
{
    const bool refine = s->refines = s->desc->refine;
    s->out->method = "jacobi";
    if (!(s->desc->weight >= 0.0 && s->desc->weight < 2.0))
        return qp_fail(QP_BAD_USE, "a weight of %g is of no use; it must lie between 0 and 2",
                       s->desc->weight);
    s->round = refine ? 0 : -1; /* a round without refinement is not counted */
    s->patience = QP_STAGNATION_STEPS;
    s->margin = refine ? refined_margin : plain_margin;
    s->nearest = refine ? least_round : 0.0;
    s->gain = least_gain;
    enum qp_status status = qp_iteration_read_desc(s);
    if (status == QP_OK)
        status = qp_nine_bands_make(s, qp_solver_for(QP_NINE_BANDS));
    if (status == QP_OK)
        status = set_weight(s);
    if (status == QP_OK)
        status = qp_iteration_set_vectors(s);
    if (status != QP_OK)
        return status;
    qp_iteration_start(s);
    return qp_nine_bands_choose(s, qp_solve_preference(s->context));
}

static const struct qp_equation nine_bands = {.part = "iteration",
                                              .usual_steps = 100000,
                                              .prepare = prepare,
                                              .measure = qp_iteration_measure,
                                              .plan = qp_iteration_plan,
                                              .accepts = qp_iteration_accepts,
                                              .report = qp_nine_bands_report};

enum qp_status qp_iterate(struct qp_context *context, const struct qp_market *matrix,
                          struct qp_krylov_system *system, const double *b, const double *start,
                          const struct qp_solve_desc *desc, qp_continues *continues, void *user,
                          struct qp_checkpoint *checkpoint, struct qp_solution *out, int *digits)
{
    struct qp_iteration s = {.equation = system != NULL                ? &qp_sparse_equation
                                         : qp_asks_for_multigrid(desc) ? &qp_cycles_equation
                                                                       : &nine_bands,
                             .system = system,
                             .context = context,
                             .matrix = matrix,
                             .given_b = b,
                             .given_start = start,
                             .desc = desc,
                             .continues = continues,
                             .user = user,
                             .checkpoint = checkpoint,
                             .out = out};
    struct qp_market scaled = {0};
    enum qp_status status = system == NULL ? scale(&s, &scaled) : QP_OK;
    if (status == QP_OK)
        status = qp_iteration_solve(&s, digits);
    else
        *out = (struct qp_solution){0};
    free(scaled.value);
    return status;
}
