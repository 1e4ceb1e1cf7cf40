/* SPDX-License-Identifier: MIT */
/* Objects of the toolkit in tests, made in the context of the test that runs. */
#ifndef QP_TESTS_TOOLKIT_H
#define QP_TESTS_TOOLKIT_H

#include "support/support.h"

/* Each test sets it first: context = support_need_context(state). */
extern struct qp_context *context;

/* An array, a float array of these sizes, and a kernel, which the test destroys. */
struct qp_array *make(struct qp_array_desc desc, const void *values);
struct qp_array *grid(int width, int height, const float *values);
struct qp_kernel *kernel(struct qp_kernel_desc desc);

#endif
