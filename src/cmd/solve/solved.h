/* SPDX-License-Identifier: MIT */
/* Whole solves against a direct solver, the last part of `check`. */
#ifndef QP_CMD_SOLVE_SOLVED_H
#define QP_CMD_SOLVE_SOLVED_H

#include "cmd/cmd.h"

/* Result of one row over all systems. */
struct solved {
    int cases; /* systems it could take */
    bool failed;
    double error; /* of the worst: ||x - y||_1 / ||y||_1, y by elimination */
    double tolerance;
    char reason[512]; /* why it failed */
};

/* Each row solves each system that it can take; `out` has room for `count` rows. Errors: QP_UNSUPPORTED if
 * the build has no direct solver, QP_NO_MEMORY. */
enum qp_status solved_check(const struct options *options, struct qp_context *context,
                            const struct qp_variant *const rows[], int count, struct solved out[]);

/* Its part for rows of gauss_jordan (solved_dense.c). */
enum qp_status solved_check_dense(const struct options *options, struct qp_context *context,
                                  const struct qp_variant *const rows[], int count,
                                  struct solved out[]);

/* ||x - y||_1 / ||y||_1. */
double solved_distance(const double *x, const double *y, int count);

/* Notes why the row failed on the system of this name. */
void solved_fail(struct solved *row, const char *name, const char *why);

#endif
