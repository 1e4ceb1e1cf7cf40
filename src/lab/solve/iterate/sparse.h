/* SPDX-License-Identifier: MIT */
/* Krylov methods with any square matrix (krylov/krylov.h), as rounds of corrections. */
#ifndef QP_SOLVE_ITERATE_SPARSE_H
#define QP_SOLVE_ITERATE_SPARSE_H

#include <quadpass/solve.h>

#include "lab/solve/krylov/krylov.h"
#include "lab/solve/traits.h"

/* The method, and parts of it. */
struct qp_krylov_choice {
    enum qp_krylov_method method;
    enum qp_krylov_precondition precondition;
    enum qp_product_layout layout;
    bool cuda;       /* in place of OpenGL */
    bool may_switch; /* from CG to BiCGSTAB, where nobody asked for CG */
};

/* A matrix as Krylov methods need it, shared by all right-hand sides. The device has the matrix
 * sign * U A U, where the diagonal U holds the units. */
struct qp_preconditioner;
struct qp_krylov_system {
    struct qp_sparse rows; /* its values in float are the device's */
    struct qp_traits traits;
    struct qp_krylov_choice choice;
    double *units, sign;
    struct qp_krylov *krylov; /* NULL: not made yet, or for another method */
    enum qp_krylov_method made;
    struct qp_preconditioner *cycles; /* the preconditioner multigrid; NULL: not made yet */
};

/* Copies a matrix whose places were checked, and finds its traits. Errors: QP_NO_MEMORY. Owner: the
 * caller, by qp_krylov_system_destroy, before the context is destroyed. */
enum qp_status qp_krylov_system_make(const struct qp_market *matrix, struct qp_krylov_system *out);
void qp_krylov_system_destroy(struct qp_krylov_system *system);

/* A cycle of multigrid on a grid of this size, 0 x 0 for one that is found, as M of the system with
 * these units, which outlive it. Errors: those of qp_multigrid_from_market and qp_multigrid_make.
 * Owner: the caller, by qp_preconditioner_destroy. */
enum qp_status qp_preconditioner_make(const struct qp_market *matrix, int width, int height,
                                      const double *units, struct qp_preconditioner **out);
void qp_preconditioner_destroy(struct qp_preconditioner **preconditioner);

/* to = M from, as many floats as the matrix has rows; `user` is the preconditioner. */
void qp_preconditioner_apply(void *user, const float *from, float *to);

/* Inverts the blocks of 12 x 12 on the diagonal of a symmetric matrix, in float. Errors: those of
 * qp_problem_create and qp_sparse_allocate. Owner: the caller, by qp_sparse_destroy. */
enum qp_status qp_blocks_invert(const struct qp_sparse *matrix, struct qp_sparse *inverse);

/* True if a description asks for a Krylov method or a layout. */
bool qp_asks_for_krylov(const struct qp_solve_desc *desc);

/* True if it asks for multigrid, by the method's name or by a variant. */
bool qp_asks_for_multigrid(const struct qp_solve_desc *desc);

/* True if it asks for its direct solver. */
bool qp_asks_for_direct(const struct qp_solve_desc *desc);

/* A singular A has an answer for some b, and a Krylov method that is asked for by name may find it.
 * qp_may_be_singular: true where `status`, of a look whether A is regular, is forgiven for that;
 * the sentence is kept in `why`. qp_end_singular: the end of such a solve, with `why` added to its
 * sentence. Errors: QP_BAD_INPUT, with `why`, where the method found no answer. */
enum { QP_WHY_SINGULAR = 320 };
bool qp_may_be_singular(const struct qp_solve_desc *desc, enum qp_status status,
                        char why[QP_WHY_SINGULAR]);
enum qp_status qp_end_singular(const char *why, enum qp_ending ending, double residual,
                               const char *method, char *sentence, size_t size);

/* Settles the choice: `method` where the description names none. Errors: QP_BAD_USE and
 * QP_BAD_INPUT for names that there are not, that do not go together, or that the matrix does not
 * allow. */
enum qp_status qp_krylov_choose(const struct qp_solve_desc *desc, enum qp_krylov_method method,
                                struct qp_krylov_system *system);

/* "cg", "bicgstab" or "chebyshev". */
const char *qp_krylov_name(enum qp_krylov_method method);

/* Variant of spmv by which it multiplies. */
const struct qp_variant *qp_krylov_variant(const struct qp_krylov *krylov);

/* Checks the names of a method and of a preconditioner, and whether they go together with the
 * variant. Errors: QP_BAD_USE. */
enum qp_status qp_check_method(const struct qp_solve_desc *desc);

#endif
