/* SPDX-License-Identifier: MIT */
/* Answers of multigrid's variants after some cycles. */
#ifndef QP_TESTS_SUPPORT_MULTIGRID_H
#define QP_TESTS_SUPPORT_MULTIGRID_H

/* Walks a variant and fails the test unless its check passes; on a problem whose start is 0 returns
 * the norm of b - A x, in double, over that of b. *error, if not NULL, receives the largest
 * distance of x from the product of sines. A variant that needs CUDA skips the test where there is
 * none. */
double support_multigrid_residual(const char *variant, const char *kind, int width, int height,
                                  int cycles, double *error);

#endif
