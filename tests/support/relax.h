/* SPDX-License-Identifier: MIT */
/* A trial, for the tests of such: x' = a (left + right + below + above) + f, with 0 beyond the
 * border. */
#ifndef QP_TESTS_RELAX_H
#define QP_TESTS_RELAX_H

#include "support/support.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

/* In double, and in float. */
double relax(const struct qp_kernel_grid *g, double *const output[]);
void relax_sweep(const struct qp_kernel_grid *g, void *const output[]);

/* A launch that launches nothing. */
int relax_nothing(const struct qp_kernel_grid *g, void *const output[], void *stream);

/* A whole shader, and one in the short form. */
extern const char relax_plain[], relax_body[];

/* Inputs x and f, number a; the kernel has no text. */
extern const struct qp_kernel_desc relax_kernel;
extern const struct qp_trial_desc relaxation;
struct qp_trial *relax_make(void);

/* Variants by a whole shader, a body, and a sweep. */
const struct qp_variant *relax_add(struct qp_trial *trial, const char *name, const char *text);
const struct qp_variant *relax_add_body(struct qp_trial *trial, const char *name, const char *body);
const struct qp_variant *relax_add_sweep(struct qp_trial *trial, const char *name,
                                         qp_kernel_sweep *sweep);

/* On all awkward sizes. */
struct qp_tally relax_check(struct qp_context *context, struct qp_trial *trial,
                            const struct qp_variant *variant);

#endif
