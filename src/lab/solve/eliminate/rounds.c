/* SPDX-License-Identifier: MIT */
/* Iterative refinement on the device. A round puts the residuals in place of the right-hand sides
 * and eliminates anew, so that no variant has to keep factors. Each round shrinks a residual by
 * about the same factor. Rounds go on for sides above the tolerance, and for probes: a singular A
 * cannot have solutions for them, while b may happen to have one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/plan/half.h"
#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/numbers.h"
#include "lab/solve/walked.h"
#include "toolkit/base/watch.h"

/* Largest ratio of a residual after and before a round that makes another round worth its time. */
static const double worthwhile = 0.5;

/* ---- An elimination ---- */

/* Number of the first column with a value that is not finite, from 0; the number of columns if
 * there is none. */
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

/* Finds a zero pivot that the variant did not report: from that column on, the answer holds no
 * numbers. */
static enum qp_status check_answer(const struct qp_dense *s, const struct qp_matrix *answer)
{
    const size_t all = (size_t)answer->width;
    if (first_lost_column(answer, s->n, all) == all)
        return QP_OK;
    const size_t column = first_lost_column(answer, 0, s->n);
    return qp_gauss_jordan_fail(qp_gauss_jordan_exchanges_rows(s->out->variant->recipe),
                                (int)(column < s->n ? column + 1 : s->n));
}

/* Walks [A | rest] through the ten stages by the present variant. The answer is empty after an
 * interrupt, which is no error. */
static enum qp_status walk(struct qp_dense *s, struct qp_matrix *answer)
{
    struct qp_result result;
    struct qp_walk_desc desc = {.iterations = 1,
                                .pingpong = s->desc->pingpong,
                                .target = s->desc->target,
                                .unchecked = true,
                                .keep_solution = true,
                                .interrupt = s->desc->interrupt,
                                .log_pivots = true};
    enum qp_status status =
        qp_walk_copies(s->context, s->out->variant, &s->problem, &desc, NULL, NULL, &result);
    if (status != QP_OK)
        return status;
    s->out->part[QP_COMPILING] += result.program_seconds;
    s->out->part[QP_SETTING_UP] += result.pack_seconds + result.upload_seconds;
    *answer = result.solution;
    return answer->values != NULL || qp_watch_is_sentence(result.reason)
               ? QP_OK
               : qp_fail(result.cause, "%s: %s", s->out->variant->name, result.reason);
}

/* Puts the residuals at the matrix's right. */
static void fill_sides(struct qp_dense *s)
{
    for (size_t k = 0; k < s->sides; k++) {
        const double *rest = s->rest + k * s->n;
        s->exponent[k] = qp_dense_exponent(s, rest);
        qp_augmented_fill_side(rest, &s->scaling, s->exponent[k], (int)k, &s->problem);
    }
}

/* Eliminates once; the answer holds corrections. An engine may need larger textures than its recipe
 * says: then the next variant is taken, unless a variant was asked for. */
static enum qp_status eliminate(struct qp_dense *s, struct qp_matrix *answer)
{
    fill_sides(s);
    enum qp_status status = walk(s, answer);
    while (status == QP_UNSUPPORTED && s->desc->variant == NULL && s->out->eliminations == 0 &&
           qp_variant_draws(s->out->variant) && !qp_context_is_lost(s->context) &&
           (status = qp_dense_choose_next(s)) == QP_OK)
        status = walk(s, answer);
    if (status == QP_OK && answer->values == NULL)
        return QP_OK; /* interrupted */
    s->out->eliminations++;
    return status == QP_OK ? check_answer(s, answer) : status;
}

/* ---- A round ---- */

/* Element i of a side's correction, as scaled. */
static double correction(const struct qp_dense *s, const struct qp_matrix *answer, size_t side,
                         size_t i)
{
    return s->direct != NULL ? s->rest[side * s->n + i]
                             : answer->values[i * (size_t)answer->width + s->n + side];
}

/* Corrects one side, x += C d, and takes it back where the residual grew. False without memory. */
static bool correct_side(struct qp_dense *s, const struct qp_matrix *answer, size_t side)
{
    const bool first = s->out->eliminations == 1;
    const double before = s->left[side];
    double *x = s->x + side * s->n;
    for (size_t i = 0; i < s->n; i++)
        x[i] += ldexp(correction(s, answer, side, i), s->scaling.column[i] + s->exponent[side]);
    bool good = qp_dense_measure_side(s, side);
    if (first || s->left[side] < before)
        return good;
    memcpy(x, s->kept + side * s->n, s->n * sizeof *x);
    return qp_dense_measure_side(s, side) && good;
}

/* Least residual that the rounding of x to double allows. */
static double least_left(const struct qp_dense *s, size_t side)
{
    const double x = qp_norm_scaled(s->x + side * s->n, s->scaling.column, -1, s->n),
                 b = qp_norm_scaled(s->b + side * s->n, s->scaling.row, 1, s->n);
    return b > 0.0 ? 0x1p-53 * s->norm_scaled * x / b : 0.0;
}

/* True for a side that is not good enough yet, among probes only for those that bound errors. */
static bool wants_more(const struct qp_dense *s, size_t side)
{
    const size_t given = (size_t)s->out->sides;
    if (side >= given)
        return side < given + QP_PROBES && !(s->left[side] <= qp_dense_doubtful(s));
    return s->desc->refine ? s->left[side] > least_left(s, side)
                           : !(s->residual[side] <= s->out->tolerance);
}

