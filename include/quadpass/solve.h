/* SPDX-License-Identifier: MIT */
/* Convergence control: the same walk with a look at the residual every few steps. */
#ifndef QUADPASS_SOLVE_H
#define QUADPASS_SOLVE_H

#include <quadpass/market.h>
#include <quadpass/walk.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* QP_NO_ENDING: nothing was solved. */
enum qp_ending {
    QP_NO_ENDING,
    QP_CONVERGED,
    QP_DIVERGING,
    QP_OUT_OF_STEPS,
    QP_STAGNATED,
    QP_INTERRUPTED,
    QP_BREAKDOWN /* a step of the method divides by zero, or the matrix is not what it needs */
};

/* Progress of a solve; residuals are ||b - A x||_2 / ||b||_2 (absolute if b is 0). */
struct qp_progress {
    int step, most_steps;
    int round;                  /* round of refinement, from 1; 0 without */
    double residual, tolerance; /* tolerance: the goal, double's limit with refinement */
    double first_residual;
    double seconds;
    int forecast; /* steps to the tolerance as the method predicts them; 0: it does not */
};

/* A direct solver of sparse systems, which a program hands in: the library links none. All
 * functions run on the thread that solves. One that fails returns the error and writes one sentence
 * of less than `size` bytes to `why`. */
struct qp_direct {
    const char *name; /* in sentences and in answers, such as "klu" */
    /* Factors a square matrix, whose values are scaled by powers of two so that the largest of each
     * row and column is about 1. *factors are the caller's, to be destroyed; they may outlive the
     * matrix. Refuses, before it factors, what it expects to take more than `seconds`; INFINITY is
     * no limit. Once *interrupt (NULL: never) is not 0 it returns QP_OK within a second, with
     * *factors NULL. Errors: QP_BAD_INPUT for a singular matrix, QP_UNSUPPORTED, QP_NO_MEMORY. */
    enum qp_status (*factor)(const struct qp_market *matrix, double seconds,
                             const volatile sig_atomic_t *interrupt, void **factors, char *why,
                             size_t size);
    /* Solves for one right-hand side, in place: x holds as many values as the matrix has rows.
     * Errors: QP_NO_MEMORY. The answer is judged by its residual, and corrected. */
    enum qp_status (*solve)(void *factors, double *x, char *why, size_t size);
    void (*destroy)(void *factors);
    /* True: it takes positive definite matrices alone, scaled alike in rows and columns, so that
     * they remain symmetric. It is left out where symmetry or the diagonal says no, and refuses
     * others with QP_UNSUPPORTED. */
    bool definite;
    /* Solver that follows one that was left out, or has refused so; NULL: none. */
    const struct qp_direct *next;
};

/* Zero means default. */
struct qp_solve_desc {
    /* NULL: the first of qp_solve_preference() that can take the problem. */
    const struct qp_variant *variant;
    double weight;    /* by qp_problem_weight's rule; below 2, and not lost in float */
    double tolerance; /* 1e-5 */
    int most_steps;   /* 100,000; with refinement all rounds together */
    /* Residual in double, correction in float, again and again: as far as double allows, not only
     * down to the tolerance. */
    bool refine;
    int width, height; /* size of the grid, both; default: found by itself */
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    struct qp_parts_desc parts;
    const volatile sig_atomic_t *interrupt;
    void (*on_progress)(void *user, const struct qp_progress *progress);
    void *user;
    const char *checkpoint; /* file that the state is written to now and then; NULL: none */
    double every;           /* seconds from one to the next, looked at with the residual; 60 */
    const char *resume;     /* such a file, to go on from; it may be the same */
    /* "jacobi", "multigrid", "cg", "minres", "bicgstab" or "chebyshev", and of qp_solve_system
     * "direct"; NULL: by qp_solve jacobi, by qp_solve_system the one that is expected to be the
     * fastest. */
    const char *method;
    /* A preconditioner for methods but jacobi and multigrid: "none", "jacobi" (the diagonal) or,
     * with cg, "block-jacobi" (blocks of 12 x 12), "chebyshev" (a polynomial) or "multigrid" (a
     * cycle, on the host); NULL: the diagonal where none is 0. */
    const char *precondition;
    /* Takes the place of dense elimination where a sparse matrix has many unknowns; NULL: none is
     * there, and the method "direct" is refused. */
    const struct qp_direct *direct;
};

