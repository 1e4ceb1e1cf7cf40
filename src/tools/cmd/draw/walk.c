/* SPDX-License-Identifier: MIT */
/* A matrix in the ten stages: numbers of cells and texels, on the host above and on the card
 * below. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/ops/reduce/reduce.h"
#include "lab/ops/transfer/transfer.h"
#include "toolkit/base/status.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/shaders.h"
#include "tools/cmd/draw/draw.h"

enum { STEPS = 2 };

struct stages {
    const struct drawing *drawing;
    const struct qp_result *result;
    double most;  /* largest magnitude */
    double unit;  /* unit of the numbers that are written into cells */
    bool written; /* there is room for them */
    enum qp_status status;
    struct numbers {
        double *value;      /* line after line from the top; NULL: none */
        int columns, rows;  /* all of them */
        int ring_x, ring_y; /* guards and padding around the others */
    } of[QP_STAGES + 1];
};

static void keep(const struct trace *trace, const void *values, enum qp_precision precision,
                 int columns, int rows)
{
    struct stages *stages = trace->user;
    double *kept = qp_alloc((size_t)columns * (size_t)rows, sizeof *kept, "a stage's numbers");
    if (kept == NULL)
        stages->status = QP_NO_MEMORY;
    for (int i = 0; i < columns * rows && kept != NULL; i++) {
        const int row = draw_row_at(stages->drawing, i / columns, rows);
        kept[i] = qp_value(values, precision, (size_t)(row * columns + i % columns));
        stages->most = isfinite(kept[i]) ? fmax(stages->most, fabs(kept[i])) : stages->most;
    }
    stages->of[trace->stage] = (struct numbers){kept, columns, rows, 0, 0};
}

static void keep_matrix(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    const struct qp_matrix *matrix =
        trace->stage == QP_STAGE_PROBLEM ? &p->field[p->op->state] : &trace->result->solution;
    keep(trace, qp_matrix_values(matrix), matrix->precision, matrix->width, matrix->height);
}

/* Texels, of stages that have some on the device the target's. */
static void keep_texels(const struct trace *trace)
{
    struct stages *stages = trace->user;
    const struct qp_layout *layout = &trace->plan->layout;
    const bool packed = trace->stage == QP_STAGE_PACK || trace->stage == QP_STAGE_READBACK;
    void *target = NULL;
    const enum qp_status status = packed ? QP_OK : trace_texels(trace->plan, true, &target);
    if (status == QP_OK)
        keep(trace, packed ? trace->plan->texels : target, layout->precision,
             layout->storage_x * layout->channels, layout->storage_y);
    else
        stages->status = status;
    stages->of[trace->stage].ring_x = layout->origin_x * layout->channels;
    stages->of[trace->stage].ring_y = layout->origin_y;
    free(target);
}

static void keep_reference(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    if (p->reference != NULL)
        keep(trace, p->reference, QP_DOUBLES, p->answer_width, p->answer_height * p->systems);
}

static const struct trace_stage kept[QP_STAGES + 1] = {
    [QP_STAGE_PROBLEM] = {.show = keep_matrix},      [QP_STAGE_PACK] = {.show = keep_texels},
    [QP_STAGE_UPLOAD] = {.show = keep_texels},       [QP_STAGE_PASS] = {.show = keep_texels},
    [QP_STAGE_READBACK] = {.show = keep_texels},     [QP_STAGE_UNPACK] = {.show = keep_matrix},
    [QP_STAGE_REFERENCE] = {.show = keep_reference},
};

/* ---- Panels ---- */

/* Two columns of panels; rings of guards and padding around cells; a caption; letters in a line of
 * a shader; and the cells from left to right that have their numbers with all digits, or in units
 * of a tenth and the like. */
enum { LEFT = 16, RIGHT = 188, PANEL = 156, GUARDS = 7, PADDING = 9, RINGS = GUARDS + PADDING };
enum { CAPTION = 16, LETTERS = 54, MOST_WHOLE = 4, MOST_NUMBERS = 8 };

static const char quad[] = "#c92a2a", dark[] = "#495057";

static int across(const struct numbers *n)
{
    return n->columns - 2 * n->ring_x;
}

static int up(const struct numbers *n)
{
    return n->rows - 2 * n->ring_y;
}

/* Height of a cell, and of all of a panel below its caption. */
static double tall(const struct stages *stages)
{
    const double side = (double)(PANEL - 2 * RINGS) / stages->of[QP_STAGE_PROBLEM].columns;
    return stages->written ? 18.0 : fmax(side, 4.0);
}

