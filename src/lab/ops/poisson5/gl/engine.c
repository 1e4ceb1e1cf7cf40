/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 of OpenGL variants that take several steps in one pass.
 *
 * A draw of the recipe takes one step, or some at once. Each has two programs of one file, which
 * differ by definitions before it:
 *
 *     plain    draws all fragments whose cells, in every step but the last, reach no cell outside
 *              the grid
 *     careful  RIM: draws the others, strips along the rim, and keeps cells outside the grid at 0
 *              in each step
 *
 * On kinds with an array of h^2 f both are given RHS and read it. On the spike the plain one adds
 * nothing at all, and the careful one (SPIKE) draws the fragments around the spike once more, with
 * it. STEPS is the number of steps. Weights other than 1 define WEIGHTED, for draws of such steps
 * only: a plain step needs no old value of its cell. */
#include <stdio.h>

#include "lab/engines/common.h"
#include "lab/engines/engines.h"
#include "lab/engines/gl.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/groups.h"
#include "toolkit/gl/step.h"

/* Names that programs may use. */
enum name {
    TARGET, /* a compute shader's */
    X,
    RHS,
    WEIGHT, /* a weight for each step */
    ORIGIN,
    SIZE,
    CELLS,
    SPIKE,
    SHEET,  /* rows of texels from one sheet of h^2 f to the next */
    SAME_X, /* a texel of padding, which a bound fetches alone */
    SAME_Y,
    FIRST, /* an area's, for compute shaders */
    END,   /* likewise */
    NAMES
};

enum { STEPS_AT_ONCE = 48 /* a multiple of all that are fused */ };

/* Texels of the domain, from (x0, y0) up to (x1, y1). */
struct area {
    int x0, y0, x1, y1;
};

/* Areas of a draw: fragments that the plain program may take, and the others. */
struct areas {
    struct area inside; /* all zero for none */
    int count;
    struct area careful[5]; /* four strips along the rim; last, on that kind, the spike */
};

/* Rows of fragments. */
struct rows {
    int first, end;
};

struct poisson5_draw {
    int steps;
    struct areas areas;
    struct qp_step step[2][2]; /* plain and careful, of weight 1 and of others */
};

/* qp_engine_gl's own first: it makes, reads and destroys the textures. */
struct qp_plan_poisson5 {
    struct qp_plan_gl gl;
    int draws, step;    /* step: how many are done */
    struct rows wanted; /* rows that pass_rows draws */
    struct poisson5_draw draw[QP_DRAWS];
    /* Weights of the steps that are listed, each at its number modulo STEPS_AT_ONCE; those of one
     * draw are side by side. */
    double weights[STEPS_AT_ONCE + QP_POISSON5_FUSED];
};

static struct qp_plan_poisson5 *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

static bool is_spike(const struct qp_plan *plan)
{
    return qp_problem_kind(plan->problem) == QP_POISSON5_SPIKE;
}

/* ---- Areas of draws ---- */

/* Fragments whose cells lie inside the grid and `reach` cells from its rim or more: from *first up
 * to *end. */
static void set_span(int cells, int reach, int cells_each, int *first, int *end)
{
    *first = qp_groups_in(reach, cells_each);
    *end = qp_most(*first, (qp_most(cells, reach) - reach) / cells_each);
}

static void add_area(struct areas *out, int x0, int y0, int x1, int y1)
{
    if (x0 < x1 && y0 < y1)
        out->careful[out->count++] = (struct area){x0, y0, x1, y1};
}

/* Sets the areas of a draw of `steps` steps. A later step than the first sees its neighbours as the
 * step before left them: each but the last reaches a cell farther. Cells of a fragment are in one
 * texel and in the sheets, or in rows. */
