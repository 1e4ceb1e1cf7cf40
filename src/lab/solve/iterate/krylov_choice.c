/* SPDX-License-Identifier: MIT */
/* Choices of a Krylov method: their names, and which of them a matrix allows. */
#include <stdio.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/multigrid/multigrid.h"
#include "lab/solve/iterate/sparse.h"
#include "lab/solve/solvers.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/text.h"

static const char *const methods[] = {"cg",     "bicgstab", "chebyshev", "minres",
                                      "jacobi", "direct",   "multigrid"};
static const char *const preconditions[] = {"none", "jacobi", "chebyshev", "multigrid",
                                            "block-jacobi"};
/* Variants of spmv that are the products of the methods. Names that theirs begin with, of variants
 * with such a layout, mean them, too. */
static const char *const layouts[] = {[QP_PRODUCT_DIAGONALS] = "spmv/diagonals_printed",
                                      [QP_PRODUCT_SLICED_ELL] = "spmv/sliced_ell_sorted"},
                         *const on_cuda = "spmv/cuda_adaptive";
enum { KRYLOV_METHODS = 4, METHODS = 7, PRECONDITIONS = 5 };

const char *qp_krylov_name(enum qp_krylov_method method)
{
    return QP_NAME(methods, method);
}

const struct qp_variant *qp_krylov_variant(const struct qp_krylov *krylov)
{
    return qp_variant_find(qp_krylov_is_on_cuda(krylov) ? on_cuda
                                                        : layouts[qp_krylov_layout(krylov)]);
}

/* True if a description asks for this method, or for a variant of this operation. */
static bool asks_for(const struct qp_solve_desc *desc, const char *method, const struct qp_op *op)
{
    return (desc->method != NULL && strcmp(desc->method, method) == 0) ||
           qp_solver_of(desc->variant)->op == op;
}

bool qp_asks_for_multigrid(const struct qp_solve_desc *desc)
{
    return asks_for(desc, "multigrid", &qp_op_multigrid);
}

bool qp_asks_for_krylov(const struct qp_solve_desc *desc)
{
    return desc->precondition != NULL ||
           (desc->method != NULL &&
            qp_text_place(methods, METHODS, desc->method) < KRYLOV_METHODS) ||
           qp_solver_of(desc->variant)->input == QP_SPARSE;
}

bool qp_asks_for_direct(const struct qp_solve_desc *desc)
{
    return desc->method != NULL && strcmp(desc->method, "direct") == 0;
}

enum qp_status qp_check_method(const struct qp_solve_desc *desc)
{
    const enum qp_solver_input input = qp_solver_of(desc->variant)->input;
    const bool jacobi = asks_for(desc, "jacobi", &qp_op_jacobi9),
               multigrid = qp_asks_for_multigrid(desc), krylov = qp_asks_for_krylov(desc),
               direct = qp_asks_for_direct(desc);
    const char *method = desc->method, *precondition = desc->precondition;
    if (method != NULL && qp_text_place(methods, METHODS, method) == METHODS)
        return qp_fail(QP_BAD_USE,
                       "a matrix is not solved by the method '%s'; take jacobi, multigrid, cg, "
                       "minres, bicgstab, chebyshev or direct",
                       method);
    if (precondition != NULL &&
        qp_text_place(preconditions, PRECONDITIONS, precondition) == PRECONDITIONS)
        return qp_fail(QP_BAD_USE,
                       "'%s' is no preconditioner; take none, jacobi, block-jacobi, chebyshev or "
                       "multigrid",
                       precondition);
    for (const struct qp_direct *own = desc->direct; own != NULL; own = own->next) {
        if (own->name == NULL || own->factor == NULL || own->solve == NULL || own->destroy == NULL)
            return qp_fail(QP_BAD_USE, "a direct solver needs a name and its three functions");
    }
    if (direct && desc->direct == NULL)
        return qp_fail(
            QP_UNSUPPORTED,
            "the method direct needs a direct solver of sparse matrices, and this program "
            "has none: build it with SuiteSparse (libsuitesparse-dev), or take another "
            "method");
    if (method != NULL && desc->variant != NULL && (direct || jacobi + multigrid + krylov > 1))
        return qp_fail(QP_BAD_USE, "%s does not go with the method %s; leave one out",
                       desc->variant->name, method);
    if (method != NULL && input == QP_ANY_MATRIX)
        return qp_fail(QP_BAD_USE, "%s eliminates, and %s is an iteration; leave one out",
                       desc->variant->name, method);
    if (precondition != NULL && (jacobi || multigrid || direct || input == QP_ANY_MATRIX))
        return qp_fail(QP_BAD_USE,
                       "a preconditioner goes with the methods cg, minres, bicgstab and chebyshev, "
                       "and not with %s; leave it out",
                       jacobi      ? "jacobi"
                       : multigrid ? "multigrid"
                       : direct    ? "direct"
                                   : "elimination");
    if ((krylov || multigrid || direct) && desc->weight > 0.0)
        return qp_fail(QP_BAD_USE, "a weight is one of jacobi's steps; leave it out, or take the "
                                   "method jacobi");
    return QP_OK;
}

