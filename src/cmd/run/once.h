/* SPDX-License-Identifier: MIT */
/* Runs of a user's shader, each from its file to its outcome: one, or one whenever the file is saved. */
#ifndef QP_CMD_RUN_ONCE_H
#define QP_CMD_RUN_ONCE_H

#include "cmd/cmd.h"

/* Reads the shader, its inputs and the reference anew, takes all steps, writes and prints what is asked for. `*verdict`
 * is QP_SKIP without a reference. Errors: those of reading, compiling and running, with a sentence; QP_UNSUPPORTED
 * for an interrupt. */
enum qp_status run_once(const struct options *options, struct qp_context *context,
                        enum qp_verdict *verdict);

/* Runs at once, and again whenever the shader or the reference is saved, until an interrupt; a run that fails says so
 * and is followed by others. Returns the exit code. */
int run_watched(const struct options *options, struct qp_context *context);

#endif
