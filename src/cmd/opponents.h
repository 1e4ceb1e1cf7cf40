/* SPDX-License-Identifier: MIT */
/* Opponents: rows of other libraries, and of ours that are to be beaten (docs/opponents.csv). */
#ifndef QP_CMD_OPPONENTS_H
#define QP_CMD_OPPONENTS_H

#include <stdio.h>

#include <quadpass/bench.h>

/* Below a table of one problem: of each opponent in it what ran, and the fastest other row's speed over its own. Nothing
 * where there is no opponent, or nothing else. */
void opponents_print(FILE *out, const struct qp_record *records, int count);

#endif
