/* SPDX-License-Identifier: MIT */
/* The table of solvers: rows are whole, and whoever asks it for a variant finds the one of its
 * operation. */
#include "support/support.h"

#include <string.h>

#include <quadpass/dense.h>
#include <quadpass/method.h>

#include "lab/ops/table.h"
#include "lab/solve/solvers.h"

static void check_row(const struct qp_solver *solver)
{
    assert_ptr_equal(qp_op_find(solver->op->name), solver->op);
    assert_int_not_equal(solver->input, QP_SOLVES_NOTHING);
    assert_int_equal(solver->problem != NULL, solver->input == QP_NINE_BANDS);
    if (solver->advised != NULL)
        assert_ptr_equal(qp_solver_of(qp_variant_find(solver->advised)), solver);
    for (const struct qp_solver *other = qp_solvers; other < solver; other++) {
        assert_ptr_not_equal(other->op, solver->op);
        assert_true(qp_solver_reads_files(other) || !qp_solver_reads_files(solver));
    }
}

TEST(rows_are_whole)
{
    const struct qp_solver *solver = qp_solvers;
    for (; solver->op != NULL; solver++)
        check_row(solver);
    assert_int_equal(solver->input, QP_SOLVES_NOTHING);
    assert_false(qp_solver_reads_files(solver));
    assert_int_equal(qp_solver_for(QP_NINE_BANDS)->input, QP_NINE_BANDS);
    assert_non_null(qp_solver_for(QP_ANY_MATRIX)->advised);
    for (int input = QP_NINE_BANDS; input <= QP_MADE_HERE; input++)
        assert_true(qp_solver_for(input)->op != NULL);
}

TEST(variants_find_their_own)
{
    size_t solving = 0;
    assert_null(qp_solver_of(NULL)->op);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_op *op = qp_solver_of(qp_variant_at(i))->op;
        if (op != NULL)
            assert_string_equal(op->name, qp_variant_at(i)->op);
        solving += op != NULL;
    }
    assert_true(solving > 0 && solving < qp_variant_count());
}

/* Problems are made for the first solver where no variant is asked for, so the preferred ones must
 * be its. */
TEST(preferred_are_of_the_first)
{
    const char *const *lists[] = {qp_solve_preference(NULL), qp_dense_preference(NULL)};
    for (int k = 0; k < COUNT(lists); k++) {
        for (const char *const *name = lists[k]; *name != NULL; name++)
            assert_ptr_equal(qp_solver_of(qp_variant_find(*name)),
                             qp_solver_for(k == 0 ? QP_NINE_BANDS : QP_ANY_MATRIX));
    }
}

/* BiCGSTAB gains nothing where A' = -A, however that ends, and the ending says what does. */
TEST(skew_matrices_are_told)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_solve_desc desc = {.method = "bicgstab"};
    struct qp_market skew = support_random_dense(60, 3);
    struct qp_answer got;
    for (int i = 0; i < 60; i++)
        for (int j = 0; j <= i; j++)
            *support_entry(&skew, i, j) = i == j ? 0.0 : -*support_entry(&skew, j, i);
    assert_ok(qp_solve_system(context, &skew, NULL, 1, NULL, &desc, &got));
    assert_non_null(strstr(got.side[0].sentence, "; steps of bicgstab gain nothing where A' = -A"));
    qp_answer_destroy(&got);
    qp_market_destroy(&skew);
}

GROUP(support_open_context, support_close_context)
