/* SPDX-License-Identifier: MIT */
/* An operation made at run time, for the tests of such:
 * x' = a (left + right + below + above) + f, with 0 beyond the border. */
#ifndef QP_TESTS_RELAX_H
#define QP_TESTS_RELAX_H

#include "support/support.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

/* In double, and in float. */
double relax(const struct qp_custom_grid *g, const double *x, double *next);
void relax_sweep(const struct qp_custom_grid *g, const float *x, float *next);

/* A launch that launches nothing. */
int relax_nothing(const struct qp_custom_grid *g, const float *x, float *next, void *stream);

/* One cell a texel; four, where the shader writes the padding's zeros behind the last cell of a row;
 * a vertex shader for both. */
extern const char relax_plain[], relax_rgba[], relax_vertex[];

extern const struct qp_custom_desc relaxation;
struct qp_custom *relax_make(void);

/* A variant with one texel of padding and one draw. */
const struct qp_variant *relax_add(struct qp_custom *op, const char *name, enum qp_texel texel,
                                   const char *text);

/* On all awkward sizes. */
struct qp_tally relax_check(struct qp_context *context, struct qp_custom *op,
                            const struct qp_variant *variant);

#endif
