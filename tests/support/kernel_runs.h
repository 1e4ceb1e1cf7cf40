/* SPDX-License-Identifier: MIT */
/* Runs of kernel files without a process for each; and .npy files of numbers. */
#ifndef QP_TESTS_KERNEL_RUNS_H
#define QP_TESTS_KERNEL_RUNS_H

#include "support/support.h"

#include <stdio.h>

struct run_machine;

/* Takes a kernel file's steps as `run` does, on its inputs; `cells` become the states. Without a
 * machine they are drawn. Errors: those of run_inputs_make and run_program_make. */
enum qp_status kernel_run(struct qp_context *context, struct qp_kernel_file *file,
                          const struct run_machine *machine, double *const cells[]);

/* An array of height rows as a file, in 32 bits or, of doubles, 64; and the values of such a
 * file. */
void npy_write(const char *path, enum qp_array_type type, int width, int height,
               const double *cells);
void npy_read(const char *path, enum qp_array_type type, int count, double *cells);

#endif
