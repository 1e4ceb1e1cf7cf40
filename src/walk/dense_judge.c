/* SPDX-License-Identifier: MIT */
/* What is left after elimination, in double, and what that tells of matrix and solution. */
#include "walk/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "io/market.h"
#include "ops/half.h"
#include "walk/solving.h"

void qp_dense_measure_matrix(struct qp_dense *s)
{
    const struct qp_matrix *all = &s->problem.field[QP_AUGMENTED];
    double sum = 0.0;
    for (size_t k = 0; k < s->n * s->n; k++) {
        double value = all->values[k / s->n * (size_t)all->width + k % s->n];
        sum += value * value;
    }
    s->norm_scaled = sqrt(sum);
    s->norm_given = qp_norm(s->matrix->value, s->matrix->count);
}

/* ---- Residuals, in double ---- */

/* rest = b - A x of one side, and its norms. */
void qp_dense_measure_side(struct qp_dense *s, size_t side)
{
    const double *b = s->b + side * s->n;
    double *rest = s->rest + side * s->n;
    double all = qp_norm(b, s->n), scaled = qp_norm_scaled(b, s->scaling.row, 1, s->n);
    memcpy(rest, b, s->n * sizeof *rest);
    qp_market_add_product(s->matrix, -1.0, s->x + side * s->n, rest);
    s->residual[side] = qp_norm(rest, s->n) / (all > 0.0 ? all : 1.0);
    s->left[side] = qp_norm_scaled(rest, s->scaling.row, 1, s->n) / (scaled > 0.0 ? scaled : 1.0);
}

/* ---- What probes tell ---- */

/* The column with the largest part in what A takes to nearly nothing. */
static size_t dependent_column(const struct qp_dense *s)
{
    size_t worst = 0;
    double most = -1.0;
    for (size_t j = 0; j < s->n; j++) {
        double part = 0.0;
        for (size_t k = s->sides - QP_ALL_PROBES; k < s->sides; k++)
            part += fabs(ldexp(s->x[k * s->n + j], -s->scaling.column[j]));
        if (part > most) {
            most = part;
            worst = j;
        }
    }
    return worst;
}

/* E ||A^-1 z||^2 = ||A^-1||_F^2 E ||z||^2 / N for a z of independent components. */
static void estimate_conditions(struct qp_dense *s)
{
    const size_t n = s->n, given = s->sides - QP_PROBES;
    double scaled = 0.0, plain = 0.0;
    for (size_t k = 0; k < QP_PROBES; k++) {
        const double *x = s->x + (given - QP_PROBES + k) * n,
                     *z = s->b + (given - QP_PROBES + k) * n;
        scaled += pow(qp_norm_scaled(x, s->scaling.column, -1, n) /
                          qp_norm_scaled(z, s->scaling.row, 1, n),
                      2.0);
        plain += pow(qp_norm(s->x + (given + k) * n, n) / qp_norm(s->b + (given + k) * n, n), 2.0);
    }
    s->out->scaled_condition = s->norm_scaled * sqrt((double)n * scaled / QP_PROBES);
    s->out->condition = s->norm_given * sqrt((double)n * plain / QP_PROBES);
}

/* LU with partial pivoting in double, of n x n values row by row, in place. Returns the largest
 * number that was left by it; *weakest is the column with the least pivot. */
static double factor(double *a, size_t n, size_t *weakest)
{
    double growth = 0.0, least = INFINITY;
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        for (size_t j = k; j < n && pivot != k; j++) {
            double old = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = old;
        }
        if (fabs(a[k * n + k]) < least) {
            least = fabs(a[k * n + k]);
            *weakest = k;
        }
        for (size_t i = k + 1; i < n && least > 0.0; i++) {
            double part = a[i * n + k] / a[k * n + k];
            for (size_t j = k + 1; j < n; j++) {
                a[i * n + j] -= part * a[k * n + j];
                growth = fmax(growth, fabs(a[i * n + j]));
            }
        }
        if (least == 0.0)
            break;
    }
    return growth;
}

/* How far elements grow over the largest of the scaled matrix, and the column that is nearest to
 * having no pivot. Double tells what float could not; beyond a few seconds' work, or without
 * memory, growth is taken for 1. */
static double examine(const struct qp_dense *s, size_t *column)
{
    enum { MOST_UNKNOWNS = 2048 };
    const struct qp_matrix *all = &s->problem.field[QP_AUGMENTED];
    double *a = s->n <= MOST_UNKNOWNS ? qp_alloc(s->n * s->n, sizeof *a, "a matrix") : NULL;
    double most = 0.0;
    *column = dependent_column(s);
    for (size_t k = 0; k < s->n * s->n && a != NULL; k++) {
        a[k] = all->values[k / s->n * (size_t)all->width + k % s->n];
        most = fmax(most, fabs(a[k]));
    }
    double growth = a != NULL && most > 0.0 ? factor(a, s->n, column) / most : 1.0;
    free(a);
    return growth;
}

