/* SPDX-License-Identifier: MIT */
/* Runs that follow the shader's file. */
#ifndef QP_CMD_RUN_WATCHED_H
#define QP_CMD_RUN_WATCHED_H

#include "cmd/cmd.h"

/* Runs at once, and again whenever the shader or the reference is saved, until an interrupt; a run that fails says so
 * and is followed by others. Returns the exit code. */
int run_watched(const struct options *options, struct qp_context *context);

#endif
