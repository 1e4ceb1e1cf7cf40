/* SPDX-License-Identifier: MIT */
/* Many small systems on the CPU: the matrices [A | b] are stored one after the other without gaps,
 * and so do answers. */
#include <math.h>
#include <string.h>

#include "lab/engines/engines.h"
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"

/* Partial pivoting: the row at or below k with the largest magnitude in column k goes to row k. */
static void exchange(float *a, int n, int k)
{
    int best = k;
    for (int i = k + 1; i < n; i++) {
        if (fabsf(a[i * (n + 1) + k]) > fabsf(a[best * (n + 1) + k]))
            best = i;
    }
    for (int j = k; j <= n && best != k; j++) {
        float old = a[k * (n + 1) + j];
        a[k * (n + 1) + j] = a[best * (n + 1) + j];
        a[best * (n + 1) + j] = old;
    }
}

/* Solves one system. Returns the column without a pivot, counted from 1; 0 if every column has
 * one. */
static int solve(float *a, int n, float *x)
{
    for (int k = 0; k < n; k++) {
        const float *row = a + k * (n + 1);
        exchange(a, n, k);
        if (!(fabsf(row[k]) > 0.0f && isfinite(row[k])))
            return k + 1;
        for (int i = k + 1; i < n; i++) {
            float *other = a + i * (n + 1), factor = other[k] / row[k];
            for (int j = k + 1; j <= n; j++)
                other[j] -= factor * row[j];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        float sum = a[k * (n + 1) + n];
        for (int j = k + 1; j < n; j++)
            sum -= a[k * (n + 1) + j] * x[j];
        x[k] = sum / a[k * (n + 1) + k];
    }
    return 0;
}

/* Solves a system of the batch, from a copy, into its row of the answer. */
static void solve_member(const struct qp_sweep *s, int system)
{
    const int n = s->width - 1, values = n * s->width;
    float a[QP_BATCH_MOST_UNKNOWNS * (QP_BATCH_MOST_UNKNOWNS + 1)];
    float *x = s->out + (size_t)system * (size_t)s->width;
    memcpy(a, s->input[0] + (size_t)system * (size_t)values, (size_t)values * sizeof *a);
    x[n] = (float)solve(a, n, x);
    if (x[n] > 0.0f)
        memset(x, 0, (size_t)n * sizeof *x);
}

static void sweep_loop(const struct qp_sweep *s)
{
    for (int system = 0; system < s->height / (s->width - 1); system++)
        solve_member(s, system);
}

/* Systems dealt out to all cores. */
static void sweep_openmp(const struct qp_sweep *s)
{
    const int count = s->height / (s->width - 1);
#pragma omp parallel for schedule(static)
    for (int system = 0; system < count; system++)
        solve_member(s, system);
}

/* A sweep that src/lab/baseline lends: LAPACK. */
struct qp_lent qp_lent_gauss_jordan_batch_sgesv = {.library = "LAPACK"};

const struct qp_recipe qp_gauss_jordan_batch_cpu[] = {
    /* The reference itself. */
    {.name = "gauss_jordan_batch/reference",
     .backend = QP_CPU,
     .layout = "one system after the other",
     .place = "the judge of all variants",
     .sentence = "the equation with partial pivoting, in double; its residuals are judged like any "
                 "variant's",
     .state = QP_FLAT,
     .input = {QP_ARRAY("a", QP_BATCH_AUGMENTED, QP_FLAT)},
     .engine = &qp_engine_reference},

    {.name = "gauss_jordan_batch/loop",
     .backend = QP_CPU,
     .layout = "one system after the other",
     .place = "the obvious C",
     .sentence = "elimination with partial pivoting and substitution in float, on one core",
     .state = QP_FLAT,
     .input = {QP_ARRAY("a", QP_BATCH_AUGMENTED, QP_FLAT)},
     .sweep = sweep_loop},

    {.name = "gauss_jordan_batch/openmp",
     .backend = QP_CPU,
     .layout = "one system after the other",
     .place = "ours: the honest opponent of small matrices",
     .sentence = "loop on all cores, which share nothing: the baseline of the other variants",
     .state = QP_FLAT,
     .input = {QP_ARRAY("a", QP_BATCH_AUGMENTED, QP_FLAT)},
     .sweep = sweep_openmp},

    {.name = "gauss_jordan_batch/sgesv",
     .backend = QP_CPU,
     .layout = "LAPACK's columns",
     .place = "paper 2, deliverables: small matrices",
     .sentence = "a call of LAPACK for each system, on as many threads as are fastest, which wait "
                 "for each other at the lock of OpenBLAS's memory",
     .state = QP_FLAT,
     .input = {QP_ARRAY("a", QP_BATCH_AUGMENTED,
                        {.format = QP_R32F, .flat = true, .columns = true})},
     .lent = &qp_lent_gauss_jordan_batch_sgesv},

    {0},
};
