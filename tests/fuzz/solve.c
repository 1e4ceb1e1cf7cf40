/* SPDX-License-Identifier: MIT */
/* An untrusted matrix after the reader: grids, scaling, and both methods without a device. */
#include "fuzz.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <quadpass/method.h>
#include <quadpass/problem.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/solve/regular.h"
#include "toolkit/io/market.h"

enum { MOST_VARIANTS = 64, MOST_SOLVED = 24 };

static bool is_one_of(enum qp_status status, enum qp_status other)
{
    return status == QP_OK || status == QP_BAD_INPUT || status == other;
}

/* ---- Grids ---- */

static void put_on(const struct qp_market *a, int width, int height, bool may_fit)
{
    struct qp_problem problem;
    enum qp_status status = qp_problem_from_market(a, width, height, &problem);
    PROMISE(status != QP_OK || may_fit);
    PROMISE(is_one_of(status, QP_BAD_USE));
    PROMISE(status != QP_OK || problem.width * problem.height == a->rows);
    PROMISE(status != QP_OK || width == 0 || (problem.width == width && problem.height == height));
    PROMISE(status != QP_OK || (problem.weight > 0.0 && problem.weight < 2.0));
    qp_problem_destroy(&problem);
}

static void put_on_grids(const struct qp_market *a)
{
    const bool fits = qp_problem_has_grid(a);
    if (a->rows > MOST_VARIANTS)
        return;
    put_on(a, 0, 0, fits);
    for (int width = 1; width <= a->rows; width++)
        put_on(a, width, a->rows / width, a->rows % width == 0);
    put_on(a, a->rows, 2, false);
    put_on(a, 46341, 46341, false); /* more cells than an int holds */
}

/* ---- Scaling ---- */

/* Each column's largest element, as scaled, is in [1/2, 1). */
static void scale(const struct qp_market *a)
{
    struct qp_scaling scaling = {0};
    if (qp_dense_check(a) == QP_OK && qp_scaling_create(a, &scaling) == QP_OK) {
        double most[MOST_VARIANTS] = {0.0};
        for (size_t k = 0; k < a->count; k++) {
            int i, j;
            qp_market_place(a, k, &i, &j);
            most[j] = fmax(most[j], fabs(ldexp(a->value[k], scaling.row[i] + scaling.column[j])));
        }
        for (int j = 0; j < a->rows; j++)
            PROMISE(most[j] >= 0.5 && most[j] < 1.0);
    }
    qp_scaling_destroy(&scaling);
}

/* ---- Solutions ---- */

/* ||b - A x|| / ||b|| for b = A times ones, in long double, is not above what is claimed. */
static void check_residual(const struct qp_market *a, const double *x, double claimed)
{
    long double rest[MOST_SOLVED] = {0}, right[MOST_SOLVED] = {0}, above = 0, below = 0;
    for (size_t k = 0; k < a->count; k++) {
        int i, j;
        qp_market_place(a, k, &i, &j);
        rest[i] += a->value[k] * (1.0L - x[j]);
        right[i] += a->value[k];
    }
    for (int i = 0; i < a->rows; i++) {
        PROMISE(isfinite(x[i]));
        above += rest[i] * rest[i];
        below += right[i] * right[i];
    }
    const long double residual = sqrtl(above) / (below > 0 ? sqrtl(below) : 1);
    PROMISE(residual <= 1.001L * claimed + 1e-15L || claimed > 1.0);
}

static void eliminate(const struct qp_market *a, bool refine, bool regular)
{
    struct qp_dense_solution got;
    const enum qp_status status =
        qp_solve_dense(NULL, a, NULL, 1, &(struct qp_dense_desc){.refine = refine}, &got);
    PROMISE(is_one_of(status, QP_UNSUPPORTED));
    PROMISE(status == QP_OK || !regular || strstr(qp_error(), "singular") == NULL);
    if (status == QP_OK) {
        check_residual(a, got.x, got.residual);
        PROMISE((got.ending == QP_CONVERGED) == (got.residual <= got.tolerance));
        PROMISE(got.digits >= 0 && got.digits <= 15 && got.regular);
    }
    qp_dense_solution_destroy(&got);
}

static void take_either(const struct qp_market *a, bool refine)
{
    struct qp_answer got;
    const struct qp_solve_desc desc = {.refine = refine, .most_steps = 200};
    const enum qp_status status = qp_solve_system(NULL, a, NULL, 1, NULL, &desc, &got);
    PROMISE(is_one_of(status, QP_UNSUPPORTED));
    if (status == QP_OK) {
        check_residual(a, got.x, got.side[0].residual);
        PROMISE(got.converged == (got.side[0].residual <= 1e-5));
        PROMISE(got.side[0].reason[0] != '\0' && got.side[0].sentence[0] != '\0');
    }
    qp_answer_destroy(&got);
}

void fuzz_solve(const struct qp_market *a)
{
    bool regular = false;
    enum { MOST_LOOKED_AT = 1 << 20 };
    if (a->rows <= MOST_LOOKED_AT)
        PROMISE(is_one_of(qp_look_whether_regular(a, &regular), QP_NO_MEMORY));
    put_on_grids(a);
    if (a->rows > MOST_VARIANTS)
        return;
    scale(a);
    for (int refine = 0; refine < 2 && a->rows <= MOST_SOLVED; refine++) {
        eliminate(a, refine, regular);
        take_either(a, refine);
    }
}
