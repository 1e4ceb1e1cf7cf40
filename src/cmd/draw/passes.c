/* SPDX-License-Identifier: MIT */
/* Draws of a row's step, and the texels that each of them writes. That is measured: before a draw
 * its target is filled with a number that no row computes, and afterwards the texels that still
 * hold it get their old values back, so that the row goes on as if nobody had looked. A draw that
 * blends, or reads its own target, finds the old values, and wrote what has changed. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cmd/draw/draw.h"
#include "gl/readback.h"
#include "plan/op.h"

enum { MOST_DRAWS = 64, MOST_TARGETS = 26, CHANNELS = 4 };

static const float unused = -49152.0f; /* exact in 16 bits, too */

struct draw {
    int width, height; /* of its viewport */
    int block;         /* of strips, else 0 */
    int target;        /* number of its texture, in the order of first use, */
    int targets;       /* and of how many it is the first */
    int written;       /* texels; */
    bool *wrote;       /* which */
    const char *shape;
};

struct record {
    struct svg *svg;
    struct qp_context *context;
    bool on; /* in the pass, not in its warm-up */
    bool filled;
    float *before;
    struct draw draw[MOST_DRAWS];
    int draws, more; /* recorded, and not */
    struct qp_surface target[MOST_TARGETS];
    int targets;
    enum qp_status status;
};

