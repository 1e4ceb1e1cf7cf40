/* SPDX-License-Identifier: MIT */
/* Rounding errors of LU: the residual b - A x of variants that eliminate below the pivots and
 * substitute. (Above the pivots Gauss-Jordan's numbers grow like the inverse of the triangle; LU
 * has no such growth.)
 *
 * An element that is rounded to a_ij + e in some step of elimination is exactly that of an A with e
 * added in place (i, j): the residual of row i gets e x_j. In back substitution the partial sums of
 * (U x)_k are rounded, and L carries the error e_k to row i as l_ik e_k. So, with roundings
 * of either sign that add up like a random walk, the residual of row i has the standard deviation
 *
 *     u |x| sqrt(3 (sum over j, k of (a_ij after step k)^2
 *                   + sum over k of l_ik^2 (N - k) |u_k|^2)),
 *
 * where 3 counts factor, product and difference, and a partial sum is as large as its row of U,
 * |u_k|, in the Euclidean norm. Five of them are exceeded once in a million (gauss_jordan.c). */
#include <math.h>
#include <stdlib.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/plan/problem.h"

/* Factors in place of A: L, without its ones, and U; row by row `rounded` adds up squares of the
 * rounded numbers. */
struct factors {
    int n;
    double *a, *rounded;
};

static double *row_of(const struct factors *f, int i)
{
    return f->a + (size_t)i * (size_t)f->n;
}

/* The maximum norm of A, whose rows it copies. */
static double fill(const struct qp_problem *problem, struct factors *f)
{
    double norm = 0.0;
    for (int i = 0; i < f->n; i++) {
        const float *values =
            problem->field[QP_GAUSS_JORDAN_AUGMENTED].values + (size_t)i * (size_t)problem->width;
        double sum = 0.0;
        for (int j = 0; j < f->n; j++) {
            row_of(f, i)[j] = values[j];
            sum += fabs((double)values[j]);
        }
        f->rounded[i] = 0.0;
        norm = fmax(norm, sum);
    }
    return norm;
}

static void eliminate(struct factors *f, int k)
{
    const int best = qp_gauss_jordan_exchange(f->a, f->n, f->n, k);
    const double *row = row_of(f, k), old = f->rounded[k];
    f->rounded[k] = f->rounded[best];
    f->rounded[best] = old;
    for (int i = k + 1; i < f->n && row[k] != 0.0; i++) {
        double *other = row_of(f, i), squares = 0.0;
        other[k] /= row[k];
        for (int j = k + 1; j < f->n; j++) {
            other[j] -= other[k] * row[j];
            squares += other[j] * other[j];
        }
        f->rounded[i] += squares;
    }
}

/* Adds the error of row k of back substitution to all rows that L carries it to, its own among
 * them. */
static void substitute(struct factors *f, int k)
{
    double squares = 0.0;
    for (int j = k; j < f->n; j++)
        squares += row_of(f, k)[j] * row_of(f, k)[j];
    for (int i = k; i < f->n; i++) {
        const double factor = i > k ? row_of(f, i)[k] : 1.0;
        f->rounded[i] += factor * factor * squares * (f->n - k);
    }
}

/* The largest deviation of a row, in u ||A|| ||x||; NaN without memory. */
static double deviation(const struct qp_problem *problem)
{
    const int n = qp_gauss_jordan_unknowns(problem);
    struct factors f = {n, qp_alloc((size_t)n * (size_t)n, sizeof *f.a, "a matrix"),
                        qp_alloc((size_t)n, sizeof *f.rounded, "its roundings")};
    double most = NAN, norm = 1.0;
    if (f.a != NULL && f.rounded != NULL) {
        norm = fill(problem, &f);
        most = 0.0;
        for (int k = 0; k < n; k++)
            eliminate(&f, k);
        for (int k = 0; k < n; k++)
            substitute(&f, k);
        for (int i = 0; i < n; i++)
            most = fmax(most, f.rounded[i]);
    }
    free(f.a);
    free(f.rounded);
    return norm > 0.0 && isfinite(norm) ? sqrt(3.0 * most) / norm : 0.0;
}

double qp_gauss_jordan_tolerance_lu(const struct qp_recipe *recipe,
                                    const struct qp_problem *problem)
{
    (void)recipe;
    if (!problem->op->judge->wants_reference(problem) ||
        qp_problem_kind(problem) == QP_MATRIX_EXACT)
        return problem->op->tolerance(problem, 1, QP_FLOATS);
    const double allowed = (3.0 + 5.0 * deviation(problem)) * 0x1p-24;
    return allowed > 1.0 ? 1.0 : allowed;
}

/* Splitting rounds a float x by at most 2^-22 |x|, and of a product of two such the smallest of
 * four parts, another 2^-22, is left out: 12 u in place of the product's u, so 1 + 12^2 + 1 in
 * place of the 3. */
double qp_gauss_jordan_tolerance_split(const struct qp_recipe *recipe,
                                       const struct qp_problem *problem)
{
    return fmin(1.0, sqrt(146.0 / 3.0) * qp_gauss_jordan_tolerance_lu(recipe, problem));
}
