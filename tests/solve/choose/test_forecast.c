/* SPDX-License-Identifier: MIT */
/* Forecasts: the method that is taken by itself, and what is said of its steps. */
#include "support/exact.h"
#include "support/matrices.h"
#include "support/meshes.h"

#include <string.h>

#include <quadpass/method.h>

#include "lab/baseline/baseline.h"

/* Units of rows and of unknowns that differ by 2^60: the mesh that it is, and no step of Jacobi. */
TEST(units_change_no_forecast)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 70, .height = 70});
    struct qp_answer got;
    for (size_t k = 0; k < a.count; k++) /* D A E */
        a.value[k] = ldexp(a.value[k], a.row[k] * 7 % 61 - a.column[k] * 11 % 59);
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, NULL, &got));
    assert_string_equal(got.side[0].solver, "bicgstab");
    assert_non_null(
        strstr(got.side[0].reason, "the matrix is not symmetric and dominant in other units"));
    assert_true(got.side[0].ending == QP_CONVERGED &&
                exact_residual(&a, NULL, got.x) <= got.side[0].residual);
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* Rows that are not dominant: a forecast of steps would be one of another matrix. */
TEST(unknown_steps_are_called_so)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 70, .height = 70, .less = 0.01});
    struct qp_answer got;
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, NULL, &got));
    assert_non_null(strstr(got.side[0].reason,
                           "the matrix is symmetric, and nobody knows its steps, for rows are not "
                           "dominant: a mesh would need about "));
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* A positive diagonal, and x'A x < 0 for an x that is seen at once: no step of conjugate gradients,
 * which would break down, comes before MINRES, and none before a direct solver that is quick. */
TEST(indefinite_matrices_are_seen)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 70, .height = 70, .less = 0.3});
    struct qp_solve_desc desc = {.tolerance = 1e-2};
    struct qp_answer got;
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
    assert_string_equal(got.side[0].solver, "minres");
    assert_non_null(strstr(got.side[0].reason, "minres was taken, for the matrix is indefinite"));
    assert_null(strstr(got.side[0].sentence, "of cg"));
    qp_answer_destroy(&got);
    desc = (struct qp_solve_desc){.direct = baseline_direct()};
    if (desc.direct != NULL) {
        assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
        assert_string_equal(got.side[0].solver, "klu");
        assert_true(got.side[0].steps == 0 && got.side[0].ending == QP_CONVERGED);
        qp_answer_destroy(&got);
    }
    qp_market_destroy(&a);
}

/* Convection and diffusion, whose rows are dominant: a direct solver comes first where its forecast
 * is the shorter one, but not in other units, where it exchanges rows, and not of a Laplacian. */
TEST(unsymmetric_meshes_are_factored)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 50, .height = 50});
    struct qp_solve_desc desc = {.direct = baseline_direct()};
    struct qp_answer got;
    if (desc.direct == NULL)
        support_skip("blas");
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
    assert_true(got.side[0].steps > 0 && got.side[0].ending == QP_CONVERGED);
    qp_answer_destroy(&got);
    for (size_t k = 0; k < a.count; k++) /* sums of rows stay, or fall at the rim */
        a.value[k] *= 1.0 + 0.5 * ((a.row[k] == a.column[k] + 1) - (a.row[k] == a.column[k] - 1));
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
    assert_string_equal(got.side[0].solver, "klu");
    assert_non_null(strstr(got.side[0].reason, "the host's klu was taken, for it is expected to"));
    assert_null(strstr(got.side[0].reason, "if rows were"));
    assert_true(got.side[0].steps == 0 && got.side[0].ending == QP_CONVERGED &&
                exact_residual(&a, NULL, got.x) <= got.side[0].residual * (1.0 + 1e-12));
    qp_answer_destroy(&got);
    for (size_t k = 0; k < a.count; k++)
        a.value[k] = ldexp(a.value[k], a.row[k] * 7 % 61 - a.column[k] * 11 % 59);
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
    assert_string_equal(got.side[0].solver, "bicgstab");
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* Small ones need no device, no CHOLMOD, whose library takes longer to load, and those that fit a
 * grid no steps before, unless an iteration was asked for: no rows show that they are regular. */
TEST(small_matrices_are_factored_at_once)
{
    struct qp_solve_desc desc = {.direct = baseline_direct()};
    struct qp_answer got;
    if (desc.direct == NULL)
        support_skip("blas");
    for (int n = 100; n <= 400; n *= 2) {
        struct qp_market a = matrices_make(matrices_helmholtz, n);
        a.value[0] = 0.5; /* its row is not dominant */
        desc.weight = 0.0;
        assert_ok(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got));
        assert_string_equal(got.side[0].solver, "klu");
        assert_non_null(strstr(got.side[0].reason, "it shows whether the matrix is singular"));
        assert_true(got.side[0].steps == 0 && got.side[0].ending == QP_CONVERGED);
        qp_answer_destroy(&got);
        desc.weight = 0.5;
        assert_ok(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got));
        assert_true(got.side[0].steps > 0);
        qp_answer_destroy(&got);
        qp_market_destroy(&a);
    }
}

GROUP(support_open_context, support_close_context)
