/* SPDX-License-Identifier: MIT */
/* Sparse matrices in tests of products. */
#ifndef QP_TESTS_SPARSE_H
#define QP_TESTS_SPARSE_H

#include "lab/plan/problem.h"

/* A problem of spmv with this matrix, whose rows are cells of a grid about as wide as high or,
 * where both are positive, of width x height = rows cells; takes the matrix over. */
void support_sparse_problem(struct qp_sparse *matrix, int width, int height,
                            struct qp_problem *out);

/* A copy of a file's matrix, multiplied by scale[i] scale[j]; NULL: 1. */
void support_sparse_from_market(const struct qp_market *market, const double *scale,
                                struct qp_sparse *out);

#endif
