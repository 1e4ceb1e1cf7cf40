/* SPDX-License-Identifier: MIT */
/* Dense systems by elimination. With powers of two R and C, which round nothing, float eliminates
 *
 *     [R A C | R B],    X = C Y
 *
 * where R makes the largest element of every row, then C that of every column about 1: LAPACK's
 * equilibration (sgeequb). Behind B stand probes, random right-hand sides whose solutions tell what
 * A^-1 does to vectors and so the condition, for the price of a few columns.
 *
 * Refinement puts the residuals, in double from A as given, where B stood, and eliminates again.
 * What elimination leaves of a probe is by what factor a round of that shrinks errors. Float cannot
 * tell a matrix where it leaves half from a singular one, and so singular ones are found: roundings
 * put pivots of up to some hundred 2^-24 where a rank-deficient matrix has zeros, while an
 * invertible Hilbert matrix has smaller ones, so that no bound on pivots parts them. */
#include <quadpass/dense.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "io/market.h"
#include "ops/gauss_jordan.h"
#include "ops/plan.h"
#include "ops/problem.h"
#include "walk/dense.h"
#include "walk/solving.h"

/* ---- Room 1 ---- */

/* Any variant is asked before anything is allocated: of a problem that has its sizes, and in place
 * of all elements the largest one as it will be scaled. */
static enum qp_status check_variant(const struct qp_dense *s, const struct qp_variant *variant)
{
    const int rows = s->matrix->rows, width = rows + (int)s->sides;
    float largest = 1.0f;
    struct qp_problem sizes = {.op = &qp_op_gauss_jordan,
                               .kind = "file",
                               .width = width,
                               .height = rows,
                               .answer_width = width,
                               .answer_height = rows,
                               .systems = qp_variant_systems(variant),
                               .field = {[QP_AUGMENTED] = {1, 1, &largest}}};
    if (qp_variant_is_bound(variant))
        return qp_fail(QP_UNSUPPORTED, "a bound computes no solution; take another row");
    return qp_plan_check(s->context, variant, &sizes, s->desc->target);
}

enum qp_status qp_dense_choose_variant(struct qp_dense *s)
{
    if (s->desc->variant != NULL) {
        s->out->variant = s->desc->variant;
        enum qp_status status = check_variant(s, s->desc->variant);
        return status == QP_OK ? QP_OK : qp_fail_within(status, "%s", s->desc->variant->name);
    }
    enum qp_status status = QP_UNSUPPORTED;
    for (const char *const *name = qp_dense_preference(s->context); *name != NULL; name++) {
        s->out->variant = qp_variant_find(*name);
        status = check_variant(s, s->out->variant);
        if (status == QP_OK || qp_context_is_lost(s->context))
            return status;
    }
    return qp_fail_within(status, "no variant can take this problem");
}

/* The identity, the sides as given or A times ones, and the probes. */
static void fill_b(struct qp_dense *s, const double *b)
{
    const size_t given = (size_t)s->out->sides;
    uint64_t state = 1;
    for (size_t i = 0; i < s->n && s->identity; i++)
        s->b[i * s->n + i] = 1.0;
    if (b != NULL)
        memcpy(s->b, b, given * s->n * sizeof *b);
    else if (!s->identity)
        qp_market_add_product(s->matrix, 1.0, NULL, s->b);
    for (size_t k = given; k < s->sides; k++) {
        for (size_t i = 0; i < s->n; i++)
            s->b[k * s->n + i] =
                ldexp(qp_random(&state, -1.0, 1.0), k < given + QP_PROBES ? -s->scaling.row[i] : 0);
    }
}

static enum qp_status allocate(struct qp_dense *s)
{
    const size_t count = s->n * s->sides;
    enum qp_status status =
        qp_problem_allocate(&qp_op_gauss_jordan, "file", s->matrix->rows + (int)s->sides,
                            s->matrix->rows, 1, &s->problem);
    if (status != QP_OK)
        return status;
    s->b = qp_alloc_zero(count, sizeof *s->b, "the right-hand sides");
    s->x = qp_alloc_zero(count, sizeof *s->x, "the solutions");
    s->rest = qp_alloc(count, sizeof *s->rest, "the residuals");
    s->kept = qp_alloc(count, sizeof *s->kept, "the solutions before a correction");
    s->residual = qp_alloc(2 * s->sides, sizeof *s->residual, "the norms of residuals");
    s->exponent = qp_alloc(s->sides, sizeof *s->exponent, "the scaling of right-hand sides");
    if (s->b == NULL || s->x == NULL || s->rest == NULL || s->kept == NULL || s->residual == NULL ||
        s->exponent == NULL)
        return qp_fail_within(QP_NO_MEMORY, "room 1, problem");
    s->left = s->residual + s->sides;
    return QP_OK;
}

