/* SPDX-License-Identifier: MIT */
/* Residuals after elimination, and estimates of condition and error from them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/numbers.h"
#include "lab/solve/residual.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"

/* ---- Residuals ---- */

/* Exponent of the largest element, by which it is scaled to about 1, so that nothing under- or
 * overflows. */
int qp_dense_exponent(const struct qp_dense *s, const double *values)
{
    int most = QP_SCALING_NO_EXPONENT;
    for (size_t i = 0; i < s->n; i++) {
        int exponent;
        frexp(values[i], &exponent);
        exponent += s->scaling.row[i];
        if (values[i] != 0.0 && exponent > most)
            most = exponent;
    }
    return most == QP_SCALING_NO_EXPONENT ? 0 : most;
}

bool qp_dense_measure_side(struct qp_dense *s, size_t side)
{
    const double *b = s->b + side * s->n, *lost = side == 0 ? s->lost : NULL;
    double *rest = s->rest + side * s->n, *bound = malloc(2 * s->n * sizeof *bound);
    if (bound == NULL)
        return false;
    qp_residual_find(s->matrix, b, lost, s->x + side * s->n, rest, bound, bound + s->n);
    s->residual[side] = qp_residual_norm(bound, b, NULL, s->n);
    s->left[side] = qp_residual_norm(bound, b, s->scaling.row, s->n);
    free(bound);
    return true;
}

enum qp_status qp_dense_lacks_memory(void)
{
    return qp_fail(QP_NO_MEMORY, "stage 10, compare: no memory for the rounding of residuals; free "
                                 "some, or take a smaller problem");
}

enum qp_status qp_dense_measure(struct qp_dense *s)
{
    bool good = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : good) if (qp_dense_is_large(s))
    for (size_t side = 0; side < s->sides; side++) {
        s->residual[side] = s->left[side] = 1.0;
        if (!qp_is_interrupted(s->desc->interrupt))
            good = qp_dense_measure_side(s, side) && good;
    }
    return good ? QP_OK : qp_dense_lacks_memory();
}

/* ---- Estimates from probes ---- */

/* Threshold of a probe's residual. If A is singular, u^T A = 0 for some u of length 1, and whatever
 * x is, |z - A x| >= |u^T z|, which for a random z is some |z| / sqrt(N). That all eight probes
 * have an eighth of it or less happens to one u in 10^8. */
double qp_dense_doubtful(const struct qp_dense *s)
{
    return 0.125 / sqrt((double)s->n);
}

/* Condition ||A|| ||A^-1||, where ||A^-1||_F^2 / N is the mean of (|x| / |z|)^2 over `count` probes
 * z from number `first` on, x = A^-1 z, for z of independent components. With `scaling` both are
 * scaled. ||A|| is in units of 2^unit. */
static double condition(const struct qp_dense *s, double norm, int unit, size_t first, size_t count,
                        const struct qp_scaling *scaling)
{
    const int *row = scaling != NULL ? scaling->row : NULL,
              *column = scaling != NULL ? scaling->column : NULL;
    double sum = 0.0;
    for (size_t k = first; k < first + count; k++)
        sum = hypot(sum, norm / ldexp(qp_norm_scaled(s->b + k * s->n, row, 1, s->n), -unit) *
                             qp_norm_scaled(s->x + k * s->n, column, -1, s->n));
    return sum * sqrt((double)s->n / (double)count);
}

static void estimate_conditions(struct qp_dense *s)
{
    const size_t first = (size_t)s->out->sides;
    s->out->scaled_condition = condition(s, s->norm_scaled, 0, first, QP_PROBES, &s->scaling);
    s->out->condition =
        condition(s, s->norm_given, s->unit, first + QP_PROBES, QP_GIVEN_PROBES, NULL);
}

/* The largest length of a row of A^-1 R^-1, in the user's units: element j of A^-1 z has the
 * variance of z, one third, times that of row j squared. */
static double largest_row(const struct qp_dense *s)
{
    const double *x = s->x + (size_t)s->out->sides * s->n;
    double most = 0.0;
    for (size_t j = 0; j < s->n; j++) {
        double sum = 0.0;
        for (size_t k = 0; k < QP_PROBES; k++)
            sum = hypot(sum, x[k * s->n + j]);
        most = sum > most || isnan(sum) ? sum : most;
    }
    return ldexp(most * sqrt(3.0 / QP_PROBES), s->shift);
}

/* Estimates errors: x - x' = A^-1 (A x - b), and so |x - x'|_max <= (largest row) |R (b - A x)|_2.
 * Ten times that, for in one case of 10^7 the mean of eight squares is a hundredth of its
 * expectation. */
