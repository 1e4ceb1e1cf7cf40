/* SPDX-License-Identifier: MIT */
/* One run of a user's shader, from its file to its outcome. */
#ifndef QP_CMD_RUN_ONCE_H
#define QP_CMD_RUN_ONCE_H

#include "cmd/cmd.h"

/* Reads the shader, its inputs and the reference anew, takes all steps, writes and prints what is asked for. `*verdict`
 * is QP_SKIP without a reference. Errors: those of reading, compiling and running, with a sentence; QP_UNSUPPORTED
 * for an interrupt. */
enum qp_status run_once(const struct options *options, struct qp_context *context,
                        enum qp_verdict *verdict);

#endif