static void set_areas(const struct qp_plan *plan, int steps, struct areas *out)
{
    const struct qp_layout *layout = &plan->layout;
    const int rows = qp_poisson5_variant(plan->variant->recipe)->rows;
    const int width = layout->domain_x, height = qp_groups_in(layout->domain_y, qp_most(rows, 1));
    const int reach = steps - 1, wide = layout->neighbours, high = qp_most(rows, layout->sheets);
    struct area *in = &out->inside;
    int x, y;
    *out = (struct areas){0};
    set_span(plan->problem->width, reach, wide, &in->x0, &in->x1);
    set_span(plan->problem->height, reach, high, &in->y0, &in->y1);
    if (in->x0 >= in->x1 || in->y0 >= in->y1)
        *in = (struct area){0};
    add_area(out, 0, 0, width, in->y0);
    add_area(out, 0, in->y1, width, height);
    add_area(out, 0, in->y0, in->x0, in->y1);
    add_area(out, in->x1, in->y0, width, in->y1);
    if (!is_spike(plan))
        return;
    qp_poisson5_spike(plan->problem, &x, &y);
    add_area(out, qp_most(x - reach, 0) / wide, qp_most(y - reach, 0) / high,
             qp_least((x + reach) / wide + 1, width), qp_least((y + reach) / high + 1, height));
}

void qp_poisson5_tell_draw(const struct qp_plan *plan, int draw, char *line, size_t size)
{
    const struct poisson5_draw *told = &own_of(plan)->draw[draw];
    const struct area *in = &told->areas.inside;
    const int strips = told->areas.count - is_spike(plan);
    const bool a_cell_each = plan->layout.channels == 1 && plan->layout.sheets == 1;
    int used = snprintf(line, size, "%d step%s a pass:", told->steps, told->steps > 1 ? "s" : "");
    if (in->x1 > in->x0)
        used += snprintf(line + used, size - (size_t)used, " a quad over %s (%d, %d) to (%d, %d)%s",
                         a_cell_each ? "cells" : "texels", in->x0, in->y0, in->x1 - 1, in->y1 - 1,
                         a_cell_each ? "" : " of the domain");
    if (strips > 0)
        used += snprintf(line + used, size - (size_t)used, "%s %d along the rim",
                         in->x1 > in->x0 ? "," : "", strips);
    if (is_spike(plan))
        snprintf(line + used, size - (size_t)used, ", and one around the spike");
}

/* ---- Uniforms ---- */

/* All names that a draw's shader may ask for, NULL after the last. */
static void list_names(const struct qp_plan *plan, const struct qp_draw *draw,
                       struct qp_uniform out[NAMES + 1])
{
    const int sheets = plan->layout.sheets;
    const enum qp_format format = plan->layout.shape.format;
    const struct qp_uniform names[NAMES + 1] = {
        [TARGET] = {"target", QP_IMAGE, sheets},
        [X] = {"x", draw->loads_x ? QP_IMAGE : qp_sampler_of(format), sheets},
        [RHS] = {"rhs", qp_sampler_of(format), 0},
        [WEIGHT] = {"weight", qp_number_of(format), QP_POISSON5_FUSED},
        [ORIGIN] = {"origin", QP_VECTOR, 0},
        [SIZE] = {"size", QP_VECTOR, 0},
        [CELLS] = {"cells", QP_VECTOR, 0},
        [SPIKE] = {"spike", QP_VECTOR, 0},
        [SHEET] = {"sheet", QP_FLOAT, 0},
        [SAME_X] = {"same_x", QP_FLOAT, 5},
        [SAME_Y] = {"same_y", QP_FLOAT, 16},
        [FIRST] = {"first", QP_VECTOR, 0},
        [END] = {"end", QP_VECTOR, 0},
    };
    for (int i = 0; i <= NAMES; i++)
        out[i] = names[i];
}

/* Values of these names for the next pass; `weights` must live until it is drawn. */
static void list_values(struct qp_plan *plan, const double weights[QP_POISSON5_FUSED],
                        struct qp_step_value out[NAMES])
{
    const struct qp_layout *layout = &plan->layout;
    const struct qp_problem *problem = plan->problem;
    int x, y;
    qp_poisson5_spike(problem, &x, &y);
    const struct qp_step_value values[NAMES] = {
        [TARGET] = {.texture = qp_pingpong_target(qp_plan_gl_pair(plan))},
        [X] = {.texture = qp_pingpong_source(qp_plan_gl_pair(plan))},
        [RHS] = {.texture = plan->inputs > 0 ? qp_plan_gl_input(plan, 0) : NULL},
        [WEIGHT] = {.list = weights},
        [ORIGIN] = {.x = layout->origin_x, .y = layout->origin_y},
        [SIZE] = {.x = layout->domain_x, .y = layout->domain_y},
        [CELLS] = {.x = problem->width, .y = problem->height},
        [SPIKE] = {.x = x, .y = y},
        [SHEET] = {.x = plan->inputs > 0 ? plan->input_layout[0].sheet_y : 0},
        [SAME_X] = {.x = layout->origin_x - 0.5},
        [SAME_Y] = {.x = layout->origin_y - 0.5},
    };
    for (int i = 0; i < NAMES; i++)
        out[i] = values[i];
}

