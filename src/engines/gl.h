/* SPDX-License-Identifier: MIT */
/* What the engine of OpenGL's rows shows to those that work on its textures. */
#ifndef QP_ENGINES_GL_H
#define QP_ENGINES_GL_H

#include "gl/pingpong.h"
#include "plan/plan.h"

/* Both states, and an input, of a plan that qp_engine_gl has uploaded. */
struct qp_pingpong *qp_plan_gl_pair(struct qp_plan *plan);
const struct qp_texture *qp_plan_gl_input(const struct qp_plan *plan, int input);

#endif
