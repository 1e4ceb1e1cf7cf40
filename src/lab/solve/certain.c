/* SPDX-License-Identifier: MIT */
/* Proof of an error. Let <A> have |a_ii| on its diagonal and -|a_ij| elsewhere. If <A> w > 0 for
 * any w > 0, A is regular and |A^-1| <= <A>^-1 (Ostrowski 1937), so that for r = b - A x
 *
 *     |x - x'| = |A^-1 r| <= w max_i |r_i| / (<A> w)_i.
 *
 * However w was found, the check of <A> w, with its roundings, is the proof. The best w is nearly
 * <A>^-1 |r|. Where <A> is worse than A that is too much; so first an estimate d of A^-1 r is taken
 * off, |x - x'| <= |d| + |A^-1 (r - A d)|. BiCGSTAB (van der Vorst 1992) takes some steps towards
 * either. */
#include "lab/solve/certain.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lab/solve/numbers.h"
#include "lab/solve/residual.h"
#include "lab/solve/traits.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/watch.h"

enum { W, D, GOAL, DIAGONAL, R, P, V, T, BOUND };

struct proof {
    const struct qp_market *a;
    const struct qp_sparse *rows; /* its rows */
    size_t n;
    double *vector[QP_CERTAIN_VECTORS]; /* DIAGONAL: a_ii; BOUND: of |r - A d| */
    int steps;                          /* the most towards a vector */
    const volatile sig_atomic_t *interrupt;
    bool plain;   /* A takes the place of <A> */
    double close; /* residual that is small enough */
};

/* Computes y = <A> x / |a_ii|, or A x / |a_ii|, row by row; or with `apart` y = |a_ij| x_j, j other
 * than i, not divided. */
static void multiply(const struct proof *s, const double *x, double *y, bool apart)
{
    const struct qp_sparse *a = s->rows;
    const double *diagonal = s->vector[DIAGONAL];
    for (int i = 0; i < a->rows; i++) {
        double others = 0.0;
        for (size_t k = a->first[i]; k < a->first[i + 1]; k++) {
            const double part = s->plain ? -a->given[k] : fabs(a->given[k]);
            others += a->column[k] != i ? part * x[a->column[k]] : 0.0;
        }
        y[i] =
            apart ? others
                  : copysign(1.0, s->plain ? diagonal[i] : 1.0) * x[i] - others / fabs(diagonal[i]);
    }
}

static double dot(const struct proof *s, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Finds w with <A> w, or A w, near enough to the goal, if few steps lead there. */
static void approach(const struct proof *s, double *w)
{
    double *const *v = s->vector, *goal = v[GOAL], *r = v[R], *p = v[P];
    double rho = 1.0, alpha = 1.0, omega = 1.0;
    bool far = true;
    for (size_t i = 0; i < s->n; i++) {
        r[i] = goal[i];
        w[i] = p[i] = v[V][i] = 0.0;
    }
    for (int k = 0; k < s->steps && far && isfinite(rho) && !qp_is_interrupted(s->interrupt); k++) {
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
            far = far || !(fabs(r[i]) <= (s->plain ? s->close : 0.5 * goal[i]));
        }
    }
}

/* Proves a bound: max |A^-1 (r - A d)|, from above; INFINITY where w proves nothing. Sums of up to
 * n products are off by (n + 1) u, and products that underflow by less than the 2^-950 that each
 * row leaves for them. */
static double prove(const struct proof *s)
{
    const double *w = s->vector[W], *diagonal = s->vector[DIAGONAL], *bound = s->vector[BOUND];
    const double rounding = ((double)s->n + 8.0) * DBL_EPSILON;
    double *others = s->vector[T], most = 0.0;
    multiply(s, w, others, true);
    for (size_t i = 0; i < s->n; i++) {
        const double own = fabs(diagonal[i]) * w[i];
        const double rest = own * (1.0 - 0x1p-50) - others[i] * (1.0 + rounding);
        if (!(own >= 0x1p-900 && isfinite(own) && rest > own * DBL_EPSILON && bound[i] <= DBL_MAX))
            return INFINITY;
        most = fmax(most, bound[i] / rest);
    }
    return isfinite(most) ? most * qp_largest(w, s->n) * (1.0 + 0x1p-40) : INFINITY;
}

