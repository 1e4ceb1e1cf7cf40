/* SPDX-License-Identifier: MIT */
/* Facts of a matrix that decide which methods can take it, and forecasts of their steps. All are
 * counted or compared on the host, in time proportional to the entries. */
#ifndef QP_SOLVE_TRAITS_H
#define QP_SOLVE_TRAITS_H

#include "toolkit/base/sparse.h"

struct qp_traits {
    bool symmetric, skew; /* A' = A, and A' = -A */
    int row, column;      /* place, from 0, that differs from its mirror image where it is not */
    int sign;             /* sign of all diagonal entries; 0 where they differ, or one is 0 */
    /* Rows, from 0: the first with a zero or none on the diagonal, and with a sign unlike that of
     * row 0; -1: none. */
    int zero, other;
    bool definite;    /* symmetric, and for all that x'A x shows with x_i = |a_ii|^-1/2, definite */
    double dominance; /* max_i sum_j |a_ij / a_ii|, j other than i; infinite with a zero */
    double balanced;  /* the same in the best units of rows and unknowns, as far as is known */
    /* Entries from the rows that are far from weakly dominant, as at a mesh's boundary, to the row
     * farthest from them; where none is, half of those from row 0. */
    int depth;
};

/* Errors: QP_NO_MEMORY. */
enum qp_status qp_traits_find(const struct qp_sparse *matrix, struct qp_traits *out);

/* Counts entries from the nearest row with sum_j |a_ij / a_ii| < share, or shares[i] < share (NULL:
 * none), to each row, -1 where none leads there; `queue` is room for as many. Returns the largest
 * count, -1 without such rows. */
int qp_traits_distances(const struct qp_sparse *matrix, const double *shares, double share,
                        int *distance, int *queue);

/* Steps that Jacobi, and conjugate gradients or BiCGSTAB, are expected to take to make a residual
 * smaller by this factor. */
double qp_traits_jacobi_steps(const struct qp_traits *traits, double factor);
double qp_traits_krylov_steps(const struct qp_traits *traits, double factor);

#endif
