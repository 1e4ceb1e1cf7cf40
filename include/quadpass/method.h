/* SPDX-License-Identifier: MIT */
/* Linear systems by the method that is expected to be the quickest: an iteration or elimination. */
#ifndef QUADPASS_METHOD_H
#define QUADPASS_METHOD_H

#include <quadpass/dense.h>
#include <quadpass/solve.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum qp_method { QP_ITERATION, QP_ELIMINATION };

/* Result of one right-hand side. */
struct qp_side {
    enum qp_method method;            /* method that computed x */
    const struct qp_variant *variant; /* NULL: a direct solver of the host, which `solver` names */
    enum qp_ending ending;
    int steps, eliminations; /* both where iteration went on as elimination */
    double residual;  /* ||b - A x||_2 / ||b||_2 (absolute if b is 0), an upper bound in double */
    double condition; /* as in qp_dense_solution; NaN: not estimated */
    /* Certain digits of x: proven by an iteration, estimated by an elimination; -1: neither. */
    int digits;
    double seconds; /* time of its iteration and of the elimination that it shared with others */
    double part[QP_SOLVE_PARTS]; /* seconds of each part of it */
    char reason[320];            /* which method was taken, and why: a sentence */
    char sentence[512];          /* how it ended; for an elimination all its sides together */
    /* Name of an iteration, such as "jacobi" or "cg", or of a direct solver, such as "klu"; of an
     * elimination by a variant NULL. */
    const char *solver;
};

struct qp_answer {
    int rows, sides;
    int begun;     /* sides begun before an interrupt; x of the others is the start */
    int converged; /* number of sides that converged */
    /* Number, from 0, of the side with the largest residual among those that did not converge;
     * among all sides if all did. */
    int worst;
    int width, height; /* size of the grid, asked for or found; 0 where there is none */
    double weight;     /* weight of the iteration; 0 where nothing iterated */
    struct qp_side *side;
    double *x; /* sides columns of rows values; both are freed by qp_answer_destroy */
};

/* Solves A X = B for the `sides` columns of B, one after the other as are those of `start`; `b`
 * NULL means A times ones, one side, and `start` NULL means 0. desc->method and desc->variant, of
 * jacobi9, spmv or gauss_jordan, ask for a method by name, "direct" for desc->direct, which also
 * takes the place of elimination of a sparse matrix by itself, and of MINRES where CG breaks
 * down, if it is quick. Without them a forecast decides, from the matrix's symmetry, diagonal,
 * dominance and size: conjugate gradients, MINRES or BiCGSTAB, multigrid or
 * Jacobi where there is a grid, or elimination. Multigrid whose cycles gain too little goes on as
 * conjugate gradients with a cycle as the preconditioner, where there is a device. CG that meets a
 * matrix which is not positive definite goes on as MINRES. Jacobi's rate, over the first few
 * hundred steps and again whenever their number has doubled, gives how many more it needs, and
 * elimination takes over where that is quicker; and it does where an iteration breaks down,
 * diverges, stagnates or runs out of steps. No clock decides: the forecast has rough times of this
 * kind of device, so two solves are the same bit for bit. A system that elimination cannot take, or
 * not within an hour, goes on iterating. A singular matrix is refused up to 2048 unknowns: where
 * its rows do not show that it is regular, elimination follows a converged iteration, too; for
 * larger matrices the sentence says that this was not examined. But desc->method "cg", "minres",
 * "bicgstab", "chebyshev" and "multigrid" solve a singular system that has an answer: then no digit
 * is certain, and the sentence says why. All members of the desc but the tolerance, refinement,
 * styles, interrupt and checkpoints are for iterations; if one of them is set, elimination is not
 * taken at once. The grid is that of the answer, too. Any ending gives QP_OK. Errors: those of
 * qp_solve and qp_solve_dense, of the method that ran last; then *out is all zero. `desc` may be
 * NULL, for all defaults. Owner: the caller, by qp_answer_destroy. Threads: the context's. */
enum qp_status qp_solve_system(struct qp_context *context, const struct qp_market *matrix,
                               const double *b, int sides, const double *start,
                               const struct qp_solve_desc *desc, struct qp_answer *out);

/* Side k of an elimination, from 0, as a qp_side without a reason. Errors: none; all zero where the
 * solution has no such side. Owner: none. Threads: any. */
struct qp_side qp_dense_side(const struct qp_dense_solution *solution, int k);

/* Names: "iteration", "elimination"; "converged", "diverging", "out of steps", "stagnated",
 * "interrupted". Errors: none; else "none". Owner: the library, for ever. Threads: any. */
const char *qp_method_name(enum qp_method method);
const char *qp_ending_name(enum qp_ending ending);

/* Frees what it holds and leaves an all-zero answer; takes NULL and all-zero ones. Errors: none.
 * Owner: none. Threads: any. */
void qp_answer_destroy(struct qp_answer *answer);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
