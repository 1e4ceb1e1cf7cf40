/* SPDX-License-Identifier: MIT */
/* Rows of x on OpenGL, through the host's memory: what parts of a grid give each other. */
#ifndef QP_ENGINES_GL_ROWS_H
#define QP_ENGINES_GL_ROWS_H

#include "plan/plan.h"

/* get_rows and put_rows of an engine whose own begins with a struct qp_plan_gl. */
enum qp_status qp_plan_gl_get_rows(struct qp_plan *plan, int y, int count, void *values);
enum qp_status qp_plan_gl_put_rows(struct qp_plan *plan, int y, int count, const void *values);

#endif