static void estimate_errors(struct qp_dense *s)
{
    const double row = largest_row(s);
    for (size_t k = 0; k < (size_t)s->out->sides; k++) {
        const double *x = s->x + k * s->n;
        const double all = qp_norm_scaled(s->b + k * s->n, s->scaling.row, 1, s->n);
        const double rest = s->left[k] * all;
        const double error = rest > 0.0 ? 10.0 * row * rest / qp_largest(x, s->n) : 0.0;
        s->error[k] = s->regular && error < 1.0 ? error : 1.0;
        s->out->error = fmax(s->out->error, s->error[k]);
    }
}

/* ---- Sentences ---- */

static void count_sides(struct qp_dense *s)
{
    struct qp_dense_solution *out = s->out;
    for (int k = 0; k < out->sides; k++) {
        out->converged += s->residual[k] <= out->tolerance;
        if (!(s->residual[k] <= s->residual[out->worst]))
            out->worst = k;
    }
    out->residual = s->residual[out->worst];
    out->ending = qp_dense_ending(out->converged == out->sides, s->regular,
                                  qp_is_interrupted(s->desc->interrupt));
}

/* Writes how many digits of x are certain. */
static void promise(const struct qp_dense *s, char *text, size_t size)
{
    const struct qp_dense_solution *out = s->out;
    const int count = out->digits;
    const bool looks = s->n <= QP_DENSE_MOST_ON_HOST;
    const char *digits = s->direct != NULL ? "double" : "float";
    char certain[80] = "no digit of x is certain", more[160] = "";
    if (count > 0)
        snprintf(certain, sizeof certain, "x has about %d certain digit%s, of its largest element",
                 count, count > 1 ? "s" : "");
    if (out->on_host)
        snprintf(more, sizeof more,
                 "; %s is not enough for this matrix, so the host eliminated in twice double's "
                 "digits",
                 digits);
    else if (!s->regular && s->dominant)
        snprintf(more, sizeof more, "; %s is not enough for this matrix", digits);
    else if (!s->regular)
        snprintf(more, sizeof more,
                 "; elimination in %s cannot tell whether A is singular, and %s%s%s", digits,
                 looks ? "elimination in " : "for so many unknowns nobody looked in ",
                 s->direct != NULL ? "twice its digits" : "double", looks ? " did not end" : "");
    else if (!s->desc->refine && count < 6)
        snprintf(more, sizeof more, "; --refine goes further");
    snprintf(text, size, "condition %s %.2g, %.2g as scaled, so %s%s",
             s->regular ? "about" : "at least about", out->condition, out->scaled_condition,
             certain, more);
}

static void tell(struct qp_dense *s)
{
    struct qp_dense_solution *out = s->out;
    const double left = s->left[out->worst];
    char where[240], rows[96] = "", what[320] = "nobody has estimated the condition yet";
    if (out->residual > out->tolerance && left <= out->tolerance)
        snprintf(rows, sizeof rows,
                 " (of the largest rows, where b is small; %.3g with all rows scaled alike)", left);
    snprintf(where, sizeof where, "residual %.3g%s after %d %s%s%s%.40s%s in %.3g s", out->residual,
             rows, out->eliminations, s->direct != NULL ? "solve" : "elimination",
             out->eliminations == 1 ? "" : "s", s->direct != NULL ? " by the factors of " : "",
             s->direct != NULL ? s->direct->name : "", out->on_host ? " and one on the host" : "",
             out->seconds);
    if (out->condition > 0.0)
        promise(s, what, sizeof what);
    const char *how = out->ending == QP_CONVERGED     ? "converged"
                      : out->ending == QP_INTERRUPTED ? "interrupted"
                      : out->on_host                  ? "stagnated at the rounding of x to double"
                                                      : "stagnated, --refine gains nothing more";
    const bool instead =
        s->direct == NULL && !qp_variant_draws(out->variant) && s->obstacle[0] != '\0';
    const size_t room = sizeof out->sentence;
    const int length = snprintf(out->sentence, room, "%s: %s; %s%s%s", how, where, what,
                                instead ? "; on the processor, for OpenGL cannot: " : "",
                                instead ? s->obstacle : "");
    if (length >= (int)room)
        strcpy(out->sentence + room - 4, "...");
}

static enum qp_status check_range(const struct qp_dense *s)
{
    for (size_t k = 0; k < (size_t)s->out->sides * s->n; k++) {
        if (!isfinite(s->x[k]))
            return qp_fail(QP_BAD_INPUT,
                           "element %zu of x is beyond what double holds; give the right-hand side "
                           "or the unknowns in another unit",
                           k % s->n + 1);
    }
    return QP_OK;
}

enum qp_status qp_dense_judge(struct qp_dense *s)
{
    enum qp_status status = check_range(s);
    if (status != QP_OK)
        return status;
    s->out->regular = s->regular || s->dominant;
    estimate_conditions(s);
    estimate_errors(s);
    s->out->digits = qp_certain_digits(s->out->error);
    count_sides(s);
    s->out->seconds = qp_clock() - s->begin;
    tell(s);
    return QP_OK;
}
