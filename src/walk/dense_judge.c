/* SPDX-License-Identifier: MIT */
/* What is left after elimination, in double, and what that tells of matrix and solution. */
#include "walk/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "walk/solving.h"

bool qp_dense_is_interrupted(const struct dense *s)
{
    return s->desc->interrupt != NULL && *s->desc->interrupt != 0;
}

void qp_dense_measure_matrix(struct dense *s)
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
void qp_dense_measure_side(struct dense *s, size_t side)
{
    const double *b = s->b + side * s->n;
    double *rest = s->rest + side * s->n;
    double all = qp_norm(b, s->n), scaled = qp_norm_scaled(b, s->scaling.row, 1, s->n);
    memcpy(rest, b, s->n * sizeof *rest);
    qp_add_product(s->matrix, -1.0, s->x + side * s->n, rest);
    s->residual[side] = qp_norm(rest, s->n) / (all > 0.0 ? all : 1.0);
    s->left[side] = qp_norm_scaled(rest, s->scaling.row, 1, s->n) / (scaled > 0.0 ? scaled : 1.0);
}

/* ---- What probes tell ---- */

/* The column with the largest part in what A takes to nearly nothing. */
static size_t dependent_column(const struct dense *s)
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

enum qp_status qp_dense_check_probes(const struct dense *s)
{
    double left = 0.0;
    for (size_t k = s->sides - QP_ALL_PROBES; k < s->sides; k++)
        left = s->left[k] > left ? s->left[k] : left;
    if (left < QP_DENSE_HOPELESS)
        return QP_OK;
    if (!qp_gauss_jordan_exchanges_rows(s->out->variant->recipe))
        return qp_fail(QP_UNSUPPORTED,
                       "%s loses every digit of this matrix, for it does not exchange rows; take "
                       "one that pivots, such as gauss_jordan/shrinking_pivoted",
                       s->out->variant->name);
    return qp_fail(QP_BAD_INPUT,
                   "the matrix is singular, or so nearly that float cannot tell: column %zu is a "
                   "combination of the others",
                   dependent_column(s) + 1);
}

/* E ||A^-1 z||^2 = ||A^-1||_F^2 E ||z||^2 / N for a z of independent components. */
static void estimate_conditions(struct dense *s)
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

/* With the relative backward error e (Rigal and Gaches) and the condition K the relative error is at
 * most about 2 K e; x itself is rounded to double. */
static void estimate_error(struct dense *s)
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

static void count_sides(struct dense *s)
{
    struct qp_dense_solution *out = s->out;
    for (int k = 0; k < out->sides; k++) {
        out->converged += s->residual[k] <= s->tolerance;
        if (!(s->residual[k] <= s->residual[out->worst]))
            out->worst = k;
    }
    out->residual = s->residual[out->worst];
    out->ending = out->converged == out->sides ? QP_CONVERGED
                  : qp_dense_is_interrupted(s) ? QP_INTERRUPTED
                                               : QP_STAGNATED;
}

/* What of x may be believed. */
static int promise(const struct dense *s, char *text, size_t size)
{
    const struct qp_dense_solution *out = s->out;
    const int digits = (int)floor(-log10(out->error));
    const char *more = s->desc->refine ? "" : "; refinement goes further";
    int end = snprintf(text, size, "condition about %.2g, %.2g as scaled, ", out->condition,
                       out->scaled_condition);
    if (digits < 1)
        return end +
               snprintf(text + end, size - (size_t)end, "so no digit of x is certain%s", more);
    return end + snprintf(text + end, size - (size_t)end, "so x has about %d certain digit%s%s",
                          digits, digits > 1 ? "s" : "", digits < 6 ? more : "");
}

static void tell(struct dense *s)
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
                                                      : "stagnated at the floor of float";
    snprintf(out->sentence, sizeof out->sentence, "%s: %s; %s", how, where, what);
}

void qp_dense_judge(struct dense *s)
{
    if (s->out->eliminations > 0) {
        estimate_conditions(s);
        estimate_error(s);
    }
    count_sides(s);
    s->out->seconds = qp_clock() - s->begin;
    tell(s);
}
