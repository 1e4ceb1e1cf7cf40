/* SPDX-License-Identifier: MIT */
/* A dense solve under way: dense.c eliminates, dense_judge.c says what came of it. */
#ifndef QP_WALK_DENSE_H
#define QP_WALK_DENSE_H

#include <quadpass/dense.h>

#include "ops/gauss_jordan.h"

/* Probes are random in the scaled system first, then in the given one. */
enum { QP_PROBES = 4, QP_ALL_PROBES = 2 * QP_PROBES };

/* A round of refinement that leaves so much leads nowhere. */
#define QP_DENSE_HOPELESS 0.5

struct qp_dense {
    struct qp_context *context;
    const struct qp_market *matrix;
    const struct qp_dense_desc *desc;
    struct qp_dense_solution *out;
    bool identity; /* stands for b */
    struct qp_scaling scaling;
    struct qp_problem problem;
    size_t n, sides;                /* sides with probes */
    double *b, *x, *rest, *kept;    /* sides columns of n values */
    double *residual, *left;        /* of each side, as given and as scaled */
    int *exponent;                  /* of each side, a round's scaling of it */
    double norm_given, norm_scaled; /* of A, after Frobenius */
    double tolerance, begin;
};

/* The row asked for or the first that takes so many unknowns and sides; nothing is allocated. Needs
 * context, matrix, desc, out and sides. */
enum qp_status qp_dense_choose_variant(struct qp_dense *s);

/* Both norms of A, the scaled one as it stands in the problem. */
void qp_dense_measure_matrix(struct qp_dense *s);

/* rest = b - A x of one side, in double, and its norms. */
void qp_dense_measure_side(struct qp_dense *s, size_t side);

/* After the first elimination. Errors: QP_BAD_INPUT for a singular matrix, QP_UNSUPPORTED for a row
 * that loses all digits of one that is not. */
enum qp_status qp_dense_check_probes(struct qp_dense *s);

/* Fills in all that *out says of the solution but x itself. */
void qp_dense_judge(struct qp_dense *s);

#endif
