/* SPDX-License-Identifier: MIT */
/* State of a solve by iteration, and its rounds. A round computes a correction,
 *
 *     A d = r / p,    x = x + p d,
 *
 * d from 0 in the variant's precision, with r = b - A x in double and p a power of two such that
 * the largest component of r / p is about 1. That is the same iteration digit for digit where x is
 * 0, but nothing under- or overflows, however large or small b and the start are. A plain solve is
 * one correction down to the tolerance, refinement several. */
#ifndef QP_SOLVE_ITERATE_ITERATION_H
#define QP_SOLVE_ITERATE_ITERATION_H

#include <quadpass/solve.h>

#include "lab/ops/poisson5/methods.h"
#include "lab/plan/problem.h"
#include "lab/solve/checkpoint/checkpoint.h"
#include "lab/solve/numbers.h"
#include "lab/solve/walked.h"
#include "toolkit/base/sparse.h"

/* Steps without a new least residual that count as stagnation. */
enum { QP_STAGNATION_STEPS = 1000 };

/* Called with progress; false interrupts. */
typedef bool qp_continues(void *user, const struct qp_progress *progress);

/* Parts of the sentence that says how a solve ended: "<how>: <where>; <advice>". */
struct qp_outcome {
    const char *how;    /* at first the ending's name */
    char where[400];    /* residual, steps and time */
    const char *advice; /* NULL: none */
    char text[200];     /* room for the advice */
};

struct qp_iteration;
struct qp_krylov_system;
struct qp_plan;
struct qp_solver;

/* Parts of an iteration that depend on its equation. */
struct qp_equation {
    const char *part; /* name of its state in checkpoints */
    int usual_steps;  /* largest number of steps where none is given */

    /* Makes the problem, b and the first x, chooses the variant, and sets the numbers that steer
     * rounds. */
    enum qp_status (*prepare)(struct qp_iteration *s);

    /* Computes residual = b - A x, and out->residual, its relative norm, from above. */
    void (*measure)(struct qp_iteration *s);

    /* Plans one walk towards `factor` times the residual, of no more steps than are left. */
    struct qp_poisson5_course (*plan)(const struct qp_iteration *s, double factor);

    /* Computes a correction of no more than `steps` steps as a walk's result; NULL: the problem is
     * walked by the variant. */
    enum qp_status (*walk)(struct qp_iteration *s, int steps, struct qp_result *result);

    /* Judges a correction that was added, where the residual was `before`; false takes it back. */
    bool (*accepts)(struct qp_iteration *s, double before);

    /* Decides after a round that ended neither at its target nor by an interrupt, and after one
     * that did not gain enough: true to go on all the same. NULL: never. */
    bool (*corrects)(struct qp_iteration *s, bool gains);

    /* Fills in the outcome, and out->seconds as it names them; returns certain digits of x, -1 if
     * none is proven. */
    int (*report)(struct qp_iteration *s, struct qp_outcome *outcome);
};

struct qp_iteration {
    const struct qp_equation *equation;
    struct qp_context *context;
    const struct qp_market *matrix; /* NULL: of Poisson's equation */
    const struct qp_sparse *rows;   /* rows of the matrix: the system's, or its own */
    struct qp_sparse own_rows;
    const double *given_b, *given_start; /* b and start of a matrix; NULL: A times ones, and 0 */
    int shift;                           /* `matrix`, and so b, are 2^shift times those given */
    const struct qp_solve_desc *desc;
    qp_continues *continues;
    void *user;
    struct qp_solution *out;
    struct qp_checkpoint *checkpoint; /* NULL: none */
    struct qp_problem problem;        /* problem of the present correction */
    struct qp_matrix *rhs;            /* its right-hand side: residual / (scale 2^exponent) */
    double scale;
    int exponent;
    const double *units; /* units of rows and unknowns in which corrections are computed; NULL: 1 */
    size_t n;            /* values of x */
    double *b, *lost; /* as long as x; lost: the rounding of b where it is A times ones, or NULL */
    double *residual, *bound, *scratch; /* likewise; bound: of residual, with its rounding */
    double *kept;                       /* likewise: x before a correction */
    double *proof;                      /* scratch of certain.h */
    double tolerance, aim;              /* aim: the residual at which steps end */
    int most_steps, patience; /* patience: steps without a new least residual that are stagnation */
    double begin, first_residual;
    bool refines;   /* in rounds, each a correction */
    bool cycles;    /* steps are cycles of multigrid: rounds of a few, and no look within them */
    double margin;  /* part of the aim that a correction goes for */
    double nearest; /* factor by which one round makes the residual smaller at most */
    double gain;    /* a round that leaves more than this part of the residual is the last */
    /* members of the present walk: */
    double target, least, unit; /* unit: the walk's residual 1, as a residual of the system */
    int least_step, steps_before, round;
    int steps_begun;         /* steps before the present round */
    double rate;             /* factor of a cycle in the round before; 0: there was none */
    bool centred;            /* x gets the mean 0, for A has the constant as its null space */
    struct qp_plan *plan;    /* kept from round to round; NULL: none */
    struct qp_progress last; /* as the walk last reported it */
    struct qp_progress mark, mark_before; /* earlier, each at twice the steps of the one before */
    enum qp_ending ending;
    bool has_ended;                   /* on its own, and not by an interrupt */
    struct qp_walked walked;          /* where it goes on, or what is being written */
    bool has_written;                 /* a checkpoint */
    enum qp_status written;           /* status of that */
    const struct qp_variant *variant; /* variant of a checkpoint */
    /* results of the last walk: */
    bool idle;    /* no step of the last `patience` helped */
    bool is_back; /* x is the one before: the iterate was not finite, or of poisson.h no better */
    /* members for Poisson's equation (poisson.h): */
    const struct qp_poisson_desc *poisson;
    const struct qp_poisson5_method *method;
    double part; /* share of the last correction that was added: 1, or less if it was interrupted */
    int forecast; /* steps that the method needs */
    /* members for Krylov methods (sparse.h): */
    struct qp_krylov_system *system;
    int by;           /* present method, an enum qp_krylov_method */
    int broken_after; /* steps of CG before it broke down and another went on; -1: it has not */
    int why;          /* ending of the last run, an enum qp_krylov_ending */
    int state;        /* floats of the state of a run, `walked` */
};

