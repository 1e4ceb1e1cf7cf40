/* SPDX-License-Identifier: MIT */
/* Kernels of the toolkit's own shaders, with lines in front that make one do for several types and kinds. */
#ifndef QP_TOOLKIT_BUILT_IN_H
#define QP_TOOLKIT_BUILT_IN_H

#include <quadpass/kernel.h>

#include "base/status.h"

/* Makes a kernel of a built-in shader (gl/shaders.h), whole or in the short form, with `lines` in front of it: behind its
 * #version line, where it has one, in whose place stands `version` unless that is NULL. `desc` has the rest. Whole ones
 * read no cell outside their arrays. Errors: QP_BAD_INPUT, those of qp_kernel_create; then *out is NULL. Owner: the
 * caller. */
enum qp_status qp_kernel_built_in(struct qp_context *context, const char *shader,
                                  const char *version, const char *lines,
                                  const struct qp_kernel_desc *desc, struct qp_kernel **out);

#endif
