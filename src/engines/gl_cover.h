/* SPDX-License-Identifier: MIT */
/* Room 5: which texels of the domain a draw covers. */
#ifndef QP_ENGINES_GL_COVER_H
#define QP_ENGINES_GL_COVER_H

#include "gl/pass.h"
#include "plan/plan.h"

struct qp_geometry qp_cover_geometry(const struct qp_plan *plan, enum qp_cover cover);

#endif
