/* SPDX-License-Identifier: MIT */
/* Steps of kernel files on the device, without a process for each; and .npy files of numbers. */
#ifndef QP_TESTS_KERNEL_RUNS_H
#define QP_TESTS_KERNEL_RUNS_H

#include "support/support.h"

#include <stdio.h>

/* Draws `steps` steps; `cells` has each array's values, and its states become the results of the
 * last step. */
void kernel_run(struct qp_context *context, const struct qp_kernel_file *file, int width,
                int height, int steps, double *const cells[]);

/* An array of height rows as a file, in 32 bits or, of doubles, 64; and the values of such a
 * file. */
void npy_write(const char *path, enum qp_array_type type, int width, int height,
               const double *cells);
void npy_read(const char *path, enum qp_array_type type, int count, double *cells);

#endif
