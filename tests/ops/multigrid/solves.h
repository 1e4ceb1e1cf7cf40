/* SPDX-License-Identifier: MIT */
/* Solves by cycles of the reference, for tests. */
#ifndef QP_TESTS_MULTIGRID_SOLVES_H
#define QP_TESTS_MULTIGRID_SOLVES_H

#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/multigrid/multigrid.h"
#include "lab/plan/problem.h"

static inline struct qp_problem make(const char *kind, int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "multigrid", .kind = kind, .width = width, .height = height, .seed = 3};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

struct solve {
    struct qp_problem problem;
    struct qp_multigrid multigrid;
    int n;
    double *b, *x, *r, *e;
};

static inline struct solve begin(const char *kind, int width, int height)
{
    struct solve s = {.problem = make(kind, width, height), .n = width * height};
    assert_ok(qp_multigrid_make(s.problem.field, QP_MULTIGRID_BOTTOM, &s.multigrid));
    s.b = calloc((size_t)s.n * 4, sizeof *s.b);
    s.x = s.b + s.n;
    s.r = s.x + s.n;
    s.e = s.r + s.n;
    for (int i = 0; i < s.n; i++)
        s.b[i] = s.problem.field[QP_MULTIGRID_B].values[i];
    return s;
}

static inline void end(struct solve *s)
{
    free(s->b);
    qp_multigrid_free(&s->multigrid);
    qp_problem_destroy(&s->problem);
}

static inline double norm_of(const double *v, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* r = b - A x, less its mean where the matrix is singular; and its norm. */
static inline double residual(struct solve *s)
{
    double mean = 0.0;
    qp_multigrid_apply(s->multigrid.grid, s->x, s->r);
    for (int i = 0; i < s->n; i++) {
        s->r[i] = s->b[i] - s->r[i];
        mean += s->r[i] / s->n;
    }
    for (int i = 0; i < s->n && s->multigrid.singular; i++)
        s->r[i] -= mean;
    return norm_of(s->r, s->n);
}

static inline double take(struct solve *s, const struct qp_multigrid_scheme *scheme)
{
    residual(s);
    assert_ok(qp_multigrid_cycle(&s->multigrid, scheme, s->r, s->e));
    for (int i = 0; i < s->n; i++)
        s->x[i] += s->e[i];
    return residual(s);
}

#endif
