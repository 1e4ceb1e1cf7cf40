/* SPDX-License-Identifier: MIT */
/* State of a solve by either method: choice.c chooses, reasons.c says why. */
#ifndef QP_SOLVE_CHOOSE_CHOICE_H
#define QP_SOLVE_CHOOSE_CHOICE_H

#include <quadpass/method.h>

#include "lab/solve/checkpoint/checkpoint.h"
#include "lab/solve/choose/forecast.h"
#include "lab/solve/iterate/sparse.h"

/* Eliminations that most refined solves need, one a round. */
enum { QP_ELIMINATIONS_REFINED = 3 };

enum { QP_ELIMINATOR = 64 }; /* letters of a name */

struct qp_choice {
    struct qp_context *context;
    const struct qp_market *matrix;
    const double *b, *start;
    const struct qp_solve_desc *desc; /* `own` */
    struct qp_solve_desc own;         /* as given, but that its direct solver is the present one */
    struct qp_answer *out;
    size_t n;
    int at;         /* side that is being solved */
    bool asked;     /* for a method or a variant by name */
    bool krylov;    /* iterations are of a Krylov method, with `system` */
    bool multigrid; /* iterations are of multigrid, unless `krylov`, which then follows that */
    /* Next method, if multigrid was not asked for and refuses: `krylov` of it, or elimination. */
    bool next_krylov, next_eliminates;
    struct qp_krylov_system system;
    bool may_eliminate; /* false: ruled out by `obstacle` */
    /* Variant of elimination; NULL where iteration was asked for. */
    const struct qp_variant *elimination;
    char obstacle[24];   /* verb of the sentence, such as "does not fit" */
    char objection[400]; /* its reason */
    /* True: the description's direct solver takes elimination's place. Seconds that each is
     * expected to take, INFINITY where it cannot, and the most that the direct solver may. */
    bool direct;
    double direct_seconds, dense_seconds, most_seconds;
    bool at_once; /* the direct solver is to be quick; `krylov` is how to go on if it refuses */
    int wait;     /* steps before a Krylov method may be left again */
    struct qp_prospects prospects;
    char reason[320]; /* the method taken for that side, and why */
    struct qp_forecast forecast;
    bool leaves;                      /* the iteration was left for elimination */
    bool regular;                     /* A is shown to be, by its rows, probes or the host */
    char singular[QP_WHY_SINGULAR];   /* why A is, where that is forgiven; else empty */
    struct qp_checkpoint *checkpoint; /* NULL: none */
};

/* Stores or reads the part of a checkpoint: finished sides, and of the present one what its method
 * does not store itself. */
void qp_method_store(struct qp_archive *archive, void *owner);

/* Stores the reason of the present side. */
__attribute__((format(printf, 2, 3))) void qp_method_give_reason(struct qp_choice *m,
                                                                 const char *format, ...);
void qp_method_keep_reason(const struct qp_choice *m, struct qp_side *side);

/* True if options ask for iteration: a start, a weight, a number of steps, a grid. */
bool qp_method_asks_for_iteration(const struct qp_choice *m);

/* True if the host may show that A is regular; else a converged x may be one of many solutions. */
bool qp_method_may_host_look(const struct qp_choice *m);

/* Name of what eliminates, in sentences: "elimination", or the direct solver's. */
const char *qp_method_eliminator(const struct qp_choice *m, char name[QP_ELIMINATOR]);

/* Settles whether a Krylov method iterates: asked for, or expected to be quicker than elimination
 * and Jacobi. Where few unknowns are left to the host to look at, elimination has the last word
 * anyway. *eliminates: that is expected to be the quickest. Errors: those of
 * qp_krylov_system_make and qp_krylov_choose. */
enum qp_status qp_method_look_ahead(struct qp_choice *m, bool *eliminates);

/* Reasons: why a Krylov method, or elimination, is expected to be the quickest; why multigrid is;
 * why cg with its cycles follows it. */
void qp_method_reason_of_prospects(struct qp_choice *m);
void qp_method_reason_of_cycles(struct qp_choice *m);
void qp_method_reason_to_precondition(struct qp_choice *m, const struct qp_solution *stalled);

/* Reason why elimination comes at once: no rows show that A is regular, or, unless `doubtful`, the
 * iteration cannot take it, with the last error. */
void qp_method_reason_to_look(struct qp_choice *m, bool doubtful);

/* Reasons: why the iteration was not left; why it was, with most_steps to take; why the next method
 * follows an iteration with this ending. */
void qp_method_reason_to_iterate(struct qp_choice *m);
void qp_method_reason_to_leave(struct qp_choice *m, int most_steps);
void qp_method_reason_to_go_on(struct qp_choice *m, const struct qp_solution *ended,
                               const char *next);

/* Sentences for a side that both methods had: elimination did no better; the iteration converged,
 * but whether A is regular was not checked. */
void qp_method_tell_left(struct qp_side *side, bool interrupted);
void qp_method_tell_doubt(const struct qp_choice *m);

/* ---- Direct solvers (direct.c) ---- */

/* Chooses the one that was asked for by name: the first of those handed in that may take A.
 * Errors: QP_UNSUPPORTED. */
enum qp_status qp_method_need_direct(struct qp_choice *m);

/* Takes the direct solver in elimination's place, where there is one and it is quicker. */
void qp_method_look_whether_direct_fits(struct qp_choice *m);

/* Most seconds of the direct solver, whose forecast and that of the device are rough; its answer
 * has the digits of double. */
double qp_method_most_of_direct(const struct qp_choice *m);

/* Puts the direct solver first, if it expects to take no longer than an iteration may, whose
 * forecast is rough; after the iteration it may take longer. */
void qp_method_hurry(struct qp_choice *m);

/* Decides whether a Krylov method is left for the direct solver: where more is to come than it has
 * taken so far, a second, and twice what that is expected to take, all by the rough times of
 * preference.c. It may take what is to come; if it refuses, the method goes on four times as far
 * before it is tried again. Where even dense elimination takes less than what is to come, one of
 * them ends the solve. */
void qp_method_look_at_krylov(struct qp_choice *m, const struct qp_progress *now);

/* Goes on where conjugate gradients have shown that A is not definite: by a direct solver if it is
 * quick, else by MINRES. */
void qp_method_go_on_indefinite(struct qp_choice *m);

/* Goes on with the next direct solver, if there is one. */
bool qp_method_take_next_direct(struct qp_choice *m);

/* qp_solve_system, with checked arguments. */
enum qp_status qp_choose_method(struct qp_context *context, const struct qp_market *matrix,
                                const double *b, int sides, const double *start,
                                const struct qp_solve_desc *desc, struct qp_checkpoint *checkpoint,
                                struct qp_answer *out);

#endif
