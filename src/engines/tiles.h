/* SPDX-License-Identifier: MIT */
/* A grid cut into tiles, for rows whose textures would not fit: each tile is a plan of its own on
 * qp_engine_gl. Its domain are the cells it owns; the padding around them holds what its neighbours
 * computed, for a variant reads its padding and never writes it. */
#ifndef QP_ENGINES_TILES_H
#define QP_ENGINES_TILES_H

#include "plan/plan.h"

/* What a row tells this engine: the most texels of a tile each way, INT_MAX for as many as textures hold. For
 * paddings of one texel. */
struct qp_tiles_row {
    int tile;
};

struct qp_tile {
    struct qp_problem problem; /* the whole one's, but for the size; owns nothing */
    struct qp_plan *plan;
    int x, y; /* its first texel in the whole domain */
};

struct qp_plan_tiles {
    struct qp_recipe recipe; /* the row's, but for the engine */
    struct qp_variant variant;
    int across, up;
    struct qp_tile *tile; /* up rows of them, from the bottom */
};

/* A plan's tiles, from room 3 on; NULL for plans of other engines. */
const struct qp_plan_tiles *qp_tiles_of(const struct qp_plan *plan);

#endif