/* ---- Stages 5 and 6 ---- */

/* Lists the part of an area that lies in these rows. */
static void add_area_pass(struct qp_plan *plan, const struct qp_step *step,
                          struct qp_step_value values[NAMES], const struct area *area,
                          struct rows rows, struct qp_passes *to)
{
    const struct qp_layout *layout = &plan->layout;
    const int y0 = qp_most(area->y0, rows.first), y1 = qp_least(area->y1, rows.end);
    const bool computes = step->group.x > 0;
    const struct qp_gl_pass pass = {
        .step = step,
        .values = values,
        .surface = qp_passes_target(to, qp_plan_gl_pair(plan)),
        .targets = layout->sheets,
        .x = layout->origin_x,
        .y = layout->origin_y,
        .width = computes ? area->x1 - area->x0 : layout->domain_x,
        .height = computes ? y1 - y0 : layout->domain_y,
        .geometry = qp_quad((float)area->x0, (float)y0, (float)area->x1, (float)y1)};
    values[FIRST] = (struct qp_step_value){.x = area->x0, .y = y0};
    values[END] = (struct qp_step_value){.x = area->x1, .y = y1};
    if (area->x0 < area->x1 && y0 < y1)
        qp_passes_add(to, &pass);
}

static void add_draw(struct qp_plan *plan, const struct poisson5_draw *draw, int first_step,
                     struct rows rows, struct qp_passes *to)
{
    double *weights = own_of(plan)->weights + first_step % STEPS_AT_ONCE;
    struct qp_step_value values[NAMES];
    for (int i = 0; i < draw->steps; i++)
        weights[i] = qp_problem_step_weight(plan->problem, first_step + i);
    const bool weighted = weights[0] != 1.0;
    list_values(plan, weights, values);
    add_area_pass(plan, &draw->step[0][weighted], values, &draw->areas.inside, rows, to);
    for (int i = 0; i < draw->areas.count; i++)
        add_area_pass(plan, &draw->step[1][weighted], values, &draw->areas.careful[i], rows, to);
}

/* True if the next steps can be one draw: all of them weighted, or none. */
static bool is_uniform(const struct qp_plan *plan, int steps)
{
    const int step = own_of(plan)->step;
    const bool weighted = qp_problem_step_weight(plan->problem, step) != 1.0;
    for (int i = 1; i < steps; i++) {
        if ((qp_problem_step_weight(plan->problem, step + i) != 1.0) != weighted)
            return false;
    }
    return true;
}

/* The draw with most steps, of `left` at most. A change is measured over one step, the last. */
static const struct poisson5_draw *next_draw(const struct qp_plan *plan, int left)
{
    const struct qp_plan_poisson5 *own = own_of(plan);
    const int fused = plan->measures_change ? left - 1 : left;
    int k = own->draws - 1;
    while (k > 0 && (own->draw[k].steps > fused || !is_uniform(plan, own->draw[k].steps)))
        k--;
    return &own->draw[k];
}

/* Number of passes of this draw that may follow each other, of `left` steps. */
static int count_passes(const struct qp_plan *plan, const struct poisson5_draw *draw, int left)
{
    const int fused = plan->measures_change && draw->steps > 1 ? left - 1 : left;
    int count = fused / draw->steps;
    while (count > 1 && !is_uniform(plan, count * draw->steps))
        count--;
    return count;
}

/* Passes one after the other over a band of rows, and then over the next: the texels that one has
 * written are still in the cache when the next reads them. Each pass stays a row of texels after
 * the one before, for these hold eight rows of cells, as many as a draw's steps read below and
 * above its own: so it finds its neighbours, and overwrites none that the one before has yet to
 * read. */
