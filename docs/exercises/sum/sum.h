/* SPDX-License-Identifier: MIT */
/* Two things that an answer to this exercise defines. */
#ifndef SUM_H
#define SUM_H

#include <quadpass/quadpass.h>

/* Each cell is the sum of the four cells of x in its place: half as many columns and rows. */
extern const struct qp_kernel_desc fold_kernel;

/* Sums all cells of x, width x height of them, by passes of that kernel: *out is a float. */
enum qp_status sum_all(struct qp_context *context, const struct qp_kernel *fold, struct qp_array *x,
                       int width, int height, float *out);

#endif
