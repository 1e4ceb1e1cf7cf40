/* SPDX-License-Identifier: MIT */
#include "cmd/solve/check_system.h"

#include <stdlib.h>

#include "base/status.h"

enum qp_status solved_allocate(struct solved_system *system, int sides)
{
    const size_t count = (size_t)sides * (size_t)system->matrix.rows;
    system->sides = sides;
    system->b = qp_alloc_zero(count, sizeof *system->b, "right-hand sides");
    system->x = qp_alloc(count, sizeof *system->x, "solutions");
    return system->b != NULL && system->x != NULL ? QP_OK : QP_NO_MEMORY;
}

void solved_destroy(struct solved_system *system)
{
    qp_market_destroy(&system->matrix);
    free(system->b);
    free(system->x);
    *system = (struct solved_system){0};
}