static void add_bands(struct qp_plan *plan, const struct poisson5_draw *draw, int count, int band,
                      struct qp_passes *to)
{
    _Static_assert(QP_POISSON5_FUSED <= 8, "a draw's steps read at most a row of texels away");
    struct qp_plan_poisson5 *own = plan->own;
    const int height = plan->layout.domain_y;
    for (int first = 0; first < height; first += band) {
        const bool last = first + band >= height;
        for (int p = 0; p < count; p++) {
            const struct rows rows = {qp_most(first - p, 0), last ? height : first + band - p};
            if (p > 0)
                qp_passes_swap(to, &own->gl.pair);
            add_draw(plan, draw, own->step + p * draw->steps, rows, to);
        }
        if (!last && count % 2 == 0)
            qp_passes_swap(to, &own->gl.pair); /* back to the roles of the first pass */
    }
}

/* Passes that copy their target back need it whole. */
static int band_of(const struct qp_plan *plan)
{
    const int band = qp_poisson5_variant(plan->variant->recipe)->band;
    return band > 0 && plan->pingpong != QP_COPY ? band : plan->layout.domain_y;
}

static void list_steps(struct qp_plan *plan, int count, struct qp_passes *to)
{
    struct qp_plan_poisson5 *own = plan->own;
    const int band = band_of(plan);
    for (int done = 0; done < count;) {
        const struct poisson5_draw *draw = next_draw(plan, count - done);
        const int times = band < plan->layout.domain_y ? count_passes(plan, draw, count - done) : 1;
        if (done > 0)
            qp_passes_swap(to, &own->gl.pair);
        add_bands(plan, draw, times, band, to);
        done += times * draw->steps;
        own->step += times * draw->steps;
    }
}

static enum qp_status passes(struct qp_plan *plan, int count)
{
    return qp_draw_listed(plan, list_steps, count);
}

static void list_wanted(struct qp_plan *plan, int step, struct qp_passes *to)
{
    add_draw(plan, next_draw(plan, 1), step, own_of(plan)->wanted, to);
}

/* Rows of texels that hold a row asked for: rows beyond those, computed too soon, are computed
 * again by the next call. The device begins at once, for rows of a neighbour are awaited
 * meanwhile. */
static enum qp_status pass_rows(struct qp_plan *plan, int y0, int y1, bool ends)
{
    struct qp_plan_poisson5 *own = plan->own;
    const int unit = qp_layout_unit(&plan->layout);
    enum qp_status status = QP_OK;
    own->wanted = (struct rows){y0 / unit, qp_groups_in(y1, unit)};
    if (y0 < y1)
        status = qp_draw_listed(plan, list_wanted, own->step);
    if (ends)
        own->step++;
    else
        glFlush();
    return status;
}

/* ---- Stage 4 ---- */

static enum qp_status make_program(struct qp_plan *plan, int draw, bool careful, bool weighted)
{
    const struct qp_draw *recipe = &plan->variant->recipe->draw[draw];
    struct qp_uniform names[NAMES + 1];
    char head[128];
    snprintf(head, sizeof head, "#define STEPS %d\n%s%s%s%s%s", own_of(plan)->draw[draw].steps,
             qp_poisson5_variant(plan->variant->recipe)->head,
             plan->inputs > 0 ? "#define RHS\n" : "", careful ? "#define RIM\n" : "",
             careful && is_spike(plan) ? "#define SPIKE\n" : "",
             weighted ? "#define WEIGHTED\n" : "");
    struct qp_program_source source = {.target = qp_gl_target(plan->target)};
    *(recipe->compute != NULL ? &source.compute : &source.fragment) = (struct qp_source){
        .name = recipe->compute != NULL ? recipe->compute : recipe->fragment, .head = head};
    if (recipe->compute != NULL)
        source.group = (struct qp_group){plan->group_x, plan->group_y};
    list_names(plan, recipe, names);
    return qp_step_make(plan->context, &source, names,
                        &own_of(plan)->draw[draw].step[careful][weighted]);
}

/* True if the plan has steps with a weight other than 1 (`weighted`), or with 1. */
static bool takes(const struct qp_plan *plan, bool weighted)
{
    const struct qp_weights *weights = plan->problem->weights;
    const int count = weights != NULL ? weights->count : 1;
    for (int i = 0; i < count; i++) {
        if ((qp_problem_step_weight(plan->problem, i) != 1.0) == weighted)
            return true;
    }
    return false;
}

/* True for a draw all of whose fragments reach the rim. */
static bool is_careful(const struct poisson5_draw *draw)
{
    return draw->areas.inside.x1 == 0;
}

