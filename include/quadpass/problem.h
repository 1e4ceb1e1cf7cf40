/* SPDX-License-Identifier: MIT */
/* Stage 1, the problem: its matrices in the host's memory. */
#ifndef QUADPASS_PROBLEM_H
#define QUADPASS_PROBLEM_H

#include <stdbool.h>

#include <quadpass/market.h>
#include <quadpass/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { QP_FIELDS = 12 };

struct qp_op;
struct qp_sparse;
struct qp_weights; /* walk.h */

/* Zero means default. */
struct qp_problem_desc {
    /* An operation: "jacobi9" (default), "reduce", "gauss_jordan", "gauss_jordan_batch",
     * "poisson5", "poisson5_batch", "multigrid", "transfer", "access", "transpose" or "spmv". */
    const char *op;
    /* A kind of its problems, such as "bidomain"; NULL: the operation's first. 'quadpass list
     * --kinds' and the command's manual page explain the kinds of each. */
    const char *kind;
    /* Cells of the grid; for gauss_jordan N x N with N unknowns, (N + m) x N with m right-hand
     * sides; for gauss_jordan_batch `height` systems of `width` unknowns each, at most 64. */
    int width, height;
    bool wraps;              /* random only: entries that wrap at row ends, as in paper 1 */
    unsigned long long seed; /* random only */
    double weight;           /* weight of the Jacobi step; 0 chooses by qp_problem_weight's rule */
    double condition;        /* condition of gauss_jordan's "ill"; 0: 1e4 */
    int parameter; /* parameter of access: an offset, a stride ...; 0: the kind's usual one */
    int systems;   /* 0: one; 4: four independent systems of this size, see below */
    /* Place of poisson5's "spike": cells to the right of the grid's middle, and above. */
    int mark_x, mark_y;
};

/* Place of a part of a grid in the whole one's. */
struct qp_window {
    const struct qp_problem *of; /* NULL: the problem is no part of another */
    int x, y;                    /* where its first cell lies in that grid */
};

/* The matrices of one problem, in floats; `field` is indexed by the operation's own enum (for
 * jacobi9: the nine bands, the right-hand side, the start). All are width x height, but for a start
 * whose answer has another size; those of several systems are stored one above the other, width x
 * (systems * height). A batch is one system here: n rows of n + 1 values for each member, one below
 * the other; its answer has a row for each, n unknowns and then 0, or where the member is singular
 * zeros and then the column, from 1, without a pivot. Create with one of the functions below, free
 * with qp_problem_destroy. */
struct qp_problem {
    const struct qp_op *op;
    const char *kind;
    int width, height; /* size of one system */
    int systems;
    /* Values of one system's answer: width x height, but for reductions, batches and transposed
     * matrices. */
    int answer_width, answer_height;
    bool wraps;         /* some entry couples the last cell of a row with the first of the next */
    double weight;      /* weight of the Jacobi step */
    int parameter;      /* parameter of operations whose kinds have one, else 0 */
    int mark_x, mark_y; /* distance of a spike from the middle */
    int order;          /* order of updates in the reference's variant, the operation's number */
    /* Async factor, and rows of blocks, of that variant if it is asynchronous; else 0. */
    int alpha, block;
    /* Weights of the walk under way; NULL: the weight above for all steps. */
    const struct qp_weights *weights;
    int first;               /* steps that were taken before that walk */
    struct qp_window window; /* window of a part, which stores no fields: the whole one has them */
    struct qp_matrix field[QP_FIELDS];
    struct qp_sparse *sparse; /* matrix of spmv; else NULL */
    double *reference;        /* answer of the reference, remembered by the walk */
    double reference_scale;   /* size of the numbers that the reference rounded */
    int reference_iterations; /* steps of that answer; below 0: the fields have changed since */
    bool random_start;        /* starts from random values where its kind starts from zeros */
};

/* Makes a problem. Errors: QP_BAD_USE for unknown names, impossible sizes and NULL, QP_NO_MEMORY
 * (estimated before it is taken); then *out is all zero. Owner: the caller, by qp_problem_destroy.
 * Threads: any. */
enum qp_status qp_problem_create(const struct qp_problem_desc *desc, struct qp_problem *out);

/* A nine-band problem from a square sparse or dense matrix: finds the grid by itself (the smallest
 * nx >= 3 that divides N and has all offsets in {0, +-1, +-nx, +-nx+-1}, one without wrap entries
 * preferred; only +-1 means one row), or takes `width` x `height` if both are positive. The
 * right-hand side is A times ones and the start 0 until set; weight as qp_problem_weight says.
 * Errors: QP_BAD_INPUT (not square, what market.h lists, beyond float, no grid fits, zero on the
 * diagonal), QP_NO_MEMORY, QP_BAD_USE for NULL; then *out is all zero. Owner: the caller, by
 * qp_problem_destroy. Threads: any. */
enum qp_status qp_problem_from_market(const struct qp_market *matrix, int width, int height,
                                      struct qp_problem *out);

/* True if qp_problem_from_market would find a grid by itself. Errors: none; false for NULL and what
 * it refuses. Owner: none. Threads: any. */
bool qp_problem_has_grid(const struct qp_market *matrix);

/* A dense problem of gauss_jordan, [A | b] in float, from a square sparse or dense matrix; zeros on
 * the diagonal are welcome. `b` holds `sides` columns of as many values as A has rows, one after
 * the other; NULL means A times ones, one side. Errors: QP_BAD_INPUT (not square, what market.h
 * lists, beyond float), QP_NO_MEMORY, QP_BAD_USE; then *out is all zero. qp_solve_dense (dense.h)
 * scales it first. Owner: the caller, by qp_problem_destroy. Threads: any. */
enum qp_status qp_problem_dense_from_market(const struct qp_market *matrix, const double *b,
                                            int sides, struct qp_problem *out);

/* A stored field by its name in the papers ("DD", "b", "x" for the start), to read or fill. Change
 * fields only before the problem's first walk. Errors: NULL if there is none. Owner: the problem.
 * Threads: any. */
struct qp_matrix *qp_problem_field(struct qp_problem *problem, const char *name);

/* 1 if every row is weakly diagonally dominant, else 1.8 / max_i sum_j |a_ij / a_ii|, which keeps
 * w * lambda below 2 for every eigenvalue lambda of D^-1 A (Gershgorin). Errors: none; NaN for
 * NULL, and of other operations than jacobi9. Owner: none. Threads: any. */
double qp_problem_weight(const struct qp_problem *problem);

/* Bytes of host memory that a problem of this many cells takes with its reference and one plan.
 * Errors: none. Owner: none. Threads: any. */
double qp_problem_bytes(double cells);

/* Frees the fields and the reference and leaves an all-zero problem; takes NULL and all-zero ones.
 * Errors: none. Owner: none. Threads: any. */
void qp_problem_destroy(struct qp_problem *problem);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
