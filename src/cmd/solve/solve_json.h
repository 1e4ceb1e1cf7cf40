/* SPDX-License-Identifier: MIT */
/* Records of solve and invert: one for each right-hand side. */
#ifndef QP_CMD_SOLVE_SOLVE_JSON_H
#define QP_CMD_SOLVE_SOLVE_JSON_H

#include "cmd/cmd.h"

/* Writes --json and --csv if asked for: the head of all records, one record for each of `count` sides. */
enum qp_status solve_write_records(const struct options *options, struct qp_context *context,
                                   const struct qp_side *sides, int count);

/* Likewise one record of a solve on a grid. */
enum qp_status solve_write_solution(const struct options *options, struct qp_context *context,
                                    const struct qp_solution *solution);

/* The same for an elimination, by the row that its options name or the preferred one. */
enum qp_status solve_write_dense_records(const struct options *options, struct qp_context *context,
                                         const struct qp_dense_solution *solution);

#endif
