/* SPDX-License-Identifier: MIT */
/* Draws of a variant's step, and the texels that each of them writes. That is measured: before a
 * draw its target is filled with a number that no variant computes, and afterwards the texels that
 * still hold it get their old values back, so that the variant goes on as if nobody had looked. A
 * draw that blends, or reads its own target, finds the old values, and wrote what has changed. */
#include <stdlib.h>
#include <string.h>

#include "lab/ops/gauss_jordan/columns.h"
#include "lab/plan/op.h"
#include "toolkit/gl/readback.h"
#include "tools/cmd/draw/draw.h"

enum { MOST_TARGETS = 26, MOST_DRAWS = 96, IN_LINE = 3, IN_COLUMN = 4, CHANNELS = 4 };

static const float unused = -49152.0f; /* exact in 16 bits, too */

struct record {
    struct drawing *drawing;
    const struct qp_gl_pass *pass; /* the draw under way */
    float *before, *now;           /* values of the texels of its first target */
    bool on;                       /* set in the step, not in its warm-up */
    bool filled;
    /* Draws of each column of an elimination, the column, and the next of its draws; or NULL. */
    const struct qp_elimination_draw *list;
    const struct qp_plan *plan;
    int column, next, shown;
    bool changes; /* a draw was not filled, of which texels that have changed are drawn */
    int draws;
    struct qp_surface target[MOST_TARGETS]; /* in the order of first use */
    int targets;
    enum qp_status status;
};

static float *read_target(struct record *record)
{
    const struct qp_gl_pass *pass = record->pass;
    float *texels = qp_alloc_floats((size_t)CHANNELS * (size_t)pass->width * (size_t)pass->height,
                                    "the texels of a draw");
    if (texels == NULL)
        record->status = QP_NO_MEMORY;
    else
        qp_readback_ask(record->drawing->context, pass->surface, QP_RGBA32F, 0, pass->x, pass->y,
                        pass->width, pass->height, texels, 0);
    return texels;
}

static void fill(int x, int y, int width, int height, const float *texel)
{
    glEnable(GL_SCISSOR_TEST);
    glScissor(x, y, width, height);
    glClearBufferfv(GL_COLOR, 0, texel);
    glDisable(GL_SCISSOR_TEST);
}

/* True if the draw needs its target's old values. */
static bool needs_target(const struct qp_gl_pass *pass)
{
    GLint id = 0;
    bool reads = pass->blend != QP_REPLACE || pass->test.rule != QP_TEST_NONE;
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, pass->surface.attachment,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &id);
    for (int i = 0; i < pass->textures; i++)
        reads = reads || pass->texture[i]->id == (GLuint)id;
    return reads;
}

/* 'A' for the first target. */
static char letter_of(struct record *record, struct qp_surface surface)
{
    int k = 0;
    while (k < record->targets && memcmp(&record->target[k], &surface, sizeof surface) != 0)
        k++;
    if (k == record->targets && k < MOST_TARGETS)
        record->target[record->targets++] = surface;
    return (char)('A' + k);
}

static bool wrote(const struct record *record, int texel)
{
    const float *now = record->now + CHANNELS * texel, *before = record->before + CHANNELS * texel;
    return record->filled ? *now != unused : memcmp(before, now, CHANNELS * sizeof *now) != 0;
}

static int paint_at(const void *user, int column, int line)
{
    const struct record *record = user;
    return wrote(record,
                 draw_row_at(record->drawing, line, record->pass->height) * record->pass->width +
                     column);
}

/* Name of a draw of an elimination; the first of a column comes below the column's number. */
static const char *name_in_column(struct record *record, int written)
{
    const struct qp_elimination_draw *draw = &record->list[record->next];
    struct svg *svg = &record->drawing->svg;
    struct qp_gl_pass cover = {0};
    while (draw->draw.fragment != NULL &&
           !qp_elimination_cover(record->plan, draw->into, draw->part, record->column, &cover))
        draw++;
    if (draw->draw.fragment == NULL)
        return NULL;
    const char *name = draw->into == QP_SURFACE_SOURCE                  ? "copy back"
                       : strstr(draw->draw.fragment, "/divide") != NULL ? "divide"
                       : draw->into == QP_SURFACE_TARGET                ? "subtract"
                                                                        : "factors";
    record->next = (int)(draw - record->list) + 1;
    if (record->shown == 0) {
        svg->height += SVG_LINE;
        svg_text(svg, SVG_MARGIN, svg->height - 4, SVG_TEXT, SVG_START, "column %d",
                 record->column);
        svg_describe(svg, "%s column %d:", record->column > 0 ? ";" : "", record->column);
    }
    svg_describe(svg, "%s %s %d", record->shown > 0 ? "," : "", name, written);
    return name;
}

static void on_column(void *user, struct qp_plan *plan, int way, int k)
{
    struct record *record = user;
    (void)plan, (void)way;
    record->column = k + 1;
    record->next = record->shown = 0;
}

