/* SPDX-License-Identifier: MIT */
/* Solvers: the operations whose variants solve linear systems, and from what. The command, the
 * choice of a method and iteration ask this table; elimination itself is gauss_jordan's
 * (eliminate/elimination.c), and which variants come first is listed by name in preference.c. A new
 * solver is a row of this table; `check` compares its whole solves on all systems of its input
 * (src/tools/cmd/solve/check_solves.c). */
#ifndef QP_SOLVE_SOLVERS_H
#define QP_SOLVE_SOLVERS_H

#include <quadpass/market.h>

#include "lab/plan/op.h"

enum qp_solver_input {
    QP_SOLVES_NOTHING,
    QP_NINE_BANDS, /* a matrix of nine bands on a grid, iterated (iterate/nine_bands.c) */
    QP_SPARSE,     /* a square matrix, iterated; the variant is a layout (iterate/sparse.c) */
    QP_ANY_MATRIX, /* a square matrix, eliminated (eliminate/elimination.c) */
    QP_RIGHT_SIDE, /* f of an equation on a grid, solved by steps (poisson/poisson.c) */
    QP_MADE_HERE   /* problems that Quadpass makes, and no matrix from a file */
};

struct qp_solver {
    const struct qp_op *op; /* NULL: solves nothing */
    enum qp_solver_input input;
    /* Problem of the operation with this matrix, as qp_problem_from_market; NULL: the input is no
     * nine bands. */
    enum qp_status (*problem)(const struct qp_market *matrix, int width, int height,
                              struct qp_problem *out);
    const char *advised; /* name of the variant that sentences recommend; NULL: none */
};

/* All solvers: first those of matrices from files, and last one that solves nothing. */
extern const struct qp_solver qp_solvers[];

/* Solver with this variant's operation; the one that solves nothing for others and NULL. */
const struct qp_solver *qp_solver_of(const struct qp_variant *variant);

/* The first solver with this input: it is taken where none is asked for. */
const struct qp_solver *qp_solver_for(enum qp_solver_input input);

/* Refuses a variant that computes no solution, or that cannot take the problem. */
enum qp_status qp_solver_check_variant(struct qp_context *context, const struct qp_variant *variant,
                                       const struct qp_problem *problem,
                                       enum qp_texture_target target);

/* True if it solves a matrix from a file. */
bool qp_solver_reads_files(const struct qp_solver *solver);

#endif
