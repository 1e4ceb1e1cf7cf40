/* SPDX-License-Identifier: MIT */
#include "tools/cmd/solve/check_system.h"

#include <stdlib.h>

#include "toolkit/base/status.h"

enum qp_status check_system_allocate(struct check_system *system, int sides)
{
    const size_t count = (size_t)sides * (size_t)system->matrix.rows;
    system->sides = sides;
    system->b = qp_alloc_zero(count, sizeof *system->b, "right-hand sides");
    system->x = qp_alloc(count, sizeof *system->x, "solutions");
    return system->b != NULL && system->x != NULL ? QP_OK : QP_NO_MEMORY;
}

void check_system_destroy(struct check_system *system)
{
    qp_market_destroy(&system->matrix);
    free(system->b);
    free(system->x);
    *system = (struct check_system){0};
}