static double height_of(const struct stages *stages, int stage)
{
    const struct numbers *n = &stages->of[stage];
    return up(n) * tall(stages) + (n->ring_x > 0 ? 2 * RINGS : 0);
}

/* Draws a stage's numbers below a caption, whose foot is at y; returns the middle of its cells. */
static double draw_panel(struct svg *svg, const struct stages *stages, int stage, double x,
                         double y, const char *caption)
{
    const struct numbers *n = &stages->of[stage];
    const double height = height_of(stages, stage), top = y + 4, inside = PANEL - 2 * RINGS;
    const double first = n->ring_x > 0 ? top + RINGS : top, tallness = up(n) * tall(stages);
    svg_text(svg, x, y, SVG_SMALL, SVG_START, "%s", caption);
    if (n->ring_x > 0) {
        svg_rectangle(svg, x, top, PANEL, height, (struct svg_paint){.fill = "#e9ecef"});
        svg_stripes(svg, x, top, PANEL, height);
        svg_rectangle(svg, x + GUARDS, top + GUARDS, PANEL - 2 * GUARDS, height - 2 * GUARDS,
                      (struct svg_paint){"#fff", dark, 1, "1 2"});
    }
    svg_draw_cells(svg,
                   &(struct svg_cells){n->value + n->ring_y * n->columns + n->ring_x, across(n),
                                       up(n), n->columns, stages->most, stages->unit},
                   x + RINGS, first, inside / across(n), tall(stages));
    if (stage == QP_STAGE_PASS)
        svg_rectangle(svg, x + RINGS, first, inside, tallness,
                      (struct svg_paint){NULL, quad, 3, "7 3"});
    return first + tallness / 2;
}

/* A band of the page, to be filled. */
static void draw_band(struct svg *svg, double height, const char *fill, const char *words)
{
    svg_rectangle(svg, SVG_MARGIN, svg->height, SVG_INSIDE, height,
                  (struct svg_paint){.fill = fill});
    svg_text(svg, SVG_MARGIN + SVG_INSIDE / 2.0, svg->height + CAPTION, SVG_TEXT, SVG_MIDDLE, "%s",
             words);
}

/* ---- The host: stages 1, 2, and 8 to 10, which are read upwards ---- */

static void draw_verdict(struct svg *svg, const struct qp_result *result, double y)
{
    svg_text(svg, RIGHT, y, SVG_SMALL, SVG_START, "10 compare: largest error");
    svg_mark(svg, RIGHT + RINGS, y + 8, result->verdict == QP_PASS);
    svg_text(svg, RIGHT + RINGS + 26, y + 21, SVG_TEXT, SVG_START, "%s",
             qp_verdict_name(result->verdict));
    svg_text(svg, RIGHT, y + 38, SVG_SMALL, SVG_START, "%.1e; allowed %.1e", result->error,
             result->tolerance);
}

static void draw_host(struct svg *svg, const struct stages *stages)
{
    enum { VERDICT = 60, HEAD = 22 };
    const double matrix = height_of(stages, QP_STAGE_UNPACK) + CAPTION + SVG_GAP;
    const double packed = height_of(stages, QP_STAGE_PACK) + CAPTION + SVG_GAP;
    const double height = fmax(VERDICT + 2 * matrix, matrix + packed), top = svg->height + HEAD;
    draw_band(svg, height + HEAD + 4, "#eef4fb", "HOST: arrays in memory, plain C");
    draw_panel(svg, stages, QP_STAGE_PROBLEM, LEFT, top + 12, "1 problem: x, the start");
    draw_panel(svg, stages, QP_STAGE_PACK, LEFT, top + height - packed + 12,
               "2 pack: padding and guards");
    draw_verdict(svg, stages->result, top + 12);
    draw_panel(svg, stages, QP_STAGE_REFERENCE, RIGHT, top + height - 2 * matrix + 12,
               "9 reference: plain C");
    draw_panel(svg, stages, QP_STAGE_UNPACK, RIGHT, top + height - matrix + 12,
               "8 unpack: x after 2 steps");
    svg->height = top + height + 4;
}

/* ---- The card: stages 3 to 7 ---- */

/* The last line of a shader's text with a statement, which sets what the draw writes, cut to two
 * lines of the page. */