static float *read_target(struct record *record, const struct qp_gl_pass *pass)
{
    float *texels = qp_alloc_floats((size_t)CHANNELS * (size_t)pass->width * (size_t)pass->height,
                                    "the texels of a draw");
    if (texels == NULL)
        record->status = QP_NO_MEMORY;
    else
        qp_readback_ask(record->context, pass->surface, QP_RGBA32F, 0, pass->x, pass->y,
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

static int number_of(struct record *record, struct qp_surface surface)
{
    int k = 0;
    while (k < record->targets && memcmp(&record->target[k], &surface, sizeof surface) != 0)
        k++;
    if (k == record->targets && k < MOST_TARGETS)
        record->target[record->targets++] = surface;
    return k;
}

static const char *shape_of(const struct qp_gl_pass *pass)
{
    const GLenum primitive = pass->geometry.primitive;
    return primitive == GL_LINES        ? "line"
           : primitive == GL_POINTS     ? "points"
           : primitive == GL_QUAD_STRIP ? "strips"
           : pass->geometry.times > 1   ? "quads"
                                        : "quad";
}

/* Finds the texels that were written, and gives the others back what they held. */
static void judge(struct record *record, const struct qp_gl_pass *pass, struct draw *draw,
                  const float *now)
{
    const float *old = record->before;
    for (int i = 0; i < draw->width * draw->height; i++, old += CHANNELS, now += CHANNELS) {
        draw->wrote[i] =
            record->filled ? now[0] != unused : memcmp(old, now, CHANNELS * sizeof *now) != 0;
        draw->written += draw->wrote[i];
        if (record->filled && !draw->wrote[i])
            fill(pass->x + i % draw->width, pass->y + i / draw->width, 1, 1, old);
    }
}

static void finish(struct record *record, const struct qp_gl_pass *pass)
{
    struct draw *draw = &record->draw[record->draws];
    float *now = read_target(record, pass);
    *draw = (struct draw){.width = pass->width,
                          .height = pass->height,
                          .block = pass->geometry.block,
                          .target = number_of(record, pass->surface),
                          .targets = pass->targets > 1 ? pass->targets : 1,
                          .shape = shape_of(pass)};
    draw->wrote = qp_alloc((size_t)draw->width * (size_t)draw->height, sizeof *draw->wrote,
                           "the texels that were written");
    if (now != NULL && record->before != NULL && draw->wrote != NULL) {
        judge(record, pass, draw, now);
        record->draws++;
    } else {
        record->status = QP_NO_MEMORY;
    }
    free(record->before);
    record->before = NULL;
    free(now);
}

static void on_pass(void *user, const struct qp_gl_pass *pass, bool after)
{
    struct record *record = user;
    if (!record->on || record->status != QP_OK)
        return;
    if (record->draws == MOST_DRAWS) {
        record->more += after;
        return;
    }
    if (after) {
        finish(record, pass);
        return;
    }
    record->before = read_target(record, pass);
    record->filled = !needs_target(pass);
    if (record->filled)
        fill(pass->x, pass->y, pass->width, pass->height,
             (const float[]){unused, unused, unused, unused});
}

static void on_room(void *user, enum qp_room room, struct qp_plan *plan, double seconds)
{
    (void)plan, (void)seconds;
    ((struct record *)user)->on = room == QP_ROOM_PROGRAM;
}

static int paint_at(const void *user, int column, int line)
{
    const struct draw *draw = user;
    return draw->wrote[(draw->height - 1 - line) * draw->width + column];
}

/* All draws to one scale, four in a line. */
static void draw_all(struct record *record)
{
    static const char *const paints[] = {"#dee2e6", "#1d6fa5"};
    enum { IN_LINE = 4, SLOT = SVG_INSIDE / IN_LINE, ROOM = SLOT - 8 };
    struct svg *svg = record->svg;
    double side = 12.0, tallest = 0.0;
    for (int i = 0; i < record->draws; i++) {
        side = side * record->draw[i].width > ROOM ? (double)ROOM / record->draw[i].width : side;
        side = side * record->draw[i].height > ROOM ? (double)ROOM / record->draw[i].height : side;
    }
    for (int i = 0; i < record->draws; i++) {
        const struct draw *draw = &record->draw[i];
        const double x = SVG_MARGIN + i % IN_LINE * SLOT;
        svg->height += i % IN_LINE == 0 ? tallest : 0.0;
        tallest = i % IN_LINE > 0 && tallest > side * draw->height ? tallest : side * draw->height;
        svg_text(svg, x, svg->height + SVG_TEXT, SVG_SMALL, SVG_START, "%d: %s, %c", i + 1,
                 draw->shape, 'A' + draw->target);
        svg_text(svg, x, svg->height + 2 * SVG_TEXT, SVG_SMALL, SVG_START, "%d texels%s",
                 draw->written, draw->targets > 1 ? " each" : "");
        svg_draw_raster(svg, &(struct svg_raster){.x = x,
                                                  .y = svg->height + 2 * SVG_LINE,
                                                  .width = side,
                                                  .height = side,
                                                  .columns = draw->width,
                                                  .lines = draw->height,
                                                  .paints = paints,
                                                  .count = 2,
                                                  .every = {draw->block > 0 ? draw->block : 1,
                                                            draw->block > 0 ? draw->block : 1},
                                                  .paint_at = paint_at,
                                                  .user = draw});
        if ((i + 1) % IN_LINE == 0 || i + 1 == record->draws)
            tallest += 2 * SVG_LINE + SVG_MARGIN;
    }
    svg->height += tallest;
}

static void describe(const struct record *record)
{
    enum { TOLD = 8 };
    long all = 0;
    for (int i = 0; i < record->draws; i++) {
        const struct draw *draw = &record->draw[i];
        all += (long)draw->written * draw->targets;
        if (i < TOLD)
            svg_describe(record->svg, "Draw %d, %s, writes %d of %d texels of %s %c", i + 1,
                         draw->shape, draw->written, draw->width * draw->height,
                         draw->targets > 1 ? "each texture from" : "texture", 'A' + draw->target);
        if (i < TOLD && draw->targets > 1)
            svg_describe(record->svg, " to %c", 'A' + draw->target + draw->targets - 1);
        if (i < TOLD)
            svg_describe(record->svg, ". ");
    }
    svg_describe(record->svg, "%d draw%s write%s %ld texels.", record->draws,
                 record->draws > 1 ? "s" : "", record->draws > 1 ? "" : "s", all);
    if (record->more > 0)
        svg_describe(record->svg, " %d more are not shown.", record->more);
}

static enum qp_status draw_record(struct drawing *drawing, struct record *record)
{
    if (record->status != QP_OK)
        return record->status;
    if (record->draws == 0)
        return qp_fail(QP_BAD_USE,
                       "no draw of %s is seen; passes shows rows that draw in one context, such "
                       "as jacobi9/multipass",
                       drawing->row->name);
    svg_title(record->svg, "Draws of a step of %s, %d x %d", drawing->row->name,
              drawing->problem.width, drawing->problem.height);
    svg_legend(record->svg, SVG_MARGIN, record->svg->height + SVG_TEXT, "#1d6fa5",
               "texels that the draw writes, of texture A, B ...");
    record->svg->height += SVG_LINE + 4;
    draw_all(record);
    describe(record);
    return QP_OK;
}

enum qp_status draw_passes(struct drawing *drawing)
{
    struct record record = {.svg = &drawing->svg, .context = drawing->context};
    struct qp_result result = {0};
    if (drawing->context != NULL) {
        drawing->context->on_pass = on_pass;
        drawing->context->on_pass_user = &record;
    }
    enum qp_status status = qp_walk(
        drawing->context, drawing->row, &drawing->problem,
        &(struct qp_walk_desc){.iterations = 1, .on_room = on_room, .user = &record}, &result);
    if (status == QP_OK && (result.verdict == QP_FAIL || result.verdict == QP_SKIP))
        status = qp_fail(QP_UNSUPPORTED, "%s", result.reason);
    if (status == QP_OK)
        status = draw_record(drawing, &record);
    for (int i = 0; i < record.draws; i++)
        free(record.draw[i].wrote);
    return status;
}
