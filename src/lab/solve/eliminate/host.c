/* SPDX-License-Identifier: MIT */
/* Elimination on the host with complete pivoting, P A Q = L U in twice double's digits
 * (toolkit/base/twofold.h), for matrices that float cannot tell from singular ones. The pivot is
 * the largest remaining element, so that hardly anything grows, Wilkinson's matrix included, and
 * where only roundings remain the remaining columns are combinations of those before them. */
#include <stdlib.h>

#include "lab/solve/eliminate/elimination.h"
#include "toolkit/base/sets.h"
#include "toolkit/base/twofold.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/market.h"

struct factors {
    size_t n;
    double *high, *low;   /* U, and below its diagonal L, row by row */
    double *most;         /* largest remaining magnitude of each row */
    size_t *row, *column; /* row and column of A that are stored at each place */
    double largest;       /* largest magnitude of A */
};

static struct qp_twofold at(const struct factors *f, size_t i, size_t j)
{
    return (struct qp_twofold){f->high[i * f->n + j], f->low[i * f->n + j]};
}

/* ---- Beginning and end ---- */

static void destroy(struct factors *f)
{
    free(f->high);
    free(f->most);
    free(f->row);
    *f = (struct factors){0};
}

/* Copies A, scaled by powers of two. */
static enum qp_status create(const struct qp_dense *s, struct factors *f)
{
    const size_t n = s->n;
    *f = (struct factors){.n = n,
                          .high = qp_alloc_zero(2 * n * n, sizeof *f->high, "a matrix in double"),
                          .most = qp_alloc_zero(n, sizeof *f->most, "its rows' largest elements"),
                          .row = qp_alloc(2 * n, sizeof *f->row, "its rows and columns")};
    if (f->high == NULL || f->most == NULL || f->row == NULL)
        return QP_NO_MEMORY;
    f->low = f->high + n * n;
    f->column = f->row + n;
    for (size_t k = 0; k < n; k++)
        f->row[k] = f->column[k] = k;
    for (size_t k = 0; k < s->matrix->count; k++) {
        int i, j;
        qp_market_place(s->matrix, k, &i, &j);
        const double value = ldexp(s->matrix->value[k], s->scaling.row[i] + s->scaling.column[j]);
        f->high[(size_t)i * n + (size_t)j] = value;
        f->most[i] = fmax(f->most[i], fabs(value));
    }
    return QP_OK;
}

/* ---- Factors ---- */

/* Subtracts a multiple of the pivot's row from a row, and finds the largest remaining element. */
QP_EACH_FMA_SET
static double subtract(const double *restrict pivot_high, const double *restrict pivot_low,
                       struct qp_twofold factor, size_t count, double *restrict high,
                       double *restrict low)
{
    double most = 0.0;
#pragma omp simd reduction(max : most)
    for (size_t j = 0; j < count; j++) {
        const struct qp_twofold old = {high[j], low[j]}, pivot = {pivot_high[j], pivot_low[j]};
        const struct qp_twofold rest = qp_twofold_minus_product(old, factor, pivot);
        high[j] = rest.high;
        low[j] = rest.low;
        most = fabs(rest.high) > most ? fabs(rest.high) : most;
    }
    return most;
}

static void exchange(double *a, double *b)
{
    const double old = *a;
    *a = *b;
    *b = old;
}

static void exchange_places(size_t *a, size_t *b)
{
    const size_t old = *a;
    *a = *b;
    *b = old;
}

/* Brings the largest remaining element to place (k, k). */
static void take_pivot(struct factors *f, size_t k)
{
    const size_t n = f->n;
    size_t row = k, column = k;
    for (size_t i = k + 1; i < n; i++)
        row = f->most[i] > f->most[row] ? i : row;
    for (size_t j = k + 1; j < n; j++)
        column = fabs(f->high[row * n + j]) > fabs(f->high[row * n + column]) ? j : column;
    for (size_t j = 0; j < n && row != k; j++) {
        exchange(&f->high[k * n + j], &f->high[row * n + j]);
        exchange(&f->low[k * n + j], &f->low[row * n + j]);
    }
    for (size_t i = 0; i < n && column != k; i++) {
        exchange(&f->high[i * n + k], &f->high[i * n + column]);
        exchange(&f->low[i * n + k], &f->low[i * n + column]);
    }
    exchange(&f->most[k], &f->most[row]);
    exchange_places(&f->row[k], &f->row[row]);
    exchange_places(&f->column[k], &f->column[column]);
    f->largest = fmax(f->largest, f->most[k]);
}

static void eliminate(struct factors *f, size_t k)
{
    const size_t n = f->n, first = k * n + k + 1;
    const struct qp_twofold pivot = at(f, k, k);
#pragma omp parallel for schedule(static) if (n - k > 100)
    for (size_t i = k + 1; i < n; i++) {
        const struct qp_twofold factor = qp_twofold_over(at(f, i, k), pivot);
        f->high[i * n + k] = factor.high;
        f->low[i * n + k] = factor.low;
        f->most[i] = subtract(f->high + first, f->low + first, factor, n - k - 1,
                              f->high + i * n + k + 1, f->low + i * n + k + 1);
    }
}

