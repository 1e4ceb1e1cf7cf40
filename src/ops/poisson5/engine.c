/* SPDX-License-Identifier: MIT */
/* Rooms 3 to 7 of OpenGL rows that take several steps in one pass.
 *
 * A draw of the recipe takes one step, or some at once. Each has two programs of one file, told apart by
 * definitions in front of it:
 *
 *     plain    draws all fragments whose cells, in every step but the last, reach no cell outside the grid
 *     careful  RIM: draws the others, strips along the rim, and keeps cells outside the grid at 0 in
 *              each step
 *
 * On kinds with an array of h^2 f both are given RHS and read it. On the spike the plain one adds nothing at
 * all, and the careful one (SPIKE) draws the fragments around the spike once more, with it.
 * STEPS is the number of steps. Weights other than 1 define WEIGHTED, for draws of such steps only: a plain step needs no old value of its cell. */
#include <stdio.h>
#include <stdlib.h>

#include "base/whole.h"
#include "engines/common.h"
#include "engines/engines.h"
#include "engines/gl.h"
#include "ops/poisson5/areas.h"
#include "ops/poisson5/poisson5.h"
#include "plan/problem.h"

/* Rows of fragments. */
struct rows {
    int first, end;
};

struct poisson5_draw {
    int steps;
    struct qp_poisson5_areas areas;
    struct qp_step step[2][2]; /* plain and careful, of weight 1 and of others */
};

/* qp_engine_gl's own first: it makes, reads and destroys the textures. */
struct qp_plan_poisson5 {
    struct qp_plan_gl gl;
    int draws, step; /* step: how many are done */
    struct poisson5_draw draw[QP_DRAWS];
};

static struct qp_plan_poisson5 *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

static bool is_spike(const struct qp_plan *plan)
{
    return qp_problem_kind(plan->problem) == QP_POISSON5_SPIKE;
}

/* ---- Where draws draw ---- */

void qp_poisson5_tell_draw(const struct qp_plan *plan, int draw, char *line, size_t size)
{
    const struct poisson5_draw *told = &own_of(plan)->draw[draw];
    const struct qp_area *in = &told->areas.inside;
    const int strips = told->areas.count - is_spike(plan);
    int used = snprintf(line, size, "%d step%s a pass:", told->steps, told->steps > 1 ? "s" : "");
    if (in->x1 > in->x0)
        used +=
            snprintf(line + used, size - (size_t)used, " a quad over texels (%d, %d) to (%d, %d)",
                     in->x0, in->y0, in->x1 - 1, in->y1 - 1);
    if (strips > 0)
        used += snprintf(line + used, size - (size_t)used, "%s %d along the rim",
                         in->x1 > in->x0 ? "," : "", strips);
    if (is_spike(plan))
        snprintf(line + used, size - (size_t)used, ", and one around the spike");
}

/* ---- Uniforms ---- */

enum name { TARGET, X, RHS, WEIGHT, ORIGIN, SIZE, CELLS, SPIKE, SHEET, NAMES };

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
        [SHEET] = {"sheet", QP_FLOAT, 0}, /* rows of texels from one sheet of h^2 f to the next */
    };
    for (int i = 0; i <= NAMES; i++)
        out[i] = names[i];
}

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
    };
    for (int i = 0; i < NAMES; i++)
        out[i] = values[i];
}

/* ---- Rooms 5 and 6 ---- */

/* Draws the part of an area that lies in these rows. */
static void run_area(struct qp_plan *plan, const struct qp_step *step,
                     const struct qp_step_value values[NAMES], const struct qp_area *area,
                     struct rows rows)
{
    const struct qp_layout *layout = &plan->layout;
    const int y0 = qp_most(area->y0, rows.first), y1 = qp_least(area->y1, rows.end);
    const struct qp_pass pass = {
        .surface = qp_pingpong_surface(qp_plan_gl_pair(plan)),
        .targets = layout->sheets,
        .x = layout->origin_x,
        .y = layout->origin_y,
        .width = layout->domain_x,
        .height = layout->domain_y,
        .geometry = qp_quad((float)area->x0, (float)y0, (float)area->x1, (float)y1)};
    if (area->x0 < area->x1 && y0 < y1)
        qp_step_run(plan->context, step, values, pass);
}