/* Draws the texels, and gives those that were not written what they held. */
static void show(struct record *record)
{
    static const char *const paints[] = {"#dee2e6", "#1d6fa5"};
    const struct qp_gl_pass *pass = record->pass;
    const GLenum primitive = pass->geometry.primitive;
    const int block = primitive == GL_QUAD_STRIP ? pass->geometry.block : 1;
    struct svg *svg = &record->drawing->svg;
    char caption[64];
    int written = 0;
    for (int i = 0; i < pass->width * pass->height; i++) {
        written += wrote(record, i);
        if (record->filled && !wrote(record, i))
            fill(pass->x + i % pass->width, pass->y + i / pass->width, 1, 1,
                 record->before + CHANNELS * i);
    }
    record->draws++;
    record->changes = record->changes || !record->filled;
    const char *name = record->list != NULL ? name_in_column(record, written) : NULL;
    if (name != NULL)
        snprintf(caption, sizeof caption, "%s %c", name, letter_of(record, pass->surface));
    else
        snprintf(caption, sizeof caption, "%d %s: %d %s%c%s", record->draws,
                 primitive == GL_LINES        ? "line"
                 : primitive == GL_POINTS     ? "points"
                 : primitive == GL_QUAD_STRIP ? "strips"
                                              : "quad",
                 written, pass->targets > 1 ? "each from " : "in ",
                 letter_of(record, pass->surface), record->filled ? "" : " *");
    const int in_line = name != NULL ? IN_COLUMN : IN_LINE;
    struct svg_raster raster = svg_squares(
        pass->width, pass->height, svg_side(pass->width, in_line, 12), paints, 2, paint_at, record);
    raster.every[0] = raster.every[1] = block;
    raster = svg_panel(svg, raster, name != NULL ? record->shown++ : record->draws - 1, in_line,
                       "%s", caption);
    if (name == NULL)
        svg_describe(svg, "%s %s", record->draws > 1 ? ";" : "", caption);
    else if (pass->width > record->column && pass->height > record->column)
        svg_rectangle(svg, raster.x + record->column * raster.width,
                      raster.y + record->column * raster.height, raster.width, raster.height,
                      (struct svg_paint){NULL, "#c92a2a", 2, NULL});
}

static void on_pass(void *user, const struct qp_gl_pass *pass, bool after)
{
    struct record *record = user;
    if (!record->on || record->status != QP_OK || record->draws == MOST_DRAWS)
        return;
    record->pass = pass;
    if (!after) {
        record->before = read_target(record);
        record->filled = !needs_target(pass);
        if (record->filled)
            fill(pass->x, pass->y, pass->width, pass->height,
                 (const float[]){unused, unused, unused, unused});
        return;
    }
    record->now = read_target(record);
    if (record->status == QP_OK)
        show(record);
    free(record->before);
    free(record->now);
}

/* The step lies between these stages. */
static void turn_on(const struct trace *trace)
{
    struct record *record = trace->user;
    const struct qp_elimination *elimination = qp_elimination_of(trace->plan->variant->recipe);
    record->on = trace->stage == QP_STAGE_PROGRAM;
    record->plan = trace->plan;
    if (elimination == NULL || elimination->pivots || elimination->in_place ||
        elimination->again[0].draw.fragment != NULL || elimination->back[0].draw.fragment != NULL)
        return;
    record->list = elimination->draw;
    qp_elimination_watch(trace->plan, record->on ? on_column : NULL, record->on ? record : NULL);
}

static const struct trace_stage stages[QP_STAGES + 1] = {
    [QP_STAGE_PROGRAM] = {.show = turn_on}, [QP_STAGE_PASS] = {.show = turn_on}};

enum qp_status draw_passes(struct drawing *drawing)
{
    struct svg *svg = &drawing->svg;
    struct record record = {.drawing = drawing};
    struct qp_result result = {0};
    svg_title(svg, "Draws of a step of %s, %d x %d", drawing->variant->name, drawing->problem.width,
              drawing->problem.height);
    svg_legend(svg, SVG_MARGIN, svg->height + SVG_TEXT, "#1d6fa5",
               "texels that the draw writes, in texture A, B ...");
    svg->height += SVG_LINE;
    svg_describe(svg, "Texels that each writes:");
    if (drawing->context != NULL) {
        drawing->context->on_pass = on_pass;
        drawing->context->on_pass_user = &record;
    }
    struct trace trace = {.stages = stages, .user = &record};
    const struct qp_walk_desc desc = {.iterations = 1};
    enum qp_status status = draw_run(drawing, &trace, &desc, &result);
    if (record.draws == MOST_DRAWS)
        svg_describe(svg, "; later ones are not shown");
    if (record.changes) {
        svg_describe(svg, ". * changes, for the draw blends or reads its target");
        svg_note(svg, "* changes: the draw blends or reads its target");
    }
    if (status == QP_OK && record.status == QP_OK && record.draws == 0)
        status = draw_refuse(drawing, "draws nothing in one context", "jacobi9/multipass");
    return status == QP_OK ? record.status : status;
}
