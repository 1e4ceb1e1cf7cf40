/* SPDX-License-Identifier: MIT */
/* Areas of a draw of qp_engine_poisson5: fragments that the plain program may take, and the
 * others. */
#ifndef QP_OPS_POISSON5_AREAS_H
#define QP_OPS_POISSON5_AREAS_H

#include "plan/plan.h"

/* Texels of the domain, from (x0, y0) up to (x1, y1). */
struct qp_area {
    int x0, y0, x1, y1;
};

struct qp_poisson5_areas {
    struct qp_area inside; /* all zero for none */
    int count;
    struct qp_area careful[5]; /* four strips along the rim; last, on that kind, the spike */
};

/* Sets the areas of a draw of `steps` steps. */
void qp_poisson5_areas_set(const struct qp_plan *plan, int steps, struct qp_poisson5_areas *out);

#endif