/* Trial of a work group size, on as many rows as make 2^15 invocations. The first run warms up. */
struct trial {
    struct qp_plan *plan;
    int draw;
};

static void list_trial(struct qp_plan *plan, int number, struct qp_passes *to)
{
    const struct poisson5_draw *draw = &own_of(plan)->draw[number];
    const bool careful = is_careful(draw);
    const struct area *area = careful ? &draw->areas.careful[0] : &draw->areas.inside;
    const struct rows rows = {0, area->y0 + (1 << 15) / (area->x1 - area->x0) + 1};
    struct qp_step_value values[NAMES];
    list_values(plan, own_of(plan)->weights, values);
    add_area_pass(plan, &draw->step[careful][!takes(plan, false)], values, area, rows, to);
}

static enum qp_status try_group(void *user, struct qp_group group, double *seconds)
{
    const struct trial *trial = user;
    struct qp_plan *plan = trial->plan;
    plan->group_x = group.x;
    plan->group_y = group.y;
    enum qp_status status = make_program(
        plan, trial->draw, is_careful(&own_of(plan)->draw[trial->draw]), !takes(plan, false));
    for (int i = 0; i < 2 && status == QP_OK; i++) {
        const double begin = qp_clock();
        status = qp_draw_listed(plan, list_trial, trial->draw);
        glFinish();
        *seconds = qp_clock() - begin;
    }
    return status;
}

/* Work groups of what computes: as asked for, or the fastest. */
static enum qp_status choose_group(struct qp_plan *plan, int draw)
{
    const char *compute = plan->variant->recipe->draw[draw].compute;
    struct trial trial = {plan, draw};
    struct qp_group group = {plan->group_x, plan->group_y};
    enum qp_status status = QP_OK;
    if (compute != NULL && group.x <= 0)
        status = qp_groups_choose(plan->context, compute, qp_gl_target(plan->target),
                                  (long)plan->layout.domain_x * plan->layout.domain_y, try_group,
                                  &trial, &group);
    plan->group_x = group.x;
    plan->group_y = group.y;
    return status;
}

static enum qp_status prepare(struct qp_plan *plan, int number)
{
    struct poisson5_draw *draw = &own_of(plan)->draw[number];
    enum qp_status status = QP_OK;
    draw->steps = qp_most(qp_poisson5_variant(plan->variant->recipe)->steps[number], 1);
    set_areas(plan, draw->steps, &draw->areas);
    status = choose_group(plan, number);
    for (int i = 0; i < 4 && status == QP_OK; i++) {
        const bool careful = i / 2, weighted = i % 2;
        if (takes(plan, weighted) && (careful ? draw->areas.count > 0 : draw->areas.inside.x1 > 0))
            status = make_program(plan, number, careful, weighted);
    }
    return status;
}

static void list_each(struct qp_plan *plan, int k, struct qp_passes *to)
{
    (void)k;
    for (int i = 0; i < own_of(plan)->draws; i++)
        add_draw(plan, &own_of(plan)->draw[i], 0, (struct rows){0, plan->layout.domain_y}, to);
}

static enum qp_status draw_each(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_each, 0);
}

static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_poisson5 *own = plan->own;
    enum qp_status status = QP_OK;
    own->draws = qp_recipe_draws(plan->variant->recipe);
    for (int i = 0; i < own->draws && status == QP_OK; i++)
        status = prepare(plan, i);
    return status == QP_OK ? qp_plan_gl_warm_up(plan, draw_each) : status;
}

/* ---- Stage 3 ---- */

static enum qp_status upload(struct qp_plan *plan)
{
    plan->own = qp_alloc_zero(1, sizeof(struct qp_plan_poisson5), "a plan's OpenGL side");
    if (plan->own == NULL)
        return QP_NO_MEMORY;
    plan->most_steps = STEPS_AT_ONCE;
    return qp_engine_gl.upload(plan);
}

static const struct qp_engine_rows rows = {QP_PLAN_GL_ROWS, .pass = pass_rows,
                                           .change = qp_plan_gl_change_lines};

const struct qp_engine qp_engine_poisson5 = {QP_PLAN_GL_MEMBERS, .upload = upload,
                                             .program = program, .pass = qp_pass_once,
                                             .passes = passes,   .rows = &rows};
