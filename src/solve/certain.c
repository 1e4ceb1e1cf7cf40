/* SPDX-License-Identifier: MIT */
/* Proof of an error. Let <A> have |a_ii| on its diagonal and -|a_ij| elsewhere. If <A> w > 0 for any w > 0, A is regular
 * and |A^-1| <= <A>^-1 (Ostrowski 1937), so that for r = b - A x
 *
 *     |x - x'| = |A^-1 r| <= w max_i |r_i| / (<A> w)_i.
 *
 * However w was found, the check of <A> w, with its roundings, is the proof. The best w is nearly <A>^-1 |r|: BiCGSTAB (van
 * der Vorst 1992) takes some steps towards it. */
#include "solve/certain.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"
#include "io/market.h"

enum { W, GOAL, DIAGONAL, R, P, V, T, VECTORS };

struct proof {
    const struct qp_market *a;
    size_t n;
    double *vector[VECTORS]; /* DIAGONAL: |a_ii| */
};

/* y = <A> x / |a_ii|, row by row; or with `apart` y = |a_ij| x_j, j other than i, not divided. */
static void multiply(const struct proof *s, const double *x, double *y, bool apart)
{
    const double *diagonal = s->vector[DIAGONAL];
    for (size_t i = 0; i < s->n; i++)
        y[i] = 0.0;
    for (size_t k = 0; k < s->a->count; k++) {
        int i, j;
        qp_market_place(s->a, k, &i, &j);
        y[i] += i != j ? fabs(s->a->value[k]) * x[j] : 0.0;
    }
    for (size_t i = 0; i < s->n && !apart; i++)
        y[i] = x[i] - y[i] / diagonal[i];
}

static double dot(const struct proof *s, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* w with <A> w near enough to the goal, if few steps lead there. */
static void approach(const struct proof *s, int steps, const volatile sig_atomic_t *interrupt)
{
    double *const *v = s->vector, *w = v[W], *goal = v[GOAL], *r = v[R], *p = v[P];
    double rho = 1.0, alpha = 1.0, omega = 1.0;
    bool far = true;
    for (size_t i = 0; i < s->n; i++) {
        r[i] = goal[i];
        w[i] = p[i] = v[V][i] = 0.0;
    }
    for (int k = 0; k < steps && far && isfinite(rho) && !qp_is_interrupted(interrupt); k++) {
        const double before = rho, beta = (rho = dot(s, goal, r)) / before * (alpha / omega);
        for (size_t i = 0; i < s->n; i++)
            p[i] = r[i] + beta * (p[i] - omega * v[V][i]);
        multiply(s, p, v[V], false);
        alpha = rho / dot(s, goal, v[V]);
        for (size_t i = 0; i < s->n; i++)
            r[i] -= alpha * v[V][i];
        multiply(s, r, v[T], false);
        omega = dot(s, v[T], r) / fmax(dot(s, v[T], v[T]), DBL_MIN);
        far = false;
        for (size_t i = 0; i < s->n; i++) {
            w[i] += alpha * p[i] + omega * r[i];
            r[i] -= omega * v[T][i];
            far = far || !(r[i] <= 0.5 * goal[i]);
        }
    }
}

/* The proof: max |x - x'|, from above; INFINITY where w proves nothing. Sums of up to n products are off by (n + 1) u,
 * and products that underflow by less than the 2^-950 that each row leaves for them. */
static double prove(const struct proof *s, const double *bound)
{
    const double *w = s->vector[W], *diagonal = s->vector[DIAGONAL];
    const double rounding = ((double)s->n + 8.0) * DBL_EPSILON;
    double *others = s->vector[T], largest = 0.0, most = 0.0;
    multiply(s, w, others, true);
    for (size_t i = 0; i < s->n; i++) {
        const double own = diagonal[i] * w[i];
        const double rest = own * (1.0 - 0x1p-50) - others[i] * (1.0 + rounding);
        if (!(w[i] > 0.0 && own >= 0x1p-900 && isfinite(own) && rest > own * DBL_EPSILON))
            return INFINITY;
        largest = fmax(largest, w[i]);
        most = fmax(most, bound[i] / rest);
    }
    return isfinite(most) ? most * largest * (1.0 + 0x1p-40) : INFINITY;
}

/* The goal is |r_i / a_ii|, and in rows where that is small a hundredth of the largest. */
static bool set_goal(const struct proof *s, const double *bound)
{
    double *goal = s->vector[GOAL], *diagonal = s->vector[DIAGONAL], largest = 0.0;
    memset(diagonal, 0, s->n * sizeof *diagonal);
    for (size_t k = 0; k < s->a->count; k++) {
        int i, j;
        qp_market_place(s->a, k, &i, &j);
        if (i == j)
            diagonal[i] = fabs(s->a->value[k]);
    }
    for (size_t i = 0; i < s->n; i++)
        largest = fmax(largest, goal[i] = bound[i] / diagonal[i]);
    for (size_t i = 0; i < s->n; i++)
        goal[i] = largest > 0.0 ? fmax(goal[i] / largest, 0.01) : 1.0;
    return isfinite(largest);
}

double qp_certain_error(const struct qp_market *a, const double *x, const double *bound, int steps,
                        const volatile sig_atomic_t *interrupt)
{
    struct proof s = {.a = a, .n = (size_t)a->rows};
    double error = INFINITY, largest = 0.0, *all = NULL;
    if (VECTORS * 8.0 * (double)s.n < 0.5 * qp_memory_there())
        all = malloc(VECTORS * s.n * sizeof *all);
    for (int k = 0; k < VECTORS && all != NULL; k++)
        s.vector[k] = all + (size_t)k * s.n;
    if (all != NULL && set_goal(&s, bound)) {
        approach(&s, steps, interrupt);
        error = prove(&s, bound);
        for (size_t i = 0; i < s.n; i++) {
            s.vector[W][i] = 1.0;
            largest = fmax(largest, fabs(x[i]));
        }
        error = fmin(error, prove(&s, bound));
    }
    free(all);
    return error == 0.0 ? 0.0 : error < largest ? error / (largest - error) * (1.0 + 0x1p-40) : 1.0;
}
