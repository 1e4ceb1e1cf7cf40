/* SPDX-License-Identifier: MIT */
/* Texels that outputs depend on, measured: the variant runs once for each texel of each array, with
 * NaN in it, and the outputs that turn NaN have read it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "tools/cmd/draw/draw.h"

/* Paints of texels: with bit k, the output of cell k has read it. */
enum { UNREAD, MIDDLE, BORDER, BOTH, GUARD, PAINTS, LOOKED_AT = 2 };

static const char *const paints[PAINTS] = {"#dee2e6", "#f4a261", "#8ecae6", "#a7c957", "#6c757d"};

struct array {
    const struct drawing *drawing;
    const char *name;
    struct qp_layout layout;
    int texels;
    unsigned char *paint; /* a paint for each texel */
    int reads[LOOKED_AT]; /* texels that each output has read */
};

struct hunt {
    const struct drawing *drawing;
    struct array array[1 + QP_INPUTS]; /* the state, and what else the variant reads */
    int arrays;
    int x[LOOKED_AT], y; /* cells whose outputs are looked at, in a row */
    int poisoned, texel; /* the array with NaN, and where; below 0: none */
    bool no_memory;
};

static void *texels_of(const struct qp_plan *plan, int array)
{
    return array == 0 ? plan->texels : plan->input_texels[array - 1];
}

/* Values of a texel that are NaN. */
static int count_nans(const struct qp_layout *layout, const void *texels, int texel)
{
    int found = 0;
    for (int c = 0; c < layout->channels; c++)
        found += isnan(qp_value(texels, layout->precision, (size_t)(texel * layout->channels + c)));
    return found;
}

/* Remembers the arrays as they are packed, guards as guards. */
static void note_arrays(struct hunt *hunt, const struct qp_plan *plan)
{
    const struct qp_op *op = plan->problem->op;
    for (int i = 0; i <= plan->inputs; i++) {
        const struct qp_layout *l = i == 0 ? &plan->layout : &plan->input_layout[i - 1];
        struct array *array = &hunt->array[hunt->arrays++];
        *array = (struct array){
            .drawing = hunt->drawing, .layout = *l, .texels = l->storage_x * l->storage_y};
        array->name = i == 0 ? op->field[op->state].name : plan->variant->recipe->input[i - 1].name;
        array->paint = qp_alloc((size_t)array->texels, 1, "a map of texels");
        hunt->no_memory |= array->paint == NULL;
        for (int k = 0; k < array->texels && array->paint != NULL; k++)
            array->paint[k] = count_nans(l, texels_of(plan, i), k) == l->channels ? GUARD : UNREAD;
    }
}

/* Notes which of the outputs turned NaN; one is in all sheets. */
static void look(const struct trace *trace)
{
    struct hunt *hunt = trace->user;
    struct array *array = &hunt->array[hunt->poisoned];
    const struct qp_layout *layout = &trace->plan->layout;
    for (int k = 0; k < LOOKED_AT && hunt->texel >= 0; k++) {
        int x, y, nans = 0;
        qp_layout_place(layout, hunt->x[k], hunt->y, &x, &y);
        for (; y < layout->storage_y; y += layout->sheet_y)
            nans += count_nans(layout, trace->plan->texels, y * layout->storage_x + x);
        array->reads[k] += nans > 0;
        array->paint[hunt->texel] |= (unsigned char)((nans > 0) << k);
    }
}

/* Fills the texel with NaN; of the first walk, which has none, the arrays are noted. */
static void poison(const struct trace *trace)
{
    struct hunt *hunt = trace->user;
    const struct qp_layout *l = &hunt->array[hunt->poisoned].layout;
    if (hunt->texel < 0)
        note_arrays(hunt, trace->plan);
    for (int c = 0; hunt->texel >= 0 && c < l->channels; c++)
        qp_set_value(texels_of(trace->plan, hunt->poisoned), l->precision,
                     (size_t)(hunt->texel * l->channels + c), NAN);
}

static enum qp_status run(struct drawing *drawing, struct hunt *hunt)
{
    static const struct trace_stage stages[QP_STAGES + 1] = {
        [QP_STAGE_PACK] = {.show = poison}, [QP_STAGE_READBACK] = {.show = look}};
    struct trace trace = {.stages = stages, .user = hunt};
    const struct qp_walk_desc desc = {.iterations = 1, .unchecked = true};
    struct qp_result result;
    const enum qp_status status =
        trace_walk(&trace, drawing->context, drawing->variant, &drawing->problem, &desc, &result);
    const bool alone = hunt->texel < 0; /* else NaN in padding that is carried on is no fault */
    if (status == QP_OK && alone && (result.verdict == QP_SKIP || result.cause != QP_OK))
        return qp_fail(QP_UNSUPPORTED, "%s: %s", drawing->variant->name, result.reason);
    return status == QP_OK && hunt->no_memory ? QP_NO_MEMORY : status;
}

/* Every texel in turn but guards, which hold NaN anyway. */
static enum qp_status measure(struct drawing *drawing, struct hunt *hunt)
{
    hunt->x[0] = drawing->problem.answer_width / 2;
    hunt->y = drawing->problem.answer_height / 2;
    hunt->texel = -1;
    int found = 0;
    enum qp_status status = run(drawing, hunt);
    for (hunt->poisoned = 0; hunt->poisoned < hunt->arrays; hunt->poisoned++) {
        const struct array *array = &hunt->array[hunt->poisoned];
        for (hunt->texel = 0; hunt->texel < array->texels && status == QP_OK; hunt->texel++)
            status = array->paint[hunt->texel] != GUARD ? run(drawing, hunt) : QP_OK;
        found += array->reads[0];
    }
    return status != QP_OK || found > 0
               ? status
               : draw_refuse(drawing, "cuts its arrays anew, so that NaN in them reaches no cell",
                             "jacobi9/luminance");
}

