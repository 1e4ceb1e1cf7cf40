/* SPDX-License-Identifier: MIT */
/* A reference in C that the user wrote, compiled and called: in a process of its own, so that one which crashes or never
 * returns becomes a sentence. */
#ifndef QP_CMD_RUN_REFERENCE_H
#define QP_CMD_RUN_REFERENCE_H

#include <sys/types.h>

#include "cmd/run/program.h"

/* One step: reads `before` and writes every value of `after`, cell (x, y) at y * width + x, of several values a cell
 * side by side, of several states one after the other. `input` are the other arrays, `numbers` the values of all numbers, both
 * in the kernel's order. */
typedef void run_reference_function(int width, int height, const float *const *input,
                                    const double *numbers, const double *before, double *after);

struct run_reference {
    const char *path;
    pid_t process; /* 0: none */
    int link;      /* a socket, for a byte a step each way */
    double *before, *after;
    size_t count; /* values of either */
    int steps;    /* of the whole run */
};

/* Compiles the file that the kernel's head names by $CC, or cc, as a shared object in a folder of its own, which does not outlive the call, and starts
 * its process, which loads it, with the states at the start as `before`. Errors, after which *out is all zero: QP_BAD_INPUT for a file
 * that cannot be read, does not compile (with the compiler's first error), has no function `reference` or ends its process
 * or takes twenty seconds while it is loaded; QP_BAD_USE for a compiler that is not there; QP_NO_MEMORY; QP_UNSUPPORTED for an interrupt. Owner: the caller, by run_reference_destroy. */
enum qp_status run_reference_make(const struct qp_kernel_file *kernel,
                                  const struct run_inputs *inputs, struct run_reference *out);
void run_reference_destroy(struct run_reference *reference);

/* Computes `after`, which begins as NaN. Errors: QP_BAD_INPUT for a reference that ended, or left a value NaN or infinite;
 * QP_UNSUPPORTED for an interrupt. */
enum qp_status run_reference_step(struct run_reference *reference, int step);

/* Makes `after` the `before` of the next step. */
void run_reference_advance(struct run_reference *reference);

#endif
