/* SPDX-License-Identifier: MIT */
/* Tours of `quadpass walk`: callbacks of the walk that print the contents of a room, one for steps
 * on a grid, one each for reductions, eliminations, batches, sparse products and transfers. */
#ifndef QP_CMD_TOUR_TOUR_H
#define QP_CMD_TOUR_TOUR_H

#include <stdio.h>

#include <quadpass/walk.h>

#include "base/layout.h"

struct tour {
    FILE *out;
    const struct qp_problem *problem;
    const struct qp_variant *variant;
    const struct qp_result *result; /* filled room by room */
    struct qp_plan *plan;           /* in the room that is printed */
    bool upright;                   /* row 0 at the top, as matrices are written */
    bool eliminates;                /* judged by its residual */
    bool with_texts;                /* with the texts of shaders */

    /* Text that room 5 of an elimination will print, written column by column. */
    FILE *columns;
    char *text;
    size_t length;
};

/* The callbacks; `user` is a tour. */
void tour_grid(void *user, enum qp_room room, struct qp_plan *plan, double seconds);
void tour_reduction(void *user, enum qp_room room, struct qp_plan *plan, double seconds);
void tour_elimination(void *user, enum qp_room room, struct qp_plan *plan, double seconds);
void tour_batch(void *user, enum qp_room room, struct qp_plan *plan, double seconds);
void tour_sparse(void *user, enum qp_room room, struct qp_plan *plan, double seconds);
void tour_transfer(void *user, enum qp_room room, struct qp_plan *plan, double seconds);

/* Prints the results of columns, if room 5 has not. */
void tour_end(struct tour *tour);

/* A room of a tour of its own: words, and a function that prints more. */
struct tour_room {
    const char *words;                      /* NULL: none */
    void (*print)(const struct tour *tour); /* NULL: nothing more */
};

/* Prints a room below its heading; one that has neither, as the tour on a grid does. */
void tour_print_room(struct tour *tour, const struct tour_room *own, enum qp_room room,
                     struct qp_plan *plan, double seconds);

/* A corner of at most 8 x 8 values, upright 9 x 8. */
void tour_values(const struct tour *tour, int width, int height, float *values);

/* The whole storage: # is NaN, a guard or a cell not yet computed. */
void tour_storage(const struct tour *tour, const struct qp_layout *layout, const void *texels);

/* Layouts of the state and of all inputs; the same with the packed state; the shaders, and the rest
 * of room 4; the packed state as it is. */
void tour_layouts(const struct tour *tour);
void tour_pack(const struct tour *tour);
void tour_shaders(const struct tour *tour);
void tour_program(const struct tour *tour);
void tour_texels(const struct tour *tour);

/* Prints the target on the device, as it is at present. */
void tour_state(const struct tour *tour);

/* The map of a chaotic step: which neighbours each cell found updated. */
void tour_seen(const struct tour *tour);

/* Prints the error, its worst place, and the tolerance. */
void tour_comparison(const struct tour *tour);

/* The name of the field that the iteration carries on. */
const char *tour_state_name(const struct tour *tour);

#endif
