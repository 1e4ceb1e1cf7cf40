/* SPDX-License-Identifier: MIT */
/* Dense systems by elimination. With powers of two R and C, which round nothing, float eliminates
 *
 *     [R A C | R B],    X = C Y
 *
 * where R makes the largest element of every row, then C that of every column about 1: LAPACK's
 * equilibration (sgeequb). After B come probes, random right-hand sides whose solutions estimate
 * ||A^-1||, and so the condition and the error of X, for the price of a few columns. They also show
 * a singular matrix, with which no x makes the residual of a random side small. No bound on pivots
 * could: roundings put pivots of up to some hundred 2^-24 where a rank-deficient matrix has zeros,
 * while an invertible Hilbert matrix has smaller ones. */

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/numbers.h"
#include "lab/solve/regular.h"
#include "lab/solve/residual.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/random.h"
#include "toolkit/io/market.h"

/* ---- Stage 1 ---- */

/* Fills the probes, small ones, since a column's scaling can carry their solutions out of double's
 * range. */
static void fill_probes(struct qp_dense *s)
{
    uint64_t state = 1;
    for (size_t j = 0; j < s->n; j++)
        s->shift = s->scaling.column[j] > s->shift ? s->scaling.column[j] : s->shift;
    for (size_t k = (size_t)s->out->sides; k < s->sides; k++) {
        for (size_t i = 0; i < s->n; i++)
            s->b[k * s->n + i] =
                ldexp(qp_random(&state, -1.0, 1.0),
                      k < s->sides - QP_GIVEN_PROBES ? -s->scaling.row[i] - s->shift : s->unit);
    }
}

/* Computes b = A times ones. */
static enum qp_status fill_product(struct qp_dense *s)
{
    s->lost = qp_alloc(s->n, sizeof *s->lost, "the rounding of a right-hand side");
    if (s->lost == NULL)
        return QP_NO_MEMORY;
    qp_residual_times_ones(s->matrix, s->b, s->lost, s->kept);
    for (size_t i = 0; i < s->n; i++) {
        if (!isfinite(s->b[i]))
            return qp_fail(QP_BAD_INPUT,
                           "row %zu of A times ones is beyond what double holds; give a right-hand "
                           "side",
                           i + 1);
    }
    return QP_OK;
}

/* Fills the right-hand sides: the identity, the sides as given or A times ones, and probes. */
static enum qp_status fill_b(struct qp_dense *s, const double *b)
{
    for (size_t i = 0; i < s->n && s->identity; i++)
        s->b[i * s->n + i] = 1.0;
    if (b != NULL)
        memcpy(s->b, b, (size_t)s->out->sides * s->n * sizeof *b);
    fill_probes(s);
    return b != NULL || s->identity ? QP_OK : fill_product(s);
}

static enum qp_status allocate(struct qp_dense *s)
{
    const size_t count = s->n * s->sides;
    enum qp_status status =
        s->direct != NULL
            ? QP_OK
            : qp_problem_allocate(&qp_op_gauss_jordan, "file", s->matrix->rows + (int)s->sides,
                                  s->matrix->rows, 1, &s->problem);
    if (status != QP_OK)
        return status;
    s->b = qp_alloc_zero(count, sizeof *s->b, "the right-hand sides");
    s->x = qp_alloc_zero(count, sizeof *s->x, "the solutions");
    s->rest = qp_alloc(count, sizeof *s->rest, "the residuals");
    s->kept = qp_alloc(count, sizeof *s->kept, "the solutions before a correction");
    s->residual = qp_alloc(s->sides, sizeof *s->residual, "the norms of residuals");
    s->left = qp_alloc(s->sides, sizeof *s->left, "the norms of scaled residuals");
    s->error = qp_alloc(s->sides, sizeof *s->error, "the errors of solutions");
    s->exponent = qp_alloc(s->sides, sizeof *s->exponent, "the scaling of right-hand sides");
    if (s->b == NULL || s->x == NULL || s->rest == NULL || s->kept == NULL || s->residual == NULL ||
        s->left == NULL || s->error == NULL || s->exponent == NULL)
        return QP_NO_MEMORY;
    return QP_OK;
}

/* ---- Beginning and end ---- */

/* Checks the variant of a checkpoint, and measures its x. */
static enum qp_status take_up(struct qp_dense *s)
{
    const struct qp_variant *stored = s->out->variant;
    if (s->direct != NULL && stored != NULL)
        return qp_fail(QP_BAD_INPUT, "%s: is a checkpoint of %s, and this solve takes %s",
                       s->checkpoint->resume, stored->name, s->direct->name);
    enum qp_status status =
        s->direct != NULL ? QP_OK
        : s->desc->variant != NULL
            ? qp_checkpoint_check_variant(s->checkpoint, stored, s->desc->variant)
            : qp_dense_check_variant(s, stored);
    return status == QP_OK ? qp_dense_measure(s) : status;
}