/* Keeps the solutions before a round, or before the host's part, which an interrupt may leave
 * halfway. */
static void keep(struct qp_dense *s)
{
    memcpy(s->kept, s->x, s->n * s->sides * sizeof *s->x);
    s->eliminations_before = s->out->eliminations;
}

/* Takes one round; s->gained says then whether another is worth its time. */
static enum qp_status take_round(struct qp_dense *s)
{
    struct qp_matrix answer = {0};
    bool good = true, more = false;
    size_t corrected = 0;
    keep(s);
    enum qp_status status = s->direct != NULL ? qp_dense_solve_direct(s) : eliminate(s, &answer);
    const bool solved = status == QP_OK && (s->factors != NULL || answer.values != NULL);
#pragma omp parallel for schedule(dynamic) reduction(&& : good) reduction(|| : more) \
    reduction(+ : corrected) if (qp_dense_is_large(s))
    for (size_t k = 0; k < (solved ? s->sides : 0); k++) {
        const double before = s->left[k];
        if (qp_is_interrupted(s->desc->interrupt))
            continue;
        good = correct_side(s, &answer, k) && good;
        corrected++;
        more =
            more || (wants_more(s, k) && s->left[k] <= worthwhile * before && isfinite(s->left[k]));
    }
    qp_matrix_destroy(&answer);
    s->is_halfway = corrected < s->sides;
    s->gained = more || s->is_halfway;
    return status != QP_OK || good ? status : qp_dense_lacks_memory();
}

/* ---- All rounds, and the host's part ---- */

/* Refuses because of the variant's own limits: nothing is wrong with the matrix. */
static enum qp_status refuse_row(const struct qp_variant *variant)
{
    if (!qp_gauss_jordan_exchanges_rows(variant->recipe))
        return qp_fail(
            QP_UNSUPPORTED,
            "%s loses every digit of this matrix, for it does not exchange rows; " QP_TAKE_PIVOTING,
            variant->name);
    return qp_fail(QP_UNSUPPORTED, "%s loses every digit of this matrix; take a variant of 32 bits",
                   variant->name);
}

bool qp_dense_does_all(const struct qp_variant *variant)
{
    return variant == NULL ||
           (qp_gauss_jordan_exchanges_rows(variant->recipe) && !qp_recipe_is_half(variant->recipe));
}

/* Decides on the host, after float was not enough: elimination found no pivot, as `status` and the
 * sentence say, or probes have not shown that A is regular, or a side is stuck. The host's solution
 * is taken where the variant did all that float can do. */
static enum qp_status decide(struct qp_dense *s, enum qp_status status)
{
    const struct qp_variant *variant = s->out->variant;
    char why[256];
    snprintf(why, sizeof why, "%s", qp_error());
    if (status != QP_OK && !qp_dense_does_all(variant))
        return status;
    if (s->n <= QP_DENSE_MOST_ON_HOST) {
        status = qp_dense_solve_on_host(s);
        return status == QP_OK && s->regular && !qp_dense_does_all(variant) ? refuse_row(variant)
                                                                            : status;
    }
    if (status != QP_OK && s->direct != NULL)
        return qp_fail(status, "%s", why);
    if (status != QP_OK)
        return qp_fail(QP_UNSUPPORTED,
                       "%s; with more than %d unknowns nobody looked whether double can", why,
                       QP_DENSE_MOST_ON_HOST);
    return qp_dense_does_all(variant) ? QP_OK : refuse_row(variant);
}

/* True if a side's residual is far above the one that the rounding of x to double explains: rounds
 * in float gained too little. */
static bool is_any_stuck(const struct qp_dense *s)
{
    for (size_t k = 0; k < (size_t)s->out->sides; k++) {
        if (wants_more(s, k) && s->left[k] > 16.0 * least_left(s, k))
            return true;
    }
    return false;
}

static bool are_probes_solved(const struct qp_dense *s)
{
    const size_t first = (size_t)s->out->sides;
    for (size_t k = first; k < first + QP_PROBES; k++) {
        if (wants_more(s, k))
            return false;
    }
    return true;
}

static enum qp_status save(struct qp_dense *s)
{
    return qp_checkpoint_is_due(s->checkpoint) ? qp_checkpoint_write(s->checkpoint) : QP_OK;
}

enum qp_status qp_dense_take_rounds(struct qp_dense *s)
{
    enum qp_status status = qp_is_interrupted(s->desc->interrupt) ? save(s) : QP_OK;
    while (s->gained && status == QP_OK && !qp_is_interrupted(s->desc->interrupt)) {
        status = take_round(s);
        if (status == QP_OK)
            status = save(s);
    }
    s->regular = status == QP_OK && are_probes_solved(s);
    const bool enough = s->regular && !(qp_dense_does_all(s->out->variant) && is_any_stuck(s));
    if ((status != QP_OK && status != QP_BAD_INPUT) || enough ||
        qp_is_interrupted(s->desc->interrupt))
        return status;
    keep(s);
    status = decide(s, status);
    s->is_halfway = true;
    return status == QP_OK && qp_is_interrupted(s->desc->interrupt) ? save(s) : status;
}