/* Sets the goal to values_i / |a_ii|; returns the largest magnitude. */
static double set_goal(const struct proof *s, const double *values)
{
    for (size_t i = 0; i < s->n; i++)
        s->vector[GOAL][i] = values[i] / fabs(s->vector[DIAGONAL][i]);
    return qp_largest(s->vector[GOAL], s->n);
}

/* Finds d, and the bound of the rest that it leaves; false where it does not help. */
static bool find_estimate(struct proof *s, const double *rest, const double *bound)
{
    double *d = s->vector[D], *left = s->vector[BOUND], *lost = s->vector[V];
    const double before = set_goal(s, bound);
    s->plain = true;
    s->close = 0.1 * set_goal(s, rest);
    approach(s, d);
    s->plain = false;
    for (size_t i = 0; i < s->n; i++)
        lost[i] = fmax(bound[i] - fabs(rest[i]), 0.0) + 0x1p-50 * bound[i];
    qp_residual_find(s->a, rest, lost, d, s->vector[T], left, s->vector[P]);
    return set_goal(s, left) < 0.5 * before;
}

/* Takes an estimate off, or 0, which leaves the given bound. */
static void take_off(struct proof *s, const double *rest, const double *bound)
{
    if (s->steps > 0 && find_estimate(s, rest, bound))
        return;
    memset(s->vector[D], 0, s->n * sizeof *bound);
    memcpy(s->vector[BOUND], bound, s->n * sizeof *bound);
}

/* Fills in w by a row's distance d from the rows that are strictly dominant, of at most R, as (d +
 * 1) (2 R + 2 - d): for a mesh that is a bow over its boundary, and costs nothing. */
static void fill_by_distance(const struct proof *s, double *w)
{
    void *own = s->vector[V], *queue = s->vector[P]; /* whose values are done with */
    int *distance = own;
    const double most = qp_traits_distances(s->rows, NULL, 1.0, distance, queue);
    for (size_t i = 0; i < s->n; i++)
        w[i] = distance[i] < 0 ? 0.0 : (distance[i] + 1.0) * (2.0 * most + 2.0 - distance[i]);
}

/* Bounds max |x - x'| from above. The goal is |r - A d|, and in rows where that is small a
 * hundredth of the largest. */
static double find_error(struct proof *s, const double *rest, const double *bound)
{
    double *goal = s->vector[GOAL], *w = s->vector[W];
    memset(s->vector[DIAGONAL], 0, s->n * sizeof *w);
    for (int i = 0; i < s->rows->rows; i++) {
        for (size_t k = s->rows->first[i]; k < s->rows->first[i + 1]; k++)
            s->vector[DIAGONAL][i] += s->rows->column[k] == i ? s->rows->given[k] : 0.0;
    }
    take_off(s, rest, bound);
    const double largest = set_goal(s, s->vector[BOUND]);
    for (size_t i = 0; i < s->n; i++)
        goal[i] = fmax(goal[i] / largest, 0.01); /* also for 0 / 0 */
    approach(s, w);
    const double error = prove(s);
    for (size_t i = 0; i < s->n; i++)
        w[i] = 1.0;
    const double plain = prove(s);
    double least = fmin(error, plain);
    fill_by_distance(s, w);
    least = fmin(least, prove(s));
    return least + qp_largest(s->vector[D], s->n);
}

double qp_certain_error(const struct qp_market *a, const struct qp_sparse *rows, const double *x,
                        const double *rest, const double *bound, int steps,
                        const volatile sig_atomic_t *interrupt, double *scratch)
{
    struct proof s = {
        .a = a, .rows = rows, .n = (size_t)a->rows, .steps = steps, .interrupt = interrupt};
    const double wanted = QP_CERTAIN_VECTORS * 8.0 * (double)s.n;
    if (wanted > 0.5 * qp_memory_for(wanted))
        return 1.0;
    for (int k = 0; k < QP_CERTAIN_VECTORS; k++)
        s.vector[k] = scratch + (size_t)k * s.n;
    const double error = find_error(&s, rest, bound) * (1.0 + 0x1p-40);
    const double largest = qp_largest(x, s.n);
    return error == 0.0 ? 0.0 : error < largest ? error / (largest - error) * (1.0 + 0x1p-40) : 1.0;
}