static enum qp_status begin(struct qp_dense *s)
{
    bool resumed;
    const enum qp_status status =
        qp_checkpoint_enter(s->checkpoint, "elimination", qp_dense_store, s, &resumed);
    return status == QP_OK && resumed ? take_up(s) : status;
}

/* Hands the solution over to the caller. */
static enum qp_status finish(struct qp_dense *s)
{
    struct qp_dense_solution *out = s->out;
    const double begin = qp_clock();
    enum qp_status status = qp_dense_judge(s);
    if (status != QP_OK)
        return status;
    out->part[QP_JUDGING] = qp_clock() - begin;
    out->rows = s->matrix->rows;
    out->solver = s->direct != NULL ? s->direct->name : NULL;
    out->x = s->x;
    out->residuals = s->residual;
    out->errors = s->error;
    s->x = s->residual = s->error = NULL;
    return QP_OK;
}

/* Computes Frobenius norms of A, scaled and as given. The unit of the latter is that of the largest
 * element, but small enough for the norm of a probe to be a double. */
static void measure_matrix(struct qp_dense *s)
{
    enum { LARGEST_UNIT = 1000 };
    double sum = 0.0;
    for (size_t k = 0; k < s->matrix->count; k++) {
        int i, j;
        qp_market_place(s->matrix, k, &i, &j);
        const double value = ldexp(s->matrix->value[k], s->scaling.row[i] + s->scaling.column[j]);
        sum += value * value;
    }
    s->norm_scaled = sqrt(sum);
    int exponent;
    s->unit = INT_MIN;
    for (size_t k = 0; k < s->matrix->count; k++) {
        frexp(s->matrix->value[k], &exponent);
        if (s->matrix->value[k] != 0.0 && exponent > s->unit)
            s->unit = exponent;
    }
    s->unit = s->unit < LARGEST_UNIT ? s->unit : LARGEST_UNIT;
    s->norm_given = qp_norm(s->matrix->value, -s->unit, s->matrix->count);
}

static enum qp_status prepare(struct qp_dense *s, const double *b)
{
    enum qp_status status = qp_dense_check(s->matrix);
    if (status == QP_OK)
        status = qp_dense_check_sides(s->matrix, b, s->identity ? 1 : s->out->sides);
    if (status == QP_OK && s->direct == NULL)
        status = qp_dense_choose_variant(s);
    if (status == QP_OK)
        status = qp_look_whether_regular(s->matrix, &s->dominant);
    if (status == QP_OK)
        status = allocate(s);
    if (status == QP_OK)
        status =
            (s->direct != NULL && s->direct->definite ? qp_scaling_create_symmetric
                                                      : qp_scaling_create)(s->matrix, &s->scaling);
    if (status != QP_OK)
        return status;
    if (s->direct == NULL)
        qp_augmented_fill_matrix(s->matrix, &s->scaling, &s->problem);
    measure_matrix(s);
    status = fill_b(s, b);
    return status == QP_OK ? qp_dense_measure(s) : status;
}

enum qp_status qp_eliminate(struct qp_context *context, const struct qp_market *matrix,
                            const double *b, int sides, bool identity, double seconds,
                            const struct qp_solve_desc *desc, struct qp_checkpoint *checkpoint,
                            struct qp_dense_solution *out)
{
    *out = (struct qp_dense_solution){.sides = sides};
    struct qp_dense s = {.context = context,
                         .matrix = matrix,
                         .desc = desc,
                         .out = out,
                         .identity = identity,
                         .direct = seconds > 0.0 ? desc->direct : NULL,
                         .seconds = seconds,
                         .n = (size_t)matrix->rows,
                         .sides = (size_t)sides + QP_ALL_PROBES,
                         .begin = qp_clock(),
                         .checkpoint = checkpoint,
                         .gained = true};
    enum qp_status status = qp_find_tolerance(desc->tolerance, &out->tolerance);
    if (status == QP_OK)
        status = prepare(&s, b);
    out->part[QP_SETTING_UP] = qp_clock() - s.begin;
    if (status == QP_OK)
        status = begin(&s);
    if (status == QP_OK)
        status = qp_dense_take_rounds(&s);
    qp_checkpoint_leave(checkpoint, "elimination");
    if (status == QP_OK)
        status = finish(&s);
    if (status != QP_OK)
        *out = (struct qp_dense_solution){0};
    if (s.factors != NULL)
        s.direct->destroy(s.factors);
    qp_problem_destroy(&s.problem);
    qp_scaling_destroy(&s.scaling);
    void *const arrays[] = {s.b,        s.x,    s.lost,  s.rest,    s.kept,
                            s.residual, s.left, s.error, s.exponent};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    return status;
}

void qp_dense_solution_destroy(struct qp_dense_solution *solution)
{
    if (solution == NULL)
        return;
    free(solution->x);
    free(solution->residuals);
    free(solution->errors);
    *solution = (struct qp_dense_solution){0};
}
