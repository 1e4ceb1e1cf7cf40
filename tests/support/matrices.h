/* SPDX-License-Identifier: MIT */
/* Systems of the kinds that an engineer's collection holds and iterations do not solve, with values
 * of few bits, so that products with small whole numbers round nothing. */
#ifndef QP_TESTS_MATRICES_H
#define QP_TESTS_MATRICES_H

#include <stdint.h>

#include <quadpass/market.h>

enum { MATRICES_WIDTH = 20 }; /* every mesh's */

/* Fills n x n zeros, row by row. */
typedef void matrices_fill(double *a, int n, uint64_t *seed);

matrices_fill matrices_permuted;   /* a Laplacian, its rows in another order */
matrices_fill matrices_skew;       /* tridiagonal and skew-symmetric */
matrices_fill matrices_circuit;    /* with voltage sources: zeros on the diagonal */
matrices_fill matrices_banded;     /* eleven bands, not dominant */
matrices_fill matrices_arrow;      /* its first row and column are full */
matrices_fill matrices_helmholtz;  /* symmetric and indefinite */
matrices_fill matrices_convection; /* central differences, far from dominant */
matrices_fill matrices_dependent;  /* banded; row 9 is the sum of rows 3 and 4 */

/* The matrix without its zeros; the caller destroys it. */
struct qp_market matrices_make(matrices_fill *fill, int n);

/* So many of them side by side. The caller destroys it. */
struct qp_market matrices_repeat(matrices_fill *fill, int n, int times);

#endif
