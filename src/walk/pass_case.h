/* SPDX-License-Identifier: MIT */
/* Checks of passes inside the library. A case is arrays of one size like the pass's own, alone or in guards, and what they
 * hold. */
#ifndef QP_WALK_PASS_CASE_H
#define QP_WALK_PASS_CASE_H

#include <quadpass/pass_check.h>

#include "toolkit/pass.h"

/* An array of a case. */
struct qp_case_array {
    struct qp_array *whole; /* with its guards; NULL: no array */
    struct qp_array *cells; /* a view of it, or itself */
    struct qp_array_desc desc;
    double guard;   /* around the cells */
    double *values; /* an input's as the device holds them, an output's before the pass */
};

/* A pass to be checked, and how. */
struct qp_pass_trial {
    const struct qp_pass *pass;
    const struct qp_pass_check_desc *desc;
    struct qp_prepared prepared;
    bool writes_all;             /* nothing of what stood in the outputs is left, or read */
    int same[QP_KERNEL_OUTPUTS]; /* the input that this output is; -1: none */
};

struct qp_pass_case {
    const struct qp_pass_trial *trial;
    int width, height;
    bool guarded;
    struct qp_case_array input[QP_KERNEL_INPUTS], output[QP_KERNEL_OUTPUTS];
    double *expected[QP_KERNEL_OUTPUTS], *got[QP_KERNEL_OUTPUTS];
    double scale;
};

/* Makes and fills the arrays of a case, and asks the reference, if there is one. Errors, after which *out is all zero: those
 * of arrays; QP_NO_MEMORY. Owner: the caller, by qp_pass_case_destroy. */
enum qp_status qp_pass_case_make(const struct qp_pass_trial *trial, int width, int height,
                                 bool guarded, struct qp_pass_case *out);
void qp_pass_case_destroy(struct qp_pass_case *of);

/* Runs the pass with this kernel, once, and reads all outputs. `reason` says which guard was written, else it is empty. Errors: those of qp_pass_run and qp_array_read. */
enum qp_status qp_pass_case_run(struct qp_pass_case *of, const struct qp_kernel *kernel,
                                char *reason, size_t size);

/* All cases, with this kernel in place of the pass's, up to the first that fails. Errors: those of cases. */
enum qp_status qp_pass_check_sizes(const struct qp_pass_trial *trial,
                                   const struct qp_kernel *kernel,
                                   struct qp_pass_check_result *result);

/* Checks all mutants of the pass's kernel and counts them. Errors: those of kernels and cases; QP_BAD_INPUT for a shader's
 * file that is gone. */
enum qp_status qp_pass_spoil(const struct qp_pass_trial *trial, struct qp_spoil_result *out);

/* Values of an output, or an input. */
static inline size_t qp_case_count(const struct qp_array_desc *desc)
{
    return (size_t)desc->width * (size_t)desc->height * (size_t)desc->channels;
}

#endif
