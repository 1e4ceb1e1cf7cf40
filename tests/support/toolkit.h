/* SPDX-License-Identifier: MIT */
/* Objects of the toolkit in tests, made in the context of the test that runs. */
#ifndef QP_TESTS_TOOLKIT_H
#define QP_TESTS_TOOLKIT_H

#include "support/support.h"

/* Each test sets it first: context = support_need_context(state). */
extern struct qp_context *context;

/* Sets it, and skips the test where the device has no compute shaders. */
void need_compute(void **state);

/* An array, a float array of these sizes, and a kernel, which the test destroys. */
struct qp_array *make(struct qp_array_desc desc, const void *values);
struct qp_array *grid(int width, int height, const float *values);
struct qp_kernel *kernel(struct qp_kernel_desc desc);

/* Arrays of floats of one row, and of several channels; a depth. */
struct qp_array *row_of(int width, const float *values);
struct qp_array *field(int width, int height, int channels, const float *values);
struct qp_depth *depth_of(int width, int height, enum qp_depth_keeps keeps);

/* a x + y. */
struct qp_kernel *saxpy(void);

bool same(const float *got, const float *expected, int count);

/* An array's values are these, bit for bit; `what` is printed before the first that is not. */
void expect_values(const struct qp_array *array, const float *expected, int count,
                   const char *what);

/* Microseconds of a pass among `passes`. */
double microseconds_each(const struct qp_pass *pass, int passes);

#endif