static void run_draw(struct qp_plan *plan, const struct poisson5_draw *draw, int first_step,
                     struct rows rows)
{
    double weights[QP_POISSON5_FUSED] = {0};
    struct qp_step_value values[NAMES];
    for (int i = 0; i < draw->steps; i++)
        weights[i] = qp_problem_step_weight(plan->problem, first_step + i);
    const bool weighted = weights[0] != 1.0;
    list_values(plan, weights, values);
    run_area(plan, &draw->step[0][weighted], values, &draw->areas.inside, rows);
    for (int i = 0; i < draw->areas.count; i++)
        run_area(plan, &draw->step[1][weighted], values, &draw->areas.careful[i], rows);
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

/* How many passes of this draw may follow each other, of `left` steps. */
static int count_passes(const struct qp_plan *plan, const struct poisson5_draw *draw, int left)
{
    const int fused = plan->measures_change && draw->steps > 1 ? left - 1 : left;
    int count = fused / draw->steps;
    while (count > 1 && !is_uniform(plan, count * draw->steps))
        count--;
    return count;
}

/* Passes one after the other over a band of rows, and then over the next: what one has written is still in the
 * cache when the next reads it. Each pass stays as many rows behind the one before as it reads below and above its
 * own, so that it finds its neighbours, and overwrites none that the one before has yet to read. */
static void run_bands(struct qp_plan *plan, const struct poisson5_draw *draw, int count, int band)
{
    struct qp_plan_poisson5 *own = plan->own;
    const int height = plan->layout.domain_y,
              behind = qp_groups_in(draw->steps, plan->layout.sheets);
    for (int first = 0; first < height; first += band) {
        const bool last = first + band >= height;
        for (int p = 0; p < count; p++) {
            const struct rows rows = {qp_most(first - p * behind, 0),
                                      last ? height : first + band - p * behind};
            if (p > 0)
                qp_pingpong_swap(&own->gl.pair);
            run_draw(plan, draw, own->step + p * draw->steps, rows);
        }
        if (!last && count % 2 == 0)
            qp_pingpong_swap(&own->gl.pair); /* back to the roles of the first pass */
    }
}

/* Passes that copy their target back need it whole. */
static int band_of(const struct qp_plan *plan)
{
    const int band = qp_poisson5_row(plan->variant->recipe)->band;
    return band > 0 && plan->pingpong != QP_COPY ? band : plan->layout.domain_y;
}

static enum qp_status passes(struct qp_plan *plan, int count)
{
    struct qp_plan_poisson5 *own = plan->own;
    const int band = band_of(plan);
    for (int done = 0; done < count;) {
        const struct poisson5_draw *draw = next_draw(plan, count - done);
        const int times = band < plan->layout.domain_y ? count_passes(plan, draw, count - done) : 1;
        if (done > 0)
            qp_pingpong_swap(&own->gl.pair);
        run_bands(plan, draw, times, band);
        done += times * draw->steps;
        own->step += times * draw->steps;
    }
    return QP_OK;
}

static enum qp_status pass(struct qp_plan *plan)
{
    return passes(plan, 1);
}

static enum qp_status change(struct qp_plan *plan, double *norm)
{
    return qp_engine_gl.change(plan, norm);
}

/* ---- Room 4 ---- */

static enum qp_status make_program(struct qp_plan *plan, int draw, bool careful, bool weighted)
{
    const struct qp_draw *recipe = &plan->variant->recipe->draw[draw];
    struct qp_uniform names[NAMES + 1];
    char head[128];
    snprintf(head, sizeof head, "#define STEPS %d\n%s%s%s%s", own_of(plan)->draw[draw].steps,
             plan->inputs > 0 ? "#define RHS\n" : "", careful ? "#define RIM\n" : "",
             careful && is_spike(plan) ? "#define SPIKE\n" : "",
             weighted ? "#define WEIGHTED\n" : "");
    const struct qp_program_source source = {.fragment = {.name = recipe->fragment, .head = head},
                                             .target = qp_gl_target(plan->target)};
    list_names(plan, recipe, names);
    return qp_step_make(plan->context, &source, names,
                        &own_of(plan)->draw[draw].step[careful][weighted]);
}

/* Whether steps have a weight of 1, or others. */
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

static enum qp_status prepare(struct qp_plan *plan, int number)
{
    struct poisson5_draw *draw = &own_of(plan)->draw[number];
    enum qp_status status = QP_OK;
    draw->steps = qp_most(qp_poisson5_row(plan->variant->recipe)->steps[number], 1);
    qp_poisson5_areas_set(plan, draw->steps, &draw->areas);
    for (int i = 0; i < 4 && status == QP_OK; i++) {
        const bool careful = i / 2, weighted = i % 2;
        if (takes(plan, weighted) && (careful ? draw->areas.count > 0 : draw->areas.inside.x1 > 0))
            status = make_program(plan, number, careful, weighted);
    }
    return status;
}

static enum qp_status draw_each(struct qp_plan *plan)
{
    for (int i = 0; i < own_of(plan)->draws; i++)
        run_draw(plan, &own_of(plan)->draw[i], 0, (struct rows){0, plan->layout.domain_y});
    return QP_OK;
}

/* The target is emptied again, for an output that nobody wrote must show. */
static enum qp_status warm_up(struct qp_plan *plan)
{
    double ignored;
    enum qp_status status = qp_warm_up(plan, draw_each, qp_finish_gl);
    if (status == QP_OK && plan->measures_change)
        status = qp_engine_gl.change(plan, &ignored);
    if (status == QP_OK)
        status = qp_pingpong_write(&own_of(plan)->gl.pair, true, plan->empty);
    glFinish();
    return status;
}

static enum qp_status program(struct qp_plan *plan)
{
    struct qp_plan_poisson5 *own = plan->own;
    enum qp_status status = QP_OK;
    own->draws = qp_recipe_draws(plan->variant->recipe);
    for (int i = 0; i < own->draws && status == QP_OK; i++)
        status = prepare(plan, i);
    if (status == QP_OK && plan->measures_change)
        status = qp_plan_gl_make_change(plan);
    return status == QP_OK ? warm_up(plan) : status;
}

/* ---- Room 3 ---- */

enum { STEPS_AT_ONCE = 48 /* a multiple of all that are fused */ };

static enum qp_status upload(struct qp_plan *plan)
{
    plan->own = qp_alloc_zero(1, sizeof(struct qp_plan_poisson5), "a plan's OpenGL side");
    if (plan->own == NULL)
        return QP_NO_MEMORY;
    plan->most_steps = STEPS_AT_ONCE;
    return qp_engine_gl.upload(plan);
}

static void swap(struct qp_plan *plan)
{
    qp_engine_gl.swap(plan);
}

static enum qp_status read_texture(struct qp_plan *plan, bool target, void *texels)
{
    return qp_engine_gl.read(plan, target, texels);
}

static void destroy(struct qp_plan *plan)
{
    qp_engine_gl.destroy(plan);
}

const struct qp_engine qp_engine_poisson5 = {.upload = upload,
                                             .program = program,
                                             .pass = pass,
                                             .passes = passes,
                                             .swap = swap,
                                             .finish = qp_finish_gl,
                                             .change = change,
                                             .read = read_texture,
                                             .destroy = destroy};
