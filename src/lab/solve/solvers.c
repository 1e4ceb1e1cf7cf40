/* SPDX-License-Identifier: MIT */
#include "lab/solve/solvers.h"

#include <string.h>

#include "lab/engines/check.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/multigrid/multigrid.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/ops/spmv/spmv.h"

const struct qp_solver qp_solvers[] = {
    {&qp_op_jacobi9, QP_NINE_BANDS, qp_problem_from_market, NULL},
    {&qp_op_multigrid, QP_NINE_BANDS, qp_multigrid_from_market, "multigrid/openmp"},
    {&qp_op_spmv, QP_SPARSE, NULL, NULL},
    {&qp_op_gauss_jordan, QP_ANY_MATRIX, NULL, "gauss_jordan/blocked"},
    {&qp_op_poisson5, QP_RIGHT_SIDE, NULL, NULL},
    {&qp_op_gauss_jordan_batch, QP_MADE_HERE, NULL, NULL},
    {NULL, QP_SOLVES_NOTHING, NULL, NULL},
};

const struct qp_solver *qp_solver_of(const struct qp_variant *variant)
{
    const struct qp_solver *solver = qp_solvers;
    while (solver->op != NULL && (variant == NULL || strcmp(solver->op->name, variant->op) != 0))
        solver++;
    return solver;
}

const struct qp_solver *qp_solver_for(enum qp_solver_input input)
{
    const struct qp_solver *solver = qp_solvers;
    while (solver->op != NULL && solver->input != input)
        solver++;
    return solver;
}

enum qp_status qp_solver_check_variant(struct qp_context *context, const struct qp_variant *variant,
                                       const struct qp_problem *problem,
                                       enum qp_texture_target target)
{
    if (qp_variant_is_bound(variant))
        return qp_fail(QP_UNSUPPORTED, "a bound computes no solution; take another variant");
    return qp_plan_check(context, variant, problem, target);
}

bool qp_solver_reads_files(const struct qp_solver *solver)
{
    return solver->input == QP_NINE_BANDS || solver->input == QP_SPARSE ||
           solver->input == QP_ANY_MATRIX;
}