/* Parts of a solve's seconds, alike for all methods: programs, compiled and drawn with once; arrays
 * made, packed and sent; and the answer judged at the end, its digits and its condition. The rest
 * is the solve itself. A context's opening is in none of them. */
enum qp_solve_part { QP_COMPILING, QP_SETTING_UP, QP_JUDGING, QP_SOLVE_PARTS };

struct qp_solution {
    enum qp_ending ending;
    char sentence[512]; /* how it ended, for a person */
    const struct qp_variant *variant;
    const char *method; /* its name, as descriptions take it */
    int steps;
    int rounds; /* corrections that qp_solve_poisson added up; else 0 */
    double weight;
    /* Upper bound for x and the matrix as given, computed in pairs of doubles on the host. */
    double residual;
    double seconds;              /* time of the whole solve, set-up and transfers included */
    double part[QP_SOLVE_PARTS]; /* seconds of each part of it */
    int width, height;           /* size of the grid */
    double *x;                   /* width * height values, freed by qp_solution_destroy */
};

/* Names of the variants tried in turn when none is asked for, fastest first as measured on this
 * kind of device; NULL ends the list. `context` may be NULL. Errors: none. Owner: the library, for
 * ever. Threads: any. */
const char *const *qp_solve_preference(const struct qp_context *context);

/* Solves A x = b by iteration: weighted Jacobi on a grid, or the method that desc->method names.
 * Multigrid takes a symmetric positive definite matrix of nine bands on a grid without wrap
 * entries, or one whose rows all add up to 0 with such a b, of whose answers it gives the one with
 * the mean 0; its steps are cycles. Others take any square matrix (CG and Chebyshev a symmetric
 * one) and need a device with OpenGL. A desc->variant of spmv names the layout of such a matrix.
 * All but Jacobi correct x in double for as long as the tolerance asks for, Jacobi with
 * desc->refine alone. `b` NULL means A times ones, `start` NULL means 0; both have as many values
 * as the matrix has rows. No vector leaves the device before the end: one texel of each texture of
 * x does, every 25 steps. Any ending gives QP_OK and the iterate so far, or where that holds no
 * numbers the one before; qp_solve_system (method.h) goes on by elimination. Values beyond float
 * are scaled by powers of two. A Krylov method solves a singular system that has an answer, and its
 * sentence says so. Errors: QP_BAD_INPUT (see qp_problem_from_market; a range inside the matrix
 * that float does not hold; a matrix whose rows show that it is singular, as those of a Laplacian
 * without any boundary value do, where Jacobi was asked for or no answer is found; it is not
 * examined further), QP_UNSUPPORTED (the variant asked for cannot take it, or none can),
 * QP_NO_MEMORY, QP_DEVICE, QP_BAD_USE (as qp_walk); then *out is all zero. Errors of a checkpoint,
 * here and in all solves: QP_BAD_INPUT for one to go on from that is damaged, of another version or
 * of another solve, before anything is computed, and for one that cannot be written, which ends the
 * solve; QP_BAD_USE for a name that no file can have. `context` may be NULL for CPU variants,
 * `desc` for all defaults. Owner: the caller, by qp_solution_destroy. Threads: the context's. */
enum qp_status qp_solve(struct qp_context *context, const struct qp_market *matrix, const double *b,
                        const double *start, const struct qp_solve_desc *desc,
                        struct qp_solution *out);

/* Frees x and leaves an all-zero solution; takes NULL and all-zero ones. Errors: none. Owner: none.
 * Threads: any. */
void qp_solution_destroy(struct qp_solution *solution);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