/* ---- Elimination ---- */

/* The largest element is scaled to about 1, so that nothing under- or overflows. */
static int exponent_of_side(const struct qp_dense *s, const double *values)
{
    int most = QP_NO_EXPONENT;
    for (size_t i = 0; i < s->n; i++) {
        int exponent;
        frexp(values[i], &exponent);
        exponent += s->scaling.row[i];
        if (values[i] != 0.0 && exponent > most)
            most = exponent;
    }
    return most == QP_NO_EXPONENT ? 0 : most;
}

/* From 0; as many as there are if all hold numbers. */
static size_t first_lost_column(const struct qp_matrix *answer, size_t from, size_t to)
{
    for (size_t j = from; j < to; j++) {
        for (size_t i = 0; i < (size_t)answer->height; i++) {
            if (!isfinite(answer->values[i * (size_t)answer->width + j]))
                return j;
        }
    }
    return to;
}

/* A row that does not tell where it divided by zero has left no numbers from there on. */
static enum qp_status check_answer(const struct qp_dense *s, const struct qp_matrix *answer)
{
    const size_t all = (size_t)answer->width;
    if (first_lost_column(answer, s->n, all) == all)
        return QP_OK;
    const size_t column = first_lost_column(answer, 0, s->n);
    return qp_gauss_jordan_fail(s->out->variant->recipe, (int)(column < s->n ? column + 1 : s->n));
}

/* [A | rest] through the ten rooms: the sides of *answer are corrections. */
static enum qp_status eliminate(struct qp_dense *s, struct qp_matrix *answer)
{
    struct qp_result result;
    struct qp_walk_desc walk = {.iterations = 1,
                                .pingpong = s->desc->pingpong,
                                .target = s->desc->target,
                                .unchecked = true,
                                .keep_solution = true};
    enum qp_status status =
        qp_walk_copies(s->context, s->out->variant, &s->problem, &walk, &result);
    if (status != QP_OK)
        return status;
    *answer = result.solution;
    s->out->eliminations++;
    if (answer->values == NULL)
        return qp_fail(result.cause, "%s: %s", s->out->variant->name, result.reason);
    return check_answer(s, answer);
}

/* x += C d, and back where that has made things worse. */
static void correct_side(struct qp_dense *s, const struct qp_matrix *answer, size_t side)
{
    const bool first = s->out->eliminations == 1;
    const double before = s->left[side];
    double *x = s->x + side * s->n, *kept = s->kept + side * s->n;
    memcpy(kept, x, s->n * sizeof *x);
    for (size_t i = 0; i < s->n; i++)
        x[i] += ldexp(answer->values[i * (size_t)answer->width + s->n + side],
                      s->scaling.column[i] + s->exponent[side]);
    qp_dense_measure_side(s, side);
    if (first || s->left[side] < before)
        return;
    memcpy(x, kept, s->n * sizeof *x);
    qp_dense_measure_side(s, side);
}

/* The largest scaled residual of sides that are not good enough yet: what rounds are for. */
static double worst_left(const struct qp_dense *s)
{
    double worst = 0.0;
    for (size_t k = 0; k < (size_t)s->out->sides; k++) {
        if (s->residual[k] > s->desc->tolerance)
            worst = fmax(worst, s->left[k]);
    }
    return worst;
}

/* One elimination with the residuals at its right. */
static enum qp_status take_round(struct qp_dense *s)
{
    struct qp_matrix answer = {0};
    for (size_t k = 0; k < s->sides; k++) {
        const double *rest = s->rest + k * s->n;
        s->exponent[k] = exponent_of_side(s, rest);
        qp_augmented_fill_side(rest, &s->scaling, s->exponent[k], (int)k, &s->problem);
    }
    enum qp_status status = eliminate(s, &answer);
    if (status == QP_OK) {
#pragma omp parallel for schedule(dynamic)
        for (size_t k = 0; k < s->sides; k++)
            correct_side(s, &answer, k);
    }
    qp_matrix_destroy(&answer);
    return status;
}

