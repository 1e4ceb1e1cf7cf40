/* SPDX-License-Identifier: MIT */
/* Reference for demos/cg.c: the same method in C with OpenMP, written to be fast. */
#ifndef QP_TESTS_CG_H
#define QP_TESTS_CG_H

#include <stdbool.h>

/* Solves A x = b as the demo does, from x = 0 until ||r|| <= tolerance ||b||, in n rows of (n + 3)
 * / 4 * 4 values each. False: no memory. */
bool support_cg(int n, const float *b, double tolerance, float *x, int *steps);

#endif
