/* SPDX-License-Identifier: MIT */
/* Dense systems: elimination in float, its residual in double, and estimates of condition and
 * error. */
#ifndef QUADPASS_DENSE_H
#define QUADPASS_DENSE_H

#include <quadpass/solve.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Zero means default. */
struct qp_dense_desc {
    const struct qp_variant *variant; /* the first of qp_dense_preference() that can take it */
    double tolerance;                 /* limit of every right-hand side's residual; 1e-5 */
    bool refine;                      /* as far as double allows, not only down to the tolerance */
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    const volatile sig_atomic_t *interrupt; /* looked at before each elimination */
    const char *checkpoint; /* file that the state is written to after eliminations; NULL: none */
    double every;           /* seconds from one to the next; 60 */
    const char *resume;     /* such a file, to go on from; it may be the same */
};

/* Result of a dense solve. Residuals are ||b - A x||_2 / ||b||_2 (absolute if b is 0) of x and the
 * matrix as given, plus a bound on their own rounding. A column of b and its solution are called a
 * side. */
struct qp_dense_solution {
    enum qp_ending ending;            /* QP_CONVERGED (all sides), QP_STAGNATED or QP_INTERRUPTED */
    char sentence[512];               /* how it ended and how much of x is certain, for a person */
    const struct qp_variant *variant; /* NULL where a direct solver took its place */
    const char *solver;               /* the direct solver's name; else NULL */
    int rows, sides;
    double tolerance; /* as asked for, or 1e-5 */
    int eliminations; /* on the device; of a direct solver, whose factors are kept, solves */
    bool on_host;     /* float was not enough: x comes from elimination on the host */
    bool regular;     /* shown by probes or the host; beyond 2048 unknowns the host does not look */
    int converged;    /* number of sides that converged */
    int worst;        /* the side with the largest residual, from 0, and that residual */
    double residual;
    /* Condition ||A|| ||A^-1|| in Frobenius norms, estimated: at least the condition in the 2-norm
     * but for a small factor, and at most N times that; 0 where an interrupt left nothing to
     * estimate it by. */
    double condition;
    double scaled_condition; /* condition of the scaled matrix, which is eliminated in float */
    /* An estimate from above of max |x - x'| / max |x|, x' exact, of all sides; 1 is no promise. */
    double error;
    int digits;     /* certain digits of the largest element of x: 10^-digits >= error */
    double seconds; /* set-up and transfers included */
    double part[QP_SOLVE_PARTS]; /* seconds of each part of it */
    double *x; /* sides columns of rows values, freed by qp_dense_solution_destroy */
    double *residuals, *errors; /* a value for each side, freed likewise */
};

/* Names of the variants tried in turn when none is asked for, fastest first as measured on this
 * kind of device; NULL ends the list. `context` may be NULL. Errors: none. Owner: the library, for
 * ever. Threads: any. */
const char *const *qp_dense_preference(const struct qp_context *context);

/* Solves A X = B by a variant of gauss_jordan, all columns of B in one elimination. `b` holds
 * `sides` columns of as many values as the square matrix has rows, one after the other; NULL means
 * A times ones, one side. Rows and columns of A are scaled by powers of two first. While a residual
 * is above the tolerance the residuals are eliminated in turn, as far as that gains anything.
 * Twelve random right-hand sides ride along: their solutions estimate condition and error, and show
 * that A is regular. Where they do not, up to 2048 unknowns, the host eliminates with complete
 * pivoting in twice double's digits: it finds A singular, or x. Any ending gives QP_OK. Errors:
 * QP_BAD_INPUT (not square, empty, NaN or infinity; singular, which names a row or column; an x
 * beyond double), QP_UNSUPPORTED (the variant asked for cannot take the matrix, or loses every
 * digit of it; no variant can; the range inside the matrix is too wide), QP_NO_MEMORY, QP_DEVICE,
 * QP_BAD_USE (as qp_walk); then *out is all zero. Sizes are looked at before anything large is
 * allocated. `context` may be NULL for CPU variants, `desc` for all defaults. Owner: the caller, by
 * qp_dense_solution_destroy. Threads: the context's. */
enum qp_status qp_solve_dense(struct qp_context *context, const struct qp_market *matrix,
                              const double *b, int sides, const struct qp_dense_desc *desc,
                              struct qp_dense_solution *out);

/* The same for the identity: x is the inverse, column by column, and residual k is
 * ||A x_k - e_k||_2. Refinement is columnwise as above: a round is one more elimination, with N
 * residuals at its right. (Newton's X (2 I - A X) would need two products in double.) Errors: as
 * qp_solve_dense. Owner: the caller, by qp_dense_solution_destroy. Threads: the context's. */
enum qp_status qp_invert(struct qp_context *context, const struct qp_market *matrix,
                         const struct qp_dense_desc *desc, struct qp_dense_solution *out);

/* Frees what it holds and leaves an all-zero solution; takes NULL and all-zero ones. Errors: none.
 * Owner: none. Threads: any. */
void qp_dense_solution_destroy(struct qp_dense_solution *solution);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
