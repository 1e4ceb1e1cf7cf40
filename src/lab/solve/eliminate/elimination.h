/* SPDX-License-Identifier: MIT */
/* State of an elimination: elimination.c prepares it, variants.c chooses the variant, rounds.c
 * eliminates on the device, direct.c by a direct solver of sparse systems in its place, host.c on
 * the host where that is not enough, judge.c computes residuals, condition and error. */
#ifndef QP_SOLVE_ELIMINATE_ELIMINATION_H
#define QP_SOLVE_ELIMINATE_ELIMINATION_H

#include <quadpass/dense.h>

#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "lab/solve/checkpoint/checkpoint.h"

/* Numbers of probes (random right-hand sides): first of the scaled system, where they bound errors,
 * then of the given one, whose condition they estimate. */
enum { QP_PROBES = 8, QP_GIVEN_PROBES = 4, QP_ALL_PROBES = QP_PROBES + QP_GIVEN_PROBES };

/* Most unknowns that the host eliminates: half a minute's work. */
enum { QP_DENSE_MOST_ON_HOST = 2048 };

struct qp_dense {
    struct qp_context *context;
    const struct qp_market *matrix;
    const struct qp_solve_desc *desc; /* without what only iterations have */
    struct qp_dense_solution *out;
    bool identity;                  /* b is the identity */
    const struct qp_direct *direct; /* takes the variant's place; NULL: none */
    double seconds;                 /* most that it may take */
    void *factors;                  /* its own; NULL: not made yet */
    struct qp_scaling scaling;
    struct qp_problem problem;
    size_t n, sides;             /* sides with probes */
    double *b, *x, *rest, *kept; /* sides columns of n values */
    double *lost;                /* the rounding of b where it is A times ones, or NULL */
    double *residual, *left; /* residual of each side, as given and scaled, with their rounding */
    double *error;           /* error of each side, as qp_dense_solution has it */
    int *exponent;           /* exponent of a round's scaling, for each side */
    int shift;               /* the first probes are of size 2^-shift as scaled */
    int unit;                /* 2^unit is the size of A's largest element, or less */
    double norm_given, norm_scaled; /* Frobenius norm of A, as given in that unit */
    double begin;
    bool regular;       /* as probes or the host have shown */
    bool dominant;      /* regular, as its rows show (regular.h), even if probes do not */
    char obstacle[200]; /* reason why the last variant that draws was not taken */
    struct qp_checkpoint *checkpoint; /* NULL: none */
    bool gained;                      /* another round is worth its time */
    bool is_halfway;                  /* an interrupt has left a round, or the host's elimination */
    int eliminations_before;          /* number before that; `kept` holds their solutions */
};

/* True if the work for all sides together is worth starting threads. */
static inline bool qp_dense_is_large(const struct qp_dense *s)
{
    return s->n * s->sides > 2000;
}

/* Checks a variant before anything is allocated. Errors: QP_UNSUPPORTED, and those of stage 1. */
enum qp_status qp_dense_check_variant(const struct qp_dense *s, const struct qp_variant *variant);

/* Chooses the variant asked for, or the first that takes this number of unknowns and sides; nothing
 * is allocated. Needs context, matrix, desc, out and sides. */
enum qp_status qp_dense_choose_variant(struct qp_dense *s);

/* Chooses the next variant of the list, after an error of the present one. */
enum qp_status qp_dense_choose_next(struct qp_dense *s);

/* Stores or reads the part of a checkpoint, between two rounds. */
void qp_dense_store(struct qp_archive *archive, void *owner);

/* Residuals: rest = b - A x of one side or of all, and its norms. Errors: QP_NO_MEMORY; the
 * function for one side returns false instead, since threads have sentences of their own, and
 * qp_dense_lacks_memory stores it later. */
bool qp_dense_measure_side(struct qp_dense *s, size_t side);
enum qp_status qp_dense_lacks_memory(void);
enum qp_status qp_dense_measure(struct qp_dense *s);

/* Exponent of the largest element of a scaled right-hand side. */
int qp_dense_exponent(const struct qp_dense *s, const double *values);

/* Eliminates on the device, refines, and judges by probes. If they do not show that A is regular,
 * and QP_DENSE_MOST_ON_HOST allows, the host eliminates. Errors: QP_BAD_INPUT for a singular
 * matrix, QP_UNSUPPORTED for a variant that cannot solve one that is not. */
enum qp_status qp_dense_take_rounds(struct qp_dense *s);

/* Factors, at first, and replaces all residuals by corrections, as scaled: rest = A^-1 rest. After
 * an interrupt some are unchanged. Errors: the solver's; QP_BAD_INPUT for a singular matrix. */
enum qp_status qp_dense_solve_direct(struct qp_dense *s);

/* Solves all sides by elimination in twice double's digits; after an interrupt the remaining sides
 * are unchanged. Errors: QP_BAD_INPUT for a singular matrix, naming a column, QP_NO_MEMORY. */
enum qp_status qp_dense_solve_on_host(struct qp_dense *s);

/* Threshold: a scaled probe's residual above it does not show that A is regular (judge.c). */
double qp_dense_doubtful(const struct qp_dense *s);

/* Fills in all of *out but x itself. Errors: QP_BAD_INPUT for an x that leaves the range of
 * double. */
enum qp_status qp_dense_judge(struct qp_dense *s);

/* Ending of a solve. Small residuals do not make an interrupted solve converged unless A is known
 * to be regular: the interrupt may have kept it from being found singular. */
static inline enum qp_ending qp_dense_ending(bool small, bool regular, bool interrupted)
{
    return small && (regular || !interrupted) ? QP_CONVERGED
           : interrupted                      ? QP_INTERRUPTED
                                              : QP_STAGNATED;
}

/* True if a variant pivots and keeps 32 bits, so that its failure means that float is not
 * enough. */
bool qp_dense_does_all(const struct qp_variant *variant);

/* qp_solve_dense, or with `identity` qp_invert, with checked arguments. Reads of the description
 * what elimination has. With `seconds` above 0 its direct solver takes the variant's place, unless
 * it expects to take longer. */
enum qp_status qp_eliminate(struct qp_context *context, const struct qp_market *matrix,
                            const double *b, int sides, bool identity, double seconds,
                            const struct qp_solve_desc *desc, struct qp_checkpoint *checkpoint,
                            struct qp_dense_solution *out);

#endif
