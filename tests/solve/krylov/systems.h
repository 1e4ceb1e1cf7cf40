/* SPDX-License-Identifier: MIT */
/* Systems that tests of Krylov methods solve, and their runs. */
#ifndef QP_TESTS_SOLVE_KRYLOV_SYSTEMS_H
#define QP_TESTS_SOLVE_KRYLOV_SYSTEMS_H

#include "support/support.h"

#include <math.h>
#include <stdlib.h>

#include "lab/solve/krylov/steps.h"
#include "toolkit/base/random.h"

enum { N = 400, SIDE = 20 };

/* ---- Matrices ---- */

/* Five points on SIDE columns, n rows; `skew` makes it unsymmetric, and `places` random. */
static inline struct qp_sparse make(int n, double skew, bool places)
{
    struct qp_sparse a;
    uint64_t seed = 5;
    size_t count = 0;
    assert_ok(qp_sparse_allocate(n, (size_t)n * 64, &a));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const int d = abs(i - j);
            const bool beside = d == SIDE || (d == 1 && i / SIDE == j / SIDE);
            if (d != 0 && (places ? qp_random(&seed, 0.0, 1.0) > 5.0 / n : !beside))
                continue;
            a.column[count] = j;
            a.value[count++] =
                d == 0 ? 4.0f + (places ? 1.0f : 0.0f) : (float)(-1.0 + (j > i ? skew : -skew));
        }
        a.first[i + 1] = count;
    }
    a.count = count;
    return a;
}

static inline void multiply(const struct qp_sparse *a, const double *x, double *y)
{
    for (int i = 0; i < a->rows; i++) {
        y[i] = 0.0;
        for (size_t k = a->first[i]; k < a->first[i + 1]; k++)
            y[i] += (double)a->value[k] * x[a->column[k]];
    }
}

static inline double dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* ---- Runs ---- */

/* Tests run twice: with steps of fragments, and of compute shaders. */
static enum qp_krylov_form form;

static inline int open_for_fragments(void **state)
{
    form = QP_KRYLOV_FRAGMENTS;
    return support_open_context(state);
}

static inline int open_for_compute(void **state)
{
    form = QP_KRYLOV_COMPUTE;
    return support_open_context(state);
}

static inline struct qp_krylov *create(struct qp_context *context, const struct qp_sparse *a,
                                       enum qp_krylov_method method,
                                       enum qp_krylov_precondition precondition,
                                       enum qp_product_layout layout)
{
    struct qp_krylov *k;
    assert_ok(qp_krylov_create(&(struct qp_krylov_desc){.context = context,
                                                        .matrix = a,
                                                        .method = method,
                                                        .precondition = precondition,
                                                        .layout = layout,
                                                        .form = form},
                               &k));
    if (form != QP_KRYLOV_BEST)
        assert_int_equal(k->computes,
                         form == QP_KRYLOV_COMPUTE &&
                             (qp_context_device(context)->abilities & QP_CAN_COMPUTE) != 0);
    return k;
}

static inline struct qp_krylov_result run(struct qp_krylov *k, const float *r, double target,
                                          int most, float *d)
{
    struct qp_krylov_result result;
    const struct qp_krylov_run desc = {.r = r, .target = target, .most_steps = most};
    assert_ok(qp_krylov_run(k, &desc, &result));
    assert_ok(qp_krylov_answer(k, d));
    return result;
}

static inline void fill(int n, float *r, double *b)
{
    uint64_t seed = 11;
    for (int i = 0; i < n; i++)
        b[i] = (double)(r[i] = (float)qp_random(&seed, -100.0, 100.0));
}

static const struct {
    enum qp_krylov_method method;
    enum qp_krylov_precondition precondition;
} methods[] = {{QP_KRYLOV_CG, QP_KRYLOV_NONE},
               {QP_KRYLOV_CG, QP_KRYLOV_POLYNOMIAL},
               {QP_KRYLOV_BICGSTAB, QP_KRYLOV_JACOBI},
               {QP_KRYLOV_CHEBYSHEV, QP_KRYLOV_NONE},
               {QP_KRYLOV_MINRES, QP_KRYLOV_JACOBI}};

#endif
