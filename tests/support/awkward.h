/* SPDX-License-Identifier: MIT */
/* Matrices that are hard on a solver: singular, nearly so, badly scaled, growing as they are
 * eliminated. */
#ifndef QP_TESTS_AWKWARD_H
#define QP_TESTS_AWKWARD_H

enum { MOST = 40 }; /* unknowns */

/* A kind of matrix: its most unknowns, and how all elements are made, column by column. */
struct kind {
    const char *name;
    int most;
    void (*fill)(int n, double *a);
};

extern const struct kind kinds[];
extern const int kind_count;

/* A random number from low to high, in one sequence with those of the matrices. */
int whole(int low, int high);

#endif
