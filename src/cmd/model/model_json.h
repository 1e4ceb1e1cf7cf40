/* SPDX-License-Identifier: MIT */
#ifndef QP_CMD_MODEL_MODEL_JSON_H
#define QP_CMD_MODEL_MODEL_JSON_H

#include "cmd/cmd.h"
#include "tune/runs.h"

/* Writes --json and --csv if asked for: a record a run. Errors: as records_write_rows. */
enum qp_status model_write_records(const struct options *options, struct qp_context *context,
                                   const struct qp_tuned *tunings, int count);

#endif
