/* SPDX-License-Identifier: MIT */
/* The engine of OpenGL's rows, for engines that work on its textures too. */
#ifndef QP_ENGINES_GL_H
#define QP_ENGINES_GL_H

#include "engines/reducer.h"
#include "gl/pingpong.h"
#include "gl/step.h"
#include "plan/plan.h"

/* A plan's own. An engine whose own begins with it may make it before room 3. */
struct qp_plan_gl {
    struct qp_pingpong pair;
    struct qp_texture input[QP_INPUTS];
    struct qp_texture scale[QP_TARGETS]; /* with plan->measures_change, one a sheet of x */
    struct qp_reducer reducer;           /* likewise */
    struct qp_step change;               /* likewise */
    int drawn_rows; /* rows of the domain's texels that are drawn, from below; 0: all */
    int draws;      /* of the recipe: what each draws, and where */
    struct qp_step step[QP_DRAWS];
    struct qp_pass pass[QP_DRAWS];
};

/* Room 4, with plan->measures_change: the program that engine->change of qp_engine_gl draws with. */
enum qp_status qp_plan_gl_make_change(struct qp_plan *plan);

/* The pair of state textures, and an input, of a plan that qp_engine_gl has uploaded. */
struct qp_pingpong *qp_plan_gl_pair(struct qp_plan *plan);
const struct qp_texture *qp_plan_gl_input(const struct qp_plan *plan, int input);

#endif
