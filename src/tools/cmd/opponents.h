/* SPDX-License-Identifier: MIT */
/* Opponents: variants of other libraries, and of ours that are to be beaten
 * (docs/opponents.csv). */
#ifndef QP_CMD_OPPONENTS_H
#define QP_CMD_OPPONENTS_H

#include <stdio.h>

#include <quadpass/bench.h>

/* Prints below a table of one problem, for each opponent in it, what ran and the fastest other
 * variant's speed over its own; nothing where there is no opponent, or nothing else. */
void opponents_print(FILE *out, const struct qp_record *records, int count);

#endif
