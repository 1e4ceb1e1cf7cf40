/* SPDX-License-Identifier: MIT */
/* Pictures of `quadpass draw`: kinds, each a function that draws by running or asking the library,
 * and no number of its own. A new kind is a function here and a row of the table in draw.c. */
#ifndef QP_CMD_DRAW_DRAW_H
#define QP_CMD_DRAW_DRAW_H

#include "cmd/cmd.h"
#include "cmd/output/svg.h"

/* A drawing under way. Kinds draw its title first, and describe what they draw. */
struct drawing {
    const struct options *options;
    const struct qp_variant *row;
    struct qp_problem problem;
    struct qp_context *context; /* NULL unless the kind runs rows, and the row needs one */
    struct svg svg;
};

/* Opens the context, if the row needs one: done already for kinds that run rows. Errors: those of
 * cmd_open, QP_NO_DEVICE. */
enum qp_status draw_open(struct drawing *drawing);

/* QP_BAD_USE for a row that takes no step on a grid of textures. */
enum qp_status draw_check_textures(const struct drawing *drawing);

/* Errors of a kind: the library's own, and QP_BAD_USE, with a sentence that names a row it can
 * draw, for a row that has nothing to draw. */
enum qp_status draw_layout(struct drawing *drawing);
enum qp_status draw_fetches(struct drawing *drawing);
enum qp_status draw_walk(struct drawing *drawing);
enum qp_status draw_banks(struct drawing *drawing);
enum qp_status draw_async(struct drawing *drawing);
enum qp_status draw_passes(struct drawing *drawing);
enum qp_status draw_frames(struct drawing *drawing);
enum qp_status draw_halos(struct drawing *drawing);

#endif