bool qp_may_be_singular(const struct qp_solve_desc *desc, enum qp_status status,
                        char why[QP_WHY_SINGULAR])
{
    const bool may =
        status == QP_BAD_INPUT &&
        ((desc->method != NULL && qp_asks_for_krylov(desc)) || qp_asks_for_multigrid(desc)) &&
        strstr(qp_error(), "singular") != NULL;
    if (may)
        snprintf(why, QP_WHY_SINGULAR, "%s", qp_error());
    return may;
}

enum qp_status qp_end_singular(const char *why, enum qp_ending ending, double residual,
                               const char *method, char *sentence, size_t size)
{
    const size_t length = strlen(sentence);
    if (ending != QP_CONVERGED && ending != QP_INTERRUPTED && ending != QP_OUT_OF_STEPS)
        return qp_fail(QP_BAD_INPUT,
                       "%s; %s found no answer for this right-hand side either: residual %.3g", why,
                       method, residual);
    snprintf(sentence + length, size - length, "; %sno digit is certain: %s",
             ending == QP_CONVERGED ? "x is one of many, and " : "", why);
    return QP_OK;
}

/* Refuses a method of symmetric matrices, or of definite ones among them, for others. */
static enum qp_status check_symmetric(const struct qp_krylov_choice *choice,
                                      const struct qp_traits *t)
{
    const char *name = qp_krylov_name(choice->method);
    if (!t->symmetric)
        return qp_fail(QP_BAD_INPUT,
                       "the matrix is not symmetric (row %d, column %d is not what row %d, column "
                       "%d is), and %s needs that; take the method bicgstab",
                       t->row + 1, t->column + 1, t->column + 1, t->row + 1, name);
    if (t->sign == 0 && choice->method != QP_KRYLOV_MINRES)
        return qp_fail(QP_BAD_INPUT,
                       "the matrix is not definite, for the diagonal %s in row %d, and %s needs "
                       "that; take the method minres",
                       t->zero >= 0 ? "is zero" : "changes its sign",
                       (t->zero >= 0 ? t->zero : t->other) + 1, name);
    return QP_OK;
}

enum qp_status qp_krylov_choose(const struct qp_solve_desc *desc, enum qp_krylov_method method,
                                struct qp_krylov_system *system)
{
    const struct qp_traits *t = &system->traits;
    struct qp_krylov_choice *choice = &system->choice;
    *choice =
        (struct qp_krylov_choice){.method = method,
                                  .precondition = t->zero < 0 ? QP_KRYLOV_JACOBI : QP_KRYLOV_NONE,
                                  .may_switch = desc->method == NULL};
    if (desc->method != NULL)
        choice->method = (enum qp_krylov_method)qp_text_place(methods, METHODS, desc->method);
    if (desc->precondition != NULL)
        choice->precondition = (enum qp_krylov_precondition)qp_text_place(
            preconditions, PRECONDITIONS, desc->precondition);
    if (qp_solver_of(desc->variant)->input == QP_SPARSE) {
        const size_t letters = strlen(desc->variant->name);
        choice->layout = strncmp(layouts[QP_PRODUCT_DIAGONALS], desc->variant->name, letters) == 0
                             ? QP_PRODUCT_DIAGONALS
                             : QP_PRODUCT_SLICED_ELL;
        choice->cuda = strcmp(on_cuda, desc->variant->name) == 0;
        if (!choice->cuda && strncmp(layouts[choice->layout], desc->variant->name, letters) != 0)
            return qp_fail(QP_UNSUPPORTED, "%s: iterations multiply by %s, %s or %s",
                           desc->variant->name, layouts[QP_PRODUCT_DIAGONALS],
                           layouts[QP_PRODUCT_SLICED_ELL], on_cuda);
    }
    if (choice->precondition == QP_KRYLOV_JACOBI && t->zero >= 0)
        return qp_fail(QP_BAD_INPUT,
                       "the diagonal is zero in row %d, and the preconditioner jacobi divides by "
                       "it; take none",
                       t->zero + 1);
    if (choice->precondition >= QP_KRYLOV_POLYNOMIAL && choice->method != QP_KRYLOV_CG)
        return qp_fail(
            QP_BAD_USE,
            "the preconditioner %s goes with the method cg, and not with %s; take jacobi",
            preconditions[choice->precondition], qp_krylov_name(choice->method));
    return choice->method == QP_KRYLOV_BICGSTAB ? QP_OK : check_symmetric(choice, t);
}
