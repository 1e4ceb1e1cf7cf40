/* SPDX-License-Identifier: MIT */
/* Splits of variants that share their grid between two kinds of parts, and the reasons. */
#ifndef QP_CMD_OUTPUT_SPLIT_H
#define QP_CMD_OUTPUT_SPLIT_H

#include <stdio.h>

#include <quadpass/walk.h>

/* Prints a line: the share that was learned on this device, or the equal one without that. Nothing
 * for variants that are not split, and where a split was asked for, or more than two parts. */
void split_tell(FILE *out, const struct qp_context *context, const struct qp_variant *variant,
                const struct qp_parts_desc *asked);

#endif
