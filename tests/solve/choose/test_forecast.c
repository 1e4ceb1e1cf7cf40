/* SPDX-License-Identifier: MIT */
/* Forecasts of Krylov methods: the method that is taken by itself, and what is said of its steps. */
#include "support/exact.h"
#include "support/meshes.h"

#include <string.h>

#include <quadpass/method.h>

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

GROUP(support_open_context, support_close_context)
