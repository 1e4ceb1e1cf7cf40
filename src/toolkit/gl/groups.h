/* SPDX-License-Identifier: MIT */
/* Work group sizes of compute shaders: only speed depends on them, and only measuring shows which
 * is best. */
#ifndef QP_GL_GROUPS_H
#define QP_GL_GROUPS_H

#include "toolkit/gl/context/context.h"

/* The sizes that are tried; NULL after the last one. */
const struct qp_group *qp_group_at(int index);

/* Runs the shader with such groups; *seconds is what one run took. */
typedef enum qp_status qp_group_trial(void *user, struct qp_group group, double *seconds);

/* Finds the fastest size for a shader on this number of texels. The context remembers it for all
 * numbers of texels between two powers of two, so trials are made once. Errors: those of the
 * trials. */
enum qp_status qp_groups_choose(struct qp_context *context, const char *shader, GLenum target,
                                long texels, qp_group_trial *trial, void *user,
                                struct qp_group *best);

#endif
