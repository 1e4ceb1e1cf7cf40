/* SPDX-License-Identifier: MIT */
/* Many small Poisson grids at once: the fields, and what the variants share. */
#ifndef QP_OPS_POISSON5_BATCH_POISSON5_BATCH_H
#define QP_OPS_POISSON5_BATCH_POISSON5_BATCH_H

#include "lab/plan/op.h"

/* Right-hand side h^2 f and start, one grid of n x n cells below the other. */
enum qp_poisson5_batch_field {
    QP_POISSON5_BATCH_RHS,
    QP_POISSON5_BATCH_X,
    QP_POISSON5_BATCH_STORED
};

enum { QP_POISSON5_BATCH_MOST = 256 /* cells of a small grid's side */ };

/* Facts about a variant of this operation; NULL: none. */
struct qp_poisson5_batch_variant {
    int most; /* cells of the largest grid's side */
};

extern const struct qp_op qp_op_poisson5_batch;

#endif
