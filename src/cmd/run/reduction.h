/* SPDX-License-Identifier: MIT */
/* The number of --reduce, computed on the device: of all values, whatever channel they stand in. */
#ifndef QP_CMD_RUN_REDUCTION_H
#define QP_CMD_RUN_REDUCTION_H

#include "cmd/cmd.h"

enum { MOST_CHANNELS = 4 };

struct run_reduction {
    enum reduction what;
    struct qp_reduction *of[MOST_CHANNELS]; /* one for each channel */
    struct qp_array_desc x;
    bool in_tiles; /* x is larger than a texture, and is reduced by qp_array_reduce */
};

/* For arrays that are described so; sums carry their rounding along where the device can (reduce.h). Nothing is made
 * without --reduce. Errors, after which *out is all zero: those of qp_reduction_create;
 * QP_UNSUPPORTED for several values a cell in tiles. Owner: the caller, by
 * run_reduction_destroy, before the context. */
enum qp_status run_reduction_make(struct qp_context *context, enum reduction what,
                                  const struct qp_array *x, struct run_reduction *out);
void run_reduction_destroy(struct run_reduction *reduction);

/* Waits for the steps so far. *out is NaN if a value is. Errors: those of qp_reduce and qp_array_reduce. */
enum qp_status run_reduction_take(const struct run_reduction *reduction, const struct qp_array *x,
                                  double *out);

#endif
