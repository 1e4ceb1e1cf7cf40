/* SPDX-License-Identifier: MIT */
/* The tour of a batch: many systems at once. */
#include "cmd/tour/tour.h"
#include "ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "plan/plan.h"

static void print_systems(const struct tour *tour)
{
    const struct qp_problem *p = tour->problem;
    fprintf(tour->out, "    %s: %s\n    %d systems of %d unknowns, [A | b] of the first ones:\n",
            p->kind, p->op->equation, qp_batch_count(p), qp_batch_unknowns(p));
    tour_values(tour, p->width, p->height, p->field[QP_BATCH_AUGMENTED].values);
}

static void print_packed(const struct tour *tour)
{
    tour_layouts(tour);
    fputs("    all systems; # is a guard, NaN:\n", tour->out);
    tour_storage(tour, &tour->plan->input_layout[0], tour->plan->input_texels[0]);
}

static void print_upload(const struct tour *tour)
{
    fprintf(tour->out, "    arrays = textures: %d of systems, one a tile, and %d of x\n",
            tour->plan->input_layout[0].batch.tiles, tour->plan->layout.sheets);
}

static void print_draws(const struct tour *tour)
{
    if (qp_recipe_draws(tour->variant->recipe) == 1)
        fputs("    one quad a tile: each of its fragments solves a system\n", tour->out);
    else if (tour->variant->recipe->not_kinds != 0)
        fputs("    a quad copies all systems; for every column row k of all of them is divided "
              "into the\n"
              "    target and copied back to the source, and a quad subtracts it from all other "
              "rows;\n"
              "    after the last column a quad takes the unknowns out\n",
              tour->out);
    else
        fputs("    for every column a quad that finds the pivots of all systems, and one that\n"
              "    eliminates; after the last column a quad that takes the unknowns out\n",
              tour->out);
}

/* The tour of a batch. On the CPU, and from readback on, it is like any other problem. */
void tour_batch(void *user, enum qp_room room, struct qp_plan *plan, double seconds)
{
    static const struct tour_room rooms[QP_ROOMS + 1] = {
        [QP_ROOM_PROBLEM] = {NULL, print_systems},
        [QP_ROOM_PACK] = {NULL, print_packed},
        [QP_ROOM_UPLOAD] = {NULL, print_upload},
        [QP_ROOM_PASS] = {"    computing = drawing:\n", print_draws},
        [QP_ROOM_SWAP] = {"    nothing to swap: every pass solves the systems anew\n", NULL},
    };
    struct tour *tour = user;
    const bool own = room <= QP_ROOM_PACK || tour->variant->backend == QP_GL;
    tour_print_room(tour, own ? &rooms[room] : &rooms[0], room, plan, seconds);
}