/* Reads the tolerance and the number of steps. Errors: QP_BAD_USE. */
enum qp_status qp_iteration_read_desc(struct qp_iteration *s);

/* Allocates likewise for a matrix, and sets `proof`, `lost` and `rows`. */
enum qp_status qp_iteration_allocate_matrix(struct qp_iteration *s);

/* Sets s->n, and allocates b, residual, bound, kept, out->x, and `more` vectors from `scratch` on.
 * Errors: QP_NO_MEMORY. */
enum qp_status qp_iteration_allocate(struct qp_iteration *s, int more);

/* Measures the first residual, and fills in the first correction: variants are chosen for the
 * problem that they will get. */
void qp_iteration_start(struct qp_iteration *s);

/* Makes the problem of a solver of nine bands, vectors and the first correction; chooses the first
 * of these variants that can take it, or the one asked for. */
enum qp_status qp_nine_bands_make(struct qp_iteration *s, const struct qp_solver *solver);
enum qp_status qp_nine_bands_choose(struct qp_iteration *s, const char *const *names);

/* ---- Rounds of cycles, with a matrix or of Poisson's equation (cycles.c) ---- */

/* Sets the numbers that steer rounds. */
void qp_cycles_steer(struct qp_iteration *s);

/* Plans a round: no more cycles than float gains by, than the rate so far asks for, or than are
 * left. */
struct qp_poisson5_course qp_cycles_plan(const struct qp_iteration *s, double factor);

/* Accepts like qp_iteration_accepts; reports progress, and ends rounds whose cycles gain too
 * little. */
bool qp_cycles_accept(struct qp_iteration *s, double before);

/* Writes "10 cycles of multigrid in 3 rounds, factor 0.10". */
void qp_cycles_tell(const struct qp_iteration *s, char *text, size_t size);

/* Fills in the outcome with a matrix (ending.c). */
int qp_nine_bands_report(struct qp_iteration *s, struct qp_outcome *outcome);

/* Advice that all iterations give at an ending, with --refine where it stagnated; or NULL. */
const char *qp_iteration_advise(const struct qp_iteration *s);

/* Watches a walk's residual after a step; false ends the walk. Stores its state, as a checkpoint
 * wants it; false where that fails. */
bool qp_iteration_watch(void *user, int step, double residual);
bool qp_iteration_keep_state(void *user, int step, const struct qp_matrix *x);

/* Writes how many digits are certain with this error of x, in parts of its largest element, or
 * about how many there are by the rate; returns them, -1 for none. */
int qp_iteration_tell_digits(double error, int by_rate, struct qp_outcome *o);

/* Proves digits of a converged x in no more than `steps` steps, and writes how many, or about how
 * many there are by the rate; returns them, -1 for none. */
int qp_iteration_certify(struct qp_iteration *s, int steps, int by_rate, struct qp_outcome *o);

/* qp_solve with checked arguments, and a callback every few steps; if it returns false the ending
 * is QP_INTERRUPTED. *digits: certain digits of x, proven, and then A is regular; -1: not proven.
 * `continues` may be NULL, and so may the checkpoint. `system`: a Krylov method, whose choice is
 * settled, iterates; NULL: Jacobi. */
enum qp_status qp_iterate(struct qp_context *context, const struct qp_market *matrix,
                          struct qp_krylov_system *system, const double *b, const double *start,
                          const struct qp_solve_desc *desc, qp_continues *continues, void *user,
                          struct qp_checkpoint *checkpoint, struct qp_solution *out, int *digits);
extern const struct qp_equation qp_sparse_equation, qp_cycles_equation;

/* ---- Parts that all iterations with a matrix share ---- */

/* Sets b, as given or A times ones, and the start. Errors: QP_BAD_INPUT. */
enum qp_status qp_iteration_set_vectors(struct qp_iteration *s);

void qp_iteration_measure(struct qp_iteration *s);

/* Plans all steps that are left: the residual ends a walk. */
struct qp_poisson5_course qp_iteration_plan(const struct qp_iteration *s, double factor);

/* False if the iterate is not finite, or if in refinement the residual did not fall. */
bool qp_iteration_accepts(struct qp_iteration *s, double before);

/* Solves, from reading the description to the sentence; frees all but *out. *digits: certain digits
 * of x, -1 if none is proven. */
enum qp_status qp_iteration_solve(struct qp_iteration *s, int *digits);

#endif
