/* SPDX-License-Identifier: MIT */
/* Running sums inside the library, and what gathers share with them. */
#ifndef QP_TOOLKIT_SCAN_H
#define QP_TOOLKIT_SCAN_H

#include <quadpass/reduce.h>

#include "toolkit/array.h"
#include "toolkit/kernel.h"

/* Room for the line that says what a value of an array is in a shader: "#define VALUE vec4". */
enum { QP_VALUE_LINE = 32 };
void qp_define_value(const struct qp_array_desc *desc, char line[QP_VALUE_LINE]);

/* qp_scan of arrays that fit each other. */
enum qp_status qp_scan_run(const struct qp_array *x, enum qp_scan how, struct qp_array *out);

/* Two arrays of a pass share a texture, so that it would read what it writes. */
enum qp_status qp_refuse_feedback(const struct qp_array *input, const char *name,
                                  const struct qp_array *out);

/* Errors, for arrays that are read: QP_BAD_USE for doubles, QP_UNSUPPORTED for a GL_TEXTURE_2D. */
enum qp_status qp_check_source(const struct qp_array *array, const char *name);

/* Errors: QP_BAD_USE where `out` has another type or other channels than x. */
enum qp_status qp_check_same_values(const struct qp_array *x, const struct qp_array *out);

#endif