static void draw_program(struct svg *svg, const char *shader, double height)
{
    char *text = NULL, *line = NULL;
    svg_rectangle(svg, LEFT, svg->height, RIGHT + PANEL - LEFT, height,
                  (struct svg_paint){"#fff", dark, 1, NULL});
    svg_text(svg, LEFT + 4, svg->height + 13, SVG_SMALL, SVG_START, "4 program: %s",
             shader != NULL ? shader : "the variant's own");
    if (shader != NULL && qp_shader_read(shader, &text) == QP_OK)
        line = strrchr(text, ';');
    for (; line != NULL && line > text && line[-1] != '\n'; line--)
        continue;
    for (int i = 0; line != NULL && i < 2; i++) {
        line += strspn(line, " \t");
        const int all = (int)strcspn(line, "\n");
        int length = qp_least(all, LETTERS);
        while (length < all && length > LETTERS / 2 && line[length] != ' ')
            length--;
        svg_text(svg, LEFT + 4, svg->height + 28 + 14 * i, SVG_SMALL, SVG_START, "%.*s", length,
                 line);
        line += length;
    }
    free(text);
    svg->height += height + SVG_GAP;
}

static void draw_swap(struct svg *svg, double y)
{
    enum { FROM = LEFT + 46, TO = LEFT + 108, APART = 24 };
    static const char *const roles[] = {"source", "target"};
    svg_text(svg, LEFT, y, SVG_SMALL, SVG_START, "6 swap: change of roles");
    for (int i = 0; i < 2; i++) {
        svg_text(svg, LEFT, y + 20 + APART * i, SVG_SMALL, SVG_START, "%s", roles[i]);
        svg_text(svg, TO + 6, y + 20 + APART * i, SVG_SMALL, SVG_START, "%s", roles[i]);
        svg_arrow(svg, FROM, y + 16 + APART * i, TO, y + 16 + APART * (1 - i), dark);
    }
    svg_text(svg, LEFT, y + 64, SVG_SMALL, SVG_START, "then 5 and 6 again: step 2");
}

static void draw_card(struct svg *svg, const struct stages *stages)
{
    const struct qp_draw *draw = &stages->drawing->variant->recipe->draw[0];
    const bool draws = draw->compute == NULL;
    const char *const words[] = {draws ? "5 pass: computing is drawing." : "5 pass: a dispatch.",
                                 draws ? "A quad over the cells:" : "Threads over the cells:",
                                 draws ? "the fragment of each reads" : "the thread of each reads",
                                 "the source, as the program", "says, and writes the target"};
    enum { HEAD = 22, LEAST = 76, PROGRAM = 48, WORDS = sizeof words / sizeof words[0] };
    const double line = fmax(height_of(stages, QP_STAGE_PACK), LEAST) + CAPTION + SVG_GAP;
    const double height = 3 * line + PROGRAM + HEAD + 12, top = svg->height;
    draw_band(svg, height, "#fdf3e3", "CARD: textures, shaders");
    svg->height += HEAD;
    draw_panel(svg, stages, QP_STAGE_PACK, LEFT, svg->height + 12, "3 upload: source");
    draw_panel(svg, stages, QP_STAGE_UPLOAD, RIGHT, svg->height + 12, "3 upload: target, empty");
    svg->height += line;
    draw_program(svg, draws ? draw->fragment : draw->compute, PROGRAM);
    for (int i = 0; i < WORDS; i++)
        svg_text(svg, LEFT, svg->height + 12 + 15 * i, SVG_SMALL, SVG_START, "%s", words[i]);
    draw_panel(svg, stages, QP_STAGE_PASS, RIGHT, svg->height + 12,
               draws ? "target, step 1; red: quad" : "target, step 1");
    svg_arrow(svg, LEFT, svg->height + 80, RIGHT - 4, svg->height + 80, dark);
    svg->height += line;
    draw_swap(svg, svg->height + 12);
    const double last =
        draw_panel(svg, stages, QP_STAGE_READBACK, RIGHT, svg->height + 12, "7 readback: step 2");
    svg_curve(
        svg, (const double[]){RIGHT + PANEL, last, RIGHT + PANEL + 5, last, RIGHT + PANEL + 5, top},
        3, (struct svg_paint){NULL, dark, 1.5, NULL});
    svg_arrow(svg, RIGHT + PANEL + 5, top, RIGHT + PANEL + 5, top - 34, dark);
    svg->height = top + height + SVG_MARGIN;
}