/* ---- The picture ---- */

static int paint_at(const void *user, int column, int line)
{
    const struct array *array = user;
    return array->paint[draw_row_at(array->drawing, line, array->layout.storage_y) *
                            array->layout.storage_x +
                        column];
}

/* Number of arrays from this one on that look like it, or 0 if one before it does. */
static int count_alike(const struct hunt *hunt, int number)
{
    const struct array *array = &hunt->array[number];
    int alike = 0;
    for (int i = 1; i < hunt->arrays; i++) {
        const struct array *other = &hunt->array[i];
        const bool equal = other->layout.storage_x == array->layout.storage_x &&
                           other->texels == array->texels &&
                           memcmp(other->paint, array->paint, (size_t)array->texels) == 0;
        if (equal && i < number)
            return 0;
        alike += equal;
    }
    return alike;
}

static void draw_array(struct svg *svg, const struct array *array, int number, int in_line,
                       double widest, int alike)
{
    char name[64];
    if (alike > 1)
        snprintf(name, sizeof name, "each of %d others", alike);
    else
        snprintf(name, sizeof name, "%s", array->name);
    const struct qp_layout *l = &array->layout;
    const double side = svg_side(l->storage_x, in_line, widest);
    struct svg_raster raster =
        svg_squares(l->storage_x, l->storage_y, side, paints, PAINTS, paint_at, array);
    raster.every[0] = raster.every[1] = 1;
    svg_panel(svg, raster, number, in_line, "%s: %d, %d", name, array->reads[0], array->reads[1]);
}

/* The state as large as there is room, with frames around its domain and the two outputs. */
static void draw_state(struct svg *svg, const struct hunt *hunt)
{
    enum { WIDEST = 24, TALLEST = 400 };
    const struct qp_layout *l = &hunt->array[0].layout;
    const double side = svg_side(l->storage_x, 1, fmin(WIDEST, (double)TALLEST / l->storage_y));
    draw_array(svg, &hunt->array[0], 0, 1, side, 1);
    const double top = svg->height - SVG_GAP - l->storage_y * side;
    for (int y = l->origin_y; y < l->storage_y; y += l->sheet_y)
        svg_rectangle(svg, SVG_MARGIN + l->origin_x * side,
                      top + (hunt->drawing->upright ? y : l->storage_y - y - l->domain_y) * side,
                      l->domain_x * side, l->domain_y * side,
                      (struct svg_paint){.stroke = "#212529"});
    for (int k = 0; k < LOOKED_AT; k++) {
        int x, y;
        qp_layout_place(l, hunt->x[k], hunt->y, &x, &y);
        svg_rectangle(svg, SVG_MARGIN + x * side,
                      top + draw_row_at(hunt->drawing, y, l->storage_y) * side, side, side,
                      (struct svg_paint){.stroke = "#d00000", .width = 2});
    }
}

static void draw_legend(struct svg *svg, const struct hunt *hunt)
{
    svg_describe(svg, "Measured with NaN in one texel at a time, and one step.");
    for (int k = 0; k < LOOKED_AT; k++) {
        svg->height += SVG_LINE;
        svg_legend(svg, SVG_MARGIN, svg->height, paints[MIDDLE << k],
                   "needed for cell %d,%d, in a red frame", hunt->x[k], hunt->y);
        svg_describe(svg, " Cell %d,%d%s needs texels:", hunt->x[k], hunt->y,
                     k > 0 ? " at the border" : "");
        for (int i = 0; i < hunt->arrays; i++) {
            const struct array *array = &hunt->array[i];
            if (k == 0 || i == 0 || array->reads[k] != array->reads[0])
                svg_describe(svg, "%s %d of %s", i > 0 ? "," : "", array->reads[k], array->name);
        }
        svg_describe(svg, k > 0 && hunt->arrays > 1 ? ", of others as many." : ".");
    }
    svg->height += SVG_LINE;
    svg_legend(svg, SVG_MARGIN, svg->height, paints[BOTH], "for both");
    svg_legend(svg, 125, svg->height, paints[UNREAD], "for neither");
    svg_legend(svg, 240, svg->height, paints[GUARD], "guards");
    svg->height += SVG_MARGIN;
}

enum qp_status draw_fetches(struct drawing *drawing)
{
    struct hunt hunt = {.drawing = drawing};
    enum qp_status status = draw_check_textures(drawing);
    if (status == QP_OK)
        status = measure(drawing, &hunt);
    if (status == QP_OK) {
        svg_title(&drawing->svg, "Fetches of %s", drawing->variant->name);
        draw_legend(&drawing->svg, &hunt);
        draw_state(&drawing->svg, &hunt);
        for (int i = 1, drawn = 0; i < hunt.arrays; i++) {
            const int alike = count_alike(&hunt, i);
            if (alike > 0)
                draw_array(&drawing->svg, &hunt.array[i], drawn++, 3, 8, alike);
        }
    }
    for (int i = 0; i < hunt.arrays; i++)
        free(hunt.array[i].paint);
    return status;
}