/* Refuses a matrix without a k-th pivot: as singular, unless an entry that is not 0 is as small as
 * the pivot's roundings, though rows and columns are scaled. */
static enum qp_status refuse(const struct qp_dense *s, const struct factors *f, size_t k,
                             double rounding)
{
    const double none = rounding * f->largest;
    size_t last = 0, least = 0, most = 0;
    double low = INFINITY, high = 0.0;
    for (size_t e = 0; e < s->matrix->count; e++) {
        int i, j;
        qp_market_place(s->matrix, e, &i, &j);
        const double value = fabs(s->matrix->value[e]),
                     scaled = ldexp(value, s->scaling.row[i] + s->scaling.column[j]);
        least = value != 0.0 && scaled < low ? e : least;
        low = value != 0.0 ? fmin(low, scaled) : low;
        most = value > high ? e : most;
        high = fmax(high, value);
    }
    int row, column, other_row, other_column;
    qp_market_place(s->matrix, least, &row, &column);
    qp_market_place(s->matrix, most, &other_row, &other_column);
    if (low <= none)
        return qp_fail(QP_UNSUPPORTED,
                       "row %d, column %d holds %g, and row %d, column %d %g: the range inside the "
                       "matrix is too wide for elimination; take other units",
                       row + 1, column + 1, s->matrix->value[least], other_row + 1,
                       other_column + 1, s->matrix->value[most]);
    for (size_t j = k; j < f->n; j++)
        last = f->column[j] > last ? f->column[j] : last;
    return qp_fail(QP_BAD_INPUT,
                   "the matrix is singular to thirty digits: column %zu is a combination of the "
                   "others",
                   last + 1);
}

/* A pivot counts as zero where roundings, at most 16 2^-104 of the largest element in each of up to
 * N steps, may have left it. */
static enum qp_status factor(const struct qp_dense *s, struct factors *f)
{
    const double rounding = 16.0 * (double)f->n * 0x1p-104;
    for (size_t k = 0; k < f->n && !qp_is_interrupted(s->desc->interrupt); k++) {
        take_pivot(f, k);
        if (f->most[k] <= rounding * f->largest)
            return refuse(s, f, k, rounding);
        eliminate(f, k);
    }
    return QP_OK;
}

/* ---- Solutions ---- */

/* Solves L U c = b in place. */
static void substitute(const struct factors *f, struct qp_twofold *c)
{
    for (size_t i = 0; i < f->n; i++) {
        for (size_t k = 0; k < i; k++)
            c[i] = qp_twofold_minus_product(c[i], at(f, i, k), c[k]);
    }
    for (size_t i = f->n; i-- > 0;) {
        for (size_t k = i + 1; k < f->n; k++)
            c[i] = qp_twofold_minus_product(c[i], at(f, i, k), c[k]);
        c[i] = qp_twofold_over(c[i], at(f, i, i));
    }
}

/* False without memory. */
static bool solve_side(const struct qp_dense *s, const struct factors *f, size_t side)
{
    const double *b = s->b + side * s->n;
    double *x = s->x + side * s->n;
    const int exponent = qp_dense_exponent(s, b);
    struct qp_twofold *c = calloc(s->n, sizeof *c);
    if (c == NULL)
        return false;
    for (size_t i = 0; i < s->n; i++)
        c[i].high = ldexp(b[f->row[i]], s->scaling.row[f->row[i]] - exponent);
    substitute(f, c);
    for (size_t i = 0; i < s->n; i++)
        x[f->column[i]] = ldexp(c[i].high, s->scaling.column[f->column[i]] + exponent);
    free(c);
    return true;
}

enum qp_status qp_dense_solve_on_host(struct qp_dense *s)
{
    struct factors f;
    enum qp_status status = create(s, &f);
    if (status == QP_OK)
        status = factor(s, &f);
    size_t solved = 0;
    bool good = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : good) reduction(+ : solved) \
    if (qp_dense_is_large(s))
    for (size_t side = 0; side < (status == QP_OK ? s->sides : 0); side++) {
        if (qp_is_interrupted(s->desc->interrupt))
            continue;
        good = solve_side(s, &f, side) && qp_dense_measure_side(s, side) && good;
        solved++;
    }
    destroy(&f);
    s->out->on_host = solved == s->sides;
    s->regular |= s->out->on_host;
    if (status == QP_OK && !good)
        status = qp_fail(QP_NO_MEMORY, "no memory for solutions; take fewer right-hand sides");
    return status == QP_NO_MEMORY ? qp_fail_within(status, "elimination on the host") : status;
}