/* Rounds go on as long as one halves what is left. */
static enum qp_status take_rounds(struct qp_dense *s)
{
    enum qp_status status = QP_OK;
    bool goes_on = true;
    while (goes_on && status == QP_OK && !qp_is_interrupted(s->desc->interrupt)) {
        const double before = worst_left(s);
        status = take_round(s);
        if (status == QP_OK && s->out->eliminations == 1)
            status = qp_dense_check_probes(s);
        const double after = worst_left(s);
        goes_on = s->desc->refine && after > 0.0 && after <= QP_DENSE_HOPELESS * before;
    }
    return status;
}

/* ---- Beginning and end ---- */

/* Hands over what is the caller's. */
static void finish(struct qp_dense *s)
{
    struct qp_dense_solution *out = s->out;
    qp_dense_judge(s);
    out->rows = s->matrix->rows;
    out->x = s->x;
    out->residuals = s->residual;
    s->x = s->residual = NULL;
}

static void measure(struct qp_dense *s)
{
#pragma omp parallel for schedule(dynamic)
    for (size_t side = 0; side < s->sides; side++)
        qp_dense_measure_side(s, side);
}

static enum qp_status prepare_scaling(struct qp_dense *s)
{
    enum qp_status status = qp_scaling_create(s->matrix, &s->scaling);
    return status == QP_OK ? QP_OK : qp_fail_within(status, "room 1, problem");
}

static enum qp_status prepare(struct qp_dense *s, const double *b)
{
    enum qp_status status = qp_dense_check(s->matrix);
    if (status == QP_OK)
        status = qp_dense_check_sides(s->matrix, b, s->identity ? 1 : s->out->sides);
    if (status == QP_OK)
        status = qp_dense_choose_variant(s);
    if (status == QP_OK)
        status = allocate(s);
    if (status == QP_OK)
        status = prepare_scaling(s);
    if (status != QP_OK)
        return status;
    fill_b(s, b);
    qp_augmented_fill_matrix(s->matrix, &s->scaling, &s->problem);
    qp_dense_measure_matrix(s);
    measure(s);
    return QP_OK;
}

static enum qp_status solve(struct qp_context *context, const struct qp_market *matrix,
                            const double *b, int sides, bool identity,
                            const struct qp_dense_desc *desc, struct qp_dense_solution *out)
{
    *out = (struct qp_dense_solution){.sides = sides};
    struct qp_dense s = {
        .context = context, .matrix = matrix, .desc = desc, .out = out, .identity = identity};
    s.n = (size_t)matrix->rows;
    s.sides = (size_t)sides + QP_ALL_PROBES;
    s.tolerance = desc->tolerance > 0.0 ? desc->tolerance : 1e-5;
    s.begin = qp_clock();
    enum qp_status status = QP_OK;
    if (!(desc->tolerance >= 0.0) || !isfinite(desc->tolerance))
        status = qp_fail(QP_BAD_USE, "a tolerance of %g is none; give a positive number",
                         desc->tolerance);
    if (status == QP_OK)
        status = prepare(&s, b);
    if (status == QP_OK)
        status = take_rounds(&s);
    if (status == QP_OK)
        finish(&s);
    else
        *out = (struct qp_dense_solution){0};
    qp_problem_destroy(&s.problem);
    qp_scaling_destroy(&s.scaling);
    free(s.b);
    free(s.x);
    free(s.rest);
    free(s.kept);
    free(s.residual);
    free(s.exponent);
    return status;
}

enum qp_status qp_solve_dense(struct qp_context *context, const struct qp_market *matrix,
                              const double *b, int sides, const struct qp_dense_desc *desc,
                              struct qp_dense_solution *out)
{
    return solve(context, matrix, b, sides, false, desc, out);
}

enum qp_status qp_invert(struct qp_context *context, const struct qp_market *matrix,
                         const struct qp_dense_desc *desc, struct qp_dense_solution *out)
{
    return solve(context, matrix, NULL, matrix->rows, true, desc, out);
}

void qp_dense_solution_destroy(struct qp_dense_solution *solution)
{
    if (solution == NULL)
        return;
    free(solution->x);
    free(solution->residuals);
    *solution = (struct qp_dense_solution){0};
}
