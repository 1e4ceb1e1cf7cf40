/* SPDX-License-Identifier: MIT */
/* `accuracy` of rows that step towards the solution of Poisson's equation. */
#ifndef QP_CMD_ACCURACY_POISSON_H
#define QP_CMD_ACCURACY_POISSON_H

#include "cmd/cmd.h"

/* Prints how near each row gets to the exact discrete solution, what a fixed number of steps loses, and how many steps
 * and seconds each method takes to 1e-6; writes --json and --csv. Returns the exit code. */
int accuracy_poisson(const struct options *options, const struct qp_variant *const rows[],
                     int count);

#endif