/* ---- The picture ---- */

static void draw_legend(struct svg *svg, const struct stages *stages)
{
    svg->height += SVG_TEXT;
    svg_rectangle(svg, LEFT, svg->height - 10, 24, 12, (struct svg_paint){.fill = "#e9ecef"});
    svg_stripes(svg, LEFT, svg->height - 10, 24, 12);
    svg_text(svg, LEFT + 30, svg->height, SVG_SMALL, SVG_START, "guards, or no number yet");
    svg_rectangle(svg, RIGHT + 8, svg->height - 10, 24, 12,
                  (struct svg_paint){"#fff", dark, 1, "1 2"});
    svg_text(svg, RIGHT + 38, svg->height, SVG_SMALL, SVG_START, "padding: 0 to read");
    if (stages->written && stages->unit != 1.0) {
        svg->height += SVG_LINE;
        svg_text(svg, LEFT, svg->height, SVG_SMALL, SVG_START,
                 "numbers are rounded, in units of %g", stages->unit);
    }
    svg->height += SVG_MARGIN;
    svg_scale(svg, svg_signs(), SVG_SIGNS, -stages->most, stages->most);
}

/* Follows a cell through the stages that hold matrices. */
static void describe(struct svg *svg, const struct stages *stages)
{
    const struct numbers *answer = &stages->of[QP_STAGE_UNPACK],
                         *packed = &stages->of[QP_STAGE_PACK];
    const int x = answer->columns / 2, y = answer->rows / 2;
    const int cell = draw_row_at(stages->drawing, y, answer->rows) * answer->columns + x;
    svg_describe(
        svg,
        "Host above, card below. %d x %d cells become %d x %d values with guards and padding; the "
        "target holds no numbers in stage 3 and the first step in stage 5, where the quad is a "
        "red frame. Cell %d,%d begins as %.3f and is %.3f after %d steps; the reference has %.3f. "
        "Verdict: %s.",
        answer->columns, answer->rows, packed->columns, packed->rows, x, y,
        stages->of[QP_STAGE_PROBLEM].value[cell], answer->value[cell], STEPS,
        stages->of[QP_STAGE_REFERENCE].value[cell], qp_verdict_name(stages->result->verdict));
}

static void draw_stages(struct svg *svg, struct stages *stages)
{
    const int columns =
        qp_most(stages->of[QP_STAGE_PROBLEM].columns, across(&stages->of[QP_STAGE_PACK]));
    stages->written = columns <= MOST_NUMBERS;
    stages->unit =
        columns > MOST_WHOLE && stages->most > 0 ? pow(10, floor(log10(stages->most))) : 1.0;
    describe(svg, stages);
    draw_host(svg, stages);
    const double gap = svg->height;
    svg->height += 2 * SVG_GAP;
    draw_card(svg, stages);
    svg_arrow(svg, LEFT + PANEL / 2.0, gap - 8, LEFT + PANEL / 2.0, gap + 2 * SVG_GAP + 8, dark);
    draw_legend(svg, stages);
}

enum qp_status draw_walk(struct drawing *drawing)
{
    struct qp_result result;
    struct stages stages = {.drawing = drawing, .result = &result};
    struct trace trace = {.stages = kept, .user = &stages};
    const struct qp_walk_desc desc = {.iterations = STEPS};
    const struct qp_op *op = drawing->problem.op;
    enum qp_status status = draw_check_textures(drawing);
    if (status == QP_OK && (op == &qp_op_reduce || op == &qp_op_transfer ||
                            drawing->variant->recipe->engine == &qp_engine_poisson5_in_place))
        status = draw_refuse(drawing, "takes no step from a source to a target", "jacobi9/rgba");
    if (status == QP_OK)
        status = trace_walk(&trace, drawing->context, drawing->variant, &drawing->problem, &desc,
                            &result);
    if (status == QP_OK && stages.of[QP_STAGE_REFERENCE].value == NULL)
        status = qp_fail(QP_UNSUPPORTED, "%s: %s", drawing->variant->name, result.reason);
    if (status == QP_OK)
        status = stages.status;
    if (status == QP_OK) {
        svg_title(&drawing->svg, "%s in the ten stages", drawing->variant->name);
        draw_stages(&drawing->svg, &stages);
    }
    for (int stage = 1; stage <= QP_STAGES; stage++)
        free(stages.of[stage].value);
    return status;
}
