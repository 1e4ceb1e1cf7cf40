/* SPDX-License-Identifier: MIT */
/* Textures of the engine of OpenGL's rows, for engines that work on them too. */
#ifndef QP_ENGINES_GL_H
#define QP_ENGINES_GL_H

#include "gl/pingpong.h"
#include "plan/plan.h"

/* The pair of state textures, and an input, of a plan that qp_engine_gl has uploaded. */
struct qp_pingpong *qp_plan_gl_pair(struct qp_plan *plan);
const struct qp_texture *qp_plan_gl_input(const struct qp_plan *plan, int input);

#endif
