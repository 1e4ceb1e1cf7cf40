/* SPDX-License-Identifier: MIT */
/* Whole solves, compared with a direct solver: the last part of `check`. */
#ifndef QP_CMD_SOLVE_CHECK_SOLVES_H
#define QP_CMD_SOLVE_CHECK_SOLVES_H

#include "tools/cmd/cmd.h"

/* Result of one variant over all systems. */
struct solved {
    int cases; /* right-hand sides it could take */
    bool failed;
    double error; /* the worst's: ||x - y||_1 / ||y||_1, y by elimination */
    double tolerance;
    char reason[512]; /* why it failed */
};

/* Solves by the variant each system that it can take, up to one that it fails; none where its
 * operation is no solver. Errors: QP_UNSUPPORTED if the build has no direct solver,
 * QP_NO_MEMORY. */
enum qp_status check_solves(const struct options *options, struct qp_context *context,
                            const struct qp_variant *variant, struct solved *out);

#endif
