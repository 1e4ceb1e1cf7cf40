/* SPDX-License-Identifier: MIT */
/* `solve` with the name of an operation that takes a right-hand side. */
#ifndef QP_CMD_SOLVE_RIGHT_SIDE_H
#define QP_CMD_SOLVE_RIGHT_SIDE_H

#include "cmd/cmd.h"

/* Solves, writes and reports; returns the exit code. */
int solve_right_side(const struct options *options);

#endif
