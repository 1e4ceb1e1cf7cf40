/* SPDX-License-Identifier: MIT */
/* Pictures of `quadpass draw`: kinds, each a function that draws by running or asking the library,
 * and no number of its own. A new kind is a function here and a row of the table in draw.c. */
#ifndef QP_CMD_DRAW_DRAW_H
#define QP_CMD_DRAW_DRAW_H

#include "tools/cmd/cmd.h"
#include "tools/cmd/output/svg.h"
#include "tools/cmd/output/trace.h"

/* A drawing under way. Kinds draw its title first, and describe what they draw. */
struct drawing {
    const struct options *options;
    const struct qp_variant *variant;
    struct qp_problem problem;
    bool upright; /* row 0 at the top, as matrices are written; grids have it at the bottom */
    struct qp_context *context; /* NULL unless the variant needs one to run, or to arrange arrays */
    struct svg svg;
};

/* Row of a texture or a grid of so many rows that a line of the page shows, from the top, or the
 * other way about. */
int draw_row_at(const struct drawing *drawing, int line, int rows);

/* QP_BAD_USE for a variant that takes no step on a grid of textures. */
enum qp_status draw_check_textures(const struct drawing *drawing);

/* Walks the variant, with a trace unless it is NULL. Errors: those of qp_walk, and QP_UNSUPPORTED
 * with the reason for a run that was skipped or failed its check, without a solution then. */
enum qp_status draw_run(struct drawing *drawing, struct trace *trace,
                        const struct qp_walk_desc *desc, struct qp_result *result);

/* QP_BAD_USE: the variant has nothing to draw, and why, such as "draws nothing"; `other` has. */
enum qp_status draw_refuse(const struct drawing *drawing, const char *why, const char *other);

/* Ten colours, again and again, that are light enough for black letters. */
const char *draw_colour(int number);

/* A sheet of cells: the file that is named after the kind, or standard input. */
enum { DRAW_COLUMNS = 8, DRAW_LINES = 100 };
struct draw_sheet {
    char *text;               /* all cells; for free() */
    const char *name, *title; /* the title: a first line after #, or else the name */
    char *head[DRAW_COLUMNS], *cell[DRAW_LINES][DRAW_COLUMNS];
    int columns, lines;
};

/* Reads it; its head has to name two columns. Errors: QP_BAD_INPUT with the file's name and line,
 * after which there is a text to free, too. */
enum qp_status draw_sheet_read(const struct drawing *drawing, const char *first, const char *second,
                               struct draw_sheet *sheet);

/* Number of a line in the file; and its cell below that head; NULL: no column is called so. */
int draw_sheet_line(const struct draw_sheet *sheet, int line);
const char *draw_sheet_cell(const struct draw_sheet *sheet, int line, const char *head);

/* The kinds. Errors: the library's own, and draw_refuse's. */
enum qp_status draw_layout(struct drawing *drawing);
enum qp_status draw_fetches(struct drawing *drawing);
enum qp_status draw_walk(struct drawing *drawing);
enum qp_status draw_banks(struct drawing *drawing);
enum qp_status draw_async(struct drawing *drawing);
enum qp_status draw_passes(struct drawing *drawing);
enum qp_status draw_frames(struct drawing *drawing);
enum qp_status draw_halos(struct drawing *drawing);
enum qp_status draw_pingpong(struct drawing *drawing);
enum qp_status draw_elimination(struct drawing *drawing);
enum qp_status draw_bands(struct drawing *drawing);
enum qp_status draw_bars(struct drawing *drawing);
enum qp_status draw_timeline(struct drawing *drawing);

#endif