/* Without a solution worth the name: A^-1 is large, or elements grew on the way until roundings of
 * theirs were as large as A's own. */
static enum qp_status name_reason(const struct qp_dense *s)
{
    const struct qp_variant *variant = s->out->variant;
    const double unit = qp_recipe_is_half(variant->recipe) ? 0x1p-11 : 0x1p-24;
    size_t column;
    if (!qp_gauss_jordan_exchanges_rows(variant->recipe))
        return qp_fail(
            QP_UNSUPPORTED,
            "%s loses every digit of this matrix, for it does not exchange rows; " QP_TAKE_PIVOTING,
            variant->name);
    if (examine(s, &column) * (double)s->n * unit > 1.0)
        return qp_fail(QP_UNSUPPORTED,
                       "%s loses every digit of this matrix, which is far from singular: its "
                       "elements grow in elimination as if rows were not exchanged; solve with "
                       "columns in another order",
                       variant->name);
    return qp_fail(QP_BAD_INPUT,
                   "the matrix is singular, or so nearly that float cannot tell: column %zu is a "
                   "combination of the others",
                   column + 1);
}

enum qp_status qp_dense_check_probes(struct qp_dense *s)
{
    double left = 0.0;
    for (size_t k = s->sides - QP_ALL_PROBES; k < s->sides; k++)
        left = fmax(left, s->left[k]);
    estimate_conditions(s);
    return left < QP_DENSE_HOPELESS ? QP_OK : name_reason(s);
}

/* With the relative backward error e (Rigal and Gaches) and the condition K the relative error is
 * at most about 2 K e; x itself is rounded to double. */
static void estimate_error(struct qp_dense *s)
{
    double worst = 0.0;
    for (size_t k = 0; k < (size_t)s->out->sides; k++) {
        double rest = qp_norm_scaled(s->rest + k * s->n, s->scaling.row, 1, s->n);
        double all = qp_norm_scaled(s->b + k * s->n, s->scaling.row, 1, s->n) +
                     s->norm_scaled * qp_norm_scaled(s->x + k * s->n, s->scaling.column, -1, s->n);
        worst = fmax(worst, rest > 0.0 ? rest / all : 0.0);
    }
    s->out->error = fmin(1.0, 2.0 * s->out->scaled_condition * (worst + DBL_EPSILON / 2.0));
}

static void count_sides(struct qp_dense *s)
{
    struct qp_dense_solution *out = s->out;
    for (int k = 0; k < out->sides; k++) {
        out->converged += s->residual[k] <= s->tolerance;
        if (!(s->residual[k] <= s->residual[out->worst]))
            out->worst = k;
    }
    out->residual = s->residual[out->worst];
    out->ending = out->converged == out->sides            ? QP_CONVERGED
                  : qp_is_interrupted(s->desc->interrupt) ? QP_INTERRUPTED
                                                          : QP_STAGNATED;
}

/* What of x may be believed. */
static void promise(const struct qp_dense *s, char *text, size_t size)
{
    const struct qp_dense_solution *out = s->out;
    const int digits = (int)floor(-log10(out->error));
    char certain[48] = "no digit of x is certain";
    if (digits > 0)
        snprintf(certain, sizeof certain, "x has about %d certain digit%s", digits,
                 digits > 1 ? "s" : "");
    snprintf(text, size, "condition about %.2g, %.2g as scaled, so %s%s", out->condition,
             out->scaled_condition, certain,
             s->desc->refine || digits > 5 ? "" : "; refinement goes further");
}

static void tell(struct qp_dense *s)
{
    struct qp_dense_solution *out = s->out;
    char where[128], what[160] = "nothing is eliminated yet";
    snprintf(where, sizeof where, "residual %.3g after %d elimination%s in %.3g s", out->residual,
             out->eliminations, out->eliminations == 1 ? "" : "s", out->seconds);
    if (out->eliminations > 0)
        promise(s, what, sizeof what);
    const char *how = out->ending == QP_CONVERGED     ? "converged"
                      : out->ending == QP_INTERRUPTED ? "interrupted"
                      : s->desc->refine               ? "stagnated, refinement gains nothing more"
                      : qp_recipe_is_half(out->variant->recipe)
                          ? "stagnated at the floor of 16 bits"
                          : "stagnated at the floor of float";
    snprintf(out->sentence, sizeof out->sentence, "%s: %s; %s", how, where, what);
}

void qp_dense_judge(struct qp_dense *s)
{
    if (s->out->eliminations > 0) {
        estimate_conditions(s);
        estimate_error(s);
    }
    count_sides(s);
    s->out->seconds = qp_clock() - s->begin;
    tell(s);
}
