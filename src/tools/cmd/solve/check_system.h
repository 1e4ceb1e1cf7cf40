/* SPDX-License-Identifier: MIT */
/* Systems that `check` solves, each with its solution by a direct solver. A new kind of input is a
 * file beside check_grid.c and check_matrix.c, a new system a row of the table in
 * check_solves.c. */
#ifndef QP_CMD_SOLVE_CHECK_SYSTEM_H
#define QP_CMD_SOLVE_CHECK_SYSTEM_H

#include "lab/solve/solvers.h"
#include "tools/cmd/cmd.h"

struct check_system {
    struct qp_market matrix;
    int width, height; /* size of its grid; 0 without one */
    int sides;         /* columns of b and x */
    double *b, *x;     /* x by the direct solver */
    double residual;   /* refinement ends at this ||b - A x||_2 / ||b||_2 */
    double condition;  /* ||A||_1 ||A^-1||_1 */
};

/* Origin of a system. */
struct check_origin {
    const struct check_input *input;
    const char *name;
    const char *kind; /* kind of the operation's problem that gives it; NULL: a file of that name */
    int width, height;
    enum qp_status (*matrix)(struct qp_market *out); /* in place of the problem's; NULL: that */
    bool (*suits)(const struct qp_variant *variant); /* NULL: all variants with this input */
};

/* A kind of input: how its systems are made, and solved by a variant. */
struct check_input {
    enum qp_solver_input input;
    const char *judge; /* name of the direct solver in sentences */

    /* Fills *out from the problem, which is empty where there is no kind. The caller destroys *out
     * even after an error. Errors: QP_UNSUPPORTED if the build has no direct solver,
     * QP_NO_MEMORY. */
    enum qp_status (*make)(const struct check_origin *origin, struct qp_problem *problem,
                           struct check_system *out);

    /* *x: all columns, freed by the caller; complaint: how the solve ended if that is not good. */
    enum qp_status (*solve)(const struct options *options, struct qp_context *context,
                            const struct qp_variant *variant, const struct check_system *system,
                            double **x, char complaint[512]);
};

extern const struct check_input check_grid, check_matrix, check_right_side;

/* Room for b and x. Errors: QP_NO_MEMORY. */
enum qp_status check_system_allocate(struct check_system *system, int sides);
void check_system_destroy(struct check_system *system);

#endif
