/* SPDX-License-Identifier: MIT */
/* Room 5: which texels of the domain a draw covers. */
#ifndef QP_OPS_COVER_GL_H
#define QP_OPS_COVER_GL_H

#include "gl/pass.h"
#include "ops/plan.h"

struct qp_geometry qp_cover_geometry(const struct qp_plan *plan, enum qp_cover cover);

#endif
