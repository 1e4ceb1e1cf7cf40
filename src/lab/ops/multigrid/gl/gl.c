/* SPDX-License-Identifier: MIT */
/* Multigrid in fragment shaders: a pass takes one smoothing step.
 *
 * A cycle's passes, with r the residual, c = D^-1 r, and e the correction, which begins as 0:
 *
 *     c = D^-1 (b - A x)
 *     two smoothing steps from e = 0, in one pass: (w + v) c - w v D^-1 A c
 *     the other steps; the residual of e; its restriction
 *     ... the next coarser grid, which does the same, or the inverse ...
 *     e plus the coarser grid's, and smoothing steps, the last of which adds the old x
 *
 * A full cycle first restricts r to all grids. From the coarsest up, e begins on each as the answer
 * below it, and goes through a cycle of that grid and the coarser ones.
 *
 * Where all rows of the matrix are equal inside a grid, as those of Poisson's equation are, a pass
 * is a quad inside it, whose program has the matrix as uniforms, and four strips along the rim. */
#include <stdio.h>
#include <string.h>

#include "lab/engines/common.h"
#include "lab/engines/engines.h"
#include "lab/engines/gl.h"
#include "lab/ops/multigrid/multigrid.h"

/* Names that programs may use. */
enum name {
    TARGET, /* a compute shader's, like those from NODES on */
    X,
    B,
    BANDS,
    OLD,
    COARSE,
    SHARES_ACROSS,
    SHARES_UP,
    WEIGHTS_ACROSS,
    WEIGHTS_UP,
    INVERSE,
    BAND,
    KEEP,
    WEIGHT,
    APART,
    REPEATED,
    RIM,
    FROM,
    CORNER,
    CELLS,
    NODES,
    GRID,
    GRIDS,
    STEPS,
    SMOOTHER,
    INSIDE, /* the equal rows, which one dispatch takes with the others */
    IS_FIVE,
    DIAGONAL,
    SIZE,
    MEAN, /* b's, for residuals in double */
    NAMES
};

/* Work that a pass does. */
enum work {
    STEP,
    BEGIN,
    REST,
    LAST,
    RESTRICT,
    RESTRICT_ONLY, /* not over the diagonal */
    CORRECT,
    INTERPOLATE,
    BOTTOM,
    BOTTOM_LAST,
    RESIDUAL,
    ADD,
    WORKS
};

/* Matrix of an area: any; equal rows; and such of five bands. */
enum form { ANY, EQUAL, FIVE, FORMS };

enum { AT_ONCE = 256 /* invocations that take all small grids */ };

/* Draws of a recipe. */
enum draw { RELAX, COARSEN, REFINE, INVERT, IN_DOUBLE, ADD_DOUBLE };

/* A work's draw of the recipe, and the lines in front of its shader. */
static const struct {
    enum draw draw;
    const char *head;
} works[WORKS] = {
    [STEP] = {RELAX, ""},
    [BEGIN] = {RELAX, "#define BEGIN\n"},
    [REST] = {RELAX, "#define SCALED\n"},
    [LAST] = {RELAX, "#define ADD\n"},
    [RESTRICT] = {COARSEN, ""},
    [RESTRICT_ONLY] = {COARSEN, "#define ONLY\n"},
    [CORRECT] = {REFINE, ""},
    [INTERPOLATE] = {REFINE, "#define ALONE\n"},
    [BOTTOM] = {INVERT, ""},
    [BOTTOM_LAST] = {INVERT, "#define ADD\n"},
    [RESIDUAL] = {IN_DOUBLE, ""},
    [ADD] = {ADD_DOUBLE, ""},
};

struct plan_own {
    struct qp_plan_multigrid with;
    struct qp_step step[WORKS][FORMS];
};

static struct qp_plan_multigrid *own_of(const struct qp_plan *plan)
{
    return plan->own;
}

static struct qp_step *step_of(const struct qp_plan *plan, enum work work, enum form form)
{
    return &((struct plan_own *)plan->own)->step[work][form];
}

/* True for works of compute shaders. */
static bool computes(const struct qp_plan *plan, enum work work)
{
    return plan->variant->recipe->draw[works[work].draw].compute != NULL;
}

/* True for variants whose x is in double, whose cycles begin with a residual in double. */
static bool refines(const struct qp_plan *plan)
{
    return plan->variant->recipe->draw[IN_DOUBLE].fragment != NULL;
}

static bool is_full(const struct qp_plan *plan)
{
    return own_of(plan)->on.scheme->cycle == QP_MULTIGRID_FULL;
}

/* True for works that have programs of their own for equal rows of the matrix. */
static bool reads_matrix(enum work work)
{
    return works[work].draw == RELAX || works[work].draw == IN_DOUBLE;
}

/* ---- Uniforms ---- */

static const struct qp_uniform names[NAMES + 1] = {
    [TARGET] = {"target", QP_IMAGE, 0},
    [X] = {"x", QP_SAMPLER, 0},
    [B] = {"b", QP_SAMPLER, 0},
    [BANDS] = {"bands", QP_SAMPLER, 0},
    [OLD] = {"old", QP_SAMPLER, 0},
    [COARSE] = {"coarse", QP_SAMPLER, 0},
    [SHARES_ACROSS] = {"shares_across", QP_SAMPLER, 0},
    [SHARES_UP] = {"shares_up", QP_SAMPLER, 0},
    [WEIGHTS_ACROSS] = {"weights_across", QP_SAMPLER, 0},
    [WEIGHTS_UP] = {"weights_up", QP_SAMPLER, 0},
    [INVERSE] = {"inverse", QP_SAMPLER, 0},
    [BAND] = {"band", QP_FLOAT, QP_JACOBI9_BANDS},
    [KEEP] = {"keep", QP_FLOAT, 0},
    [WEIGHT] = {"weight", QP_FLOAT, 0},
    [APART] = {"apart", QP_FLOAT, 0},
    [REPEATED] = {"repeated", QP_VECTOR, 0},
    [RIM] = {"rim", QP_VECTOR, 0},
    [FROM] = {"from", QP_VECTOR, 0},
    [CORNER] = {"corner", QP_VECTOR, 0},
    [CELLS] = {"cells", QP_VECTOR, 0},
    [NODES] = {"nodes", QP_SAMPLER, 0},
    [GRID] = {"grid", QP_FLOAT, 8 * QP_MULTIGRID_SMALL},
    [GRIDS] = {"grids", QP_INT, 0},
    [STEPS] = {"steps", QP_INT, 0},
    [SMOOTHER] = {"smoother", QP_FLOAT, QP_MULTIGRID_STEPS},
    [INSIDE] = {"inside", QP_VECTOR_4, 0},
    [IS_FIVE] = {"five", QP_BOOL, 0},
    [DIAGONAL] = {"diagonal", QP_FLOAT, 0},
    [SIZE] = {"size", QP_VECTOR, 0},
    [MEAN] = {"mean", QP_DOUBLE, 0},
};

/* A pass: its work on a grid, the numbers of a step, and where the target's first node is. */
struct work_pass {
    enum work work;
    const struct qp_multigrid_textures *grid;
    const struct qp_texture *x, *b;
    bool from_pair, to_pair; /* x is the plan's own, and so is the target */
    double keep, weight;
    const struct qp_render_texture *to; /* unless it is the pair */
};

static void list_values(const struct qp_plan *plan, const struct work_pass *pass,
                        struct qp_step_value out[NAMES])
{
    const struct qp_multigrid_textures *grid = pass->grid;
    const struct qp_layout *layout = &plan->layout;
    const struct qp_step_value corner = {.x = layout->origin_x, .y = layout->origin_y};
    const struct qp_multigrid_textures *matrix =
        works[pass->work].draw == COARSEN ? grid + 1 : grid;
    const struct qp_multigrid_gl *on = &own_of(plan)->on;
    const struct qp_step_value values[NAMES] = {
        [TARGET] = {.texture = pass->to_pair ? qp_pingpong_target(&own_of(plan)->gl.pair)
                                             : &pass->to->texture},
        [X] = {.texture = pass->x},
        [B] = {.texture = pass->b},
        [BANDS] = {.texture = &matrix->bands},
        [OLD] = {.texture = qp_pingpong_source(&own_of(plan)->gl.pair)},
        [COARSE] = {.texture = &grid[1].x[grid[1].now].texture},
        [SHARES_ACROSS] = {.texture = &grid->share[0]},
        [SHARES_UP] = {.texture = &grid->share[1]},
        [WEIGHTS_ACROSS] = {.texture = &grid->weights[0]},
        [WEIGHTS_UP] = {.texture = &grid->weights[1]},
        [INVERSE] = {.texture = &on->inverse},
        [BAND] = {.list = grid->band},
        [KEEP] = {.x = pass->keep},
        [WEIGHT] = {.x = pass->weight},
        [APART] = {.x = matrix->width},
        [REPEATED] = {.x = matrix->first, .y = matrix->repeats},
        [RIM] = {.x = grid->rim[0], .y = grid->rim[1]},
        [FROM] = pass->from_pair ? corner : (struct qp_step_value){0},
        [CORNER] = pass->to_pair ? corner : (struct qp_step_value){0},
        [CELLS] = {.x = grid->nodes, .y = grid->height},
        [NODES] = {.texture = &on->nodes},
        [GRID] = {.list = on->number},
        [GRIDS] = {.x = on->small},
        [STEPS] = {.x = on->scheme->smoother->steps},
        [SMOOTHER] = {.list = on->scheme->smoother->weight},
        [INSIDE] = {.list = grid->inside},
        [IS_FIVE] = {.x = grid->five},
        [DIAGONAL] = {.x = grid->diagonal},
        [SIZE] = {.x = matrix->width, .y = matrix->height},
        [MEAN] = {.x = on->mean},
    };
    for (int i = 0; i < NAMES; i++)
        out[i] = values[i];
    if (pass->work == RESIDUAL) {
        out[BANDS].texture = &on->exact;
        out[BAND].list = on->row;
        out[WEIGHT].x = 1.0 / grid->diagonal;
    }
}

/* ---- Stages 5 and 6 ---- */

/* Texels that a pass writes, and where it has a program of its own for equal rows. */
static struct qp_multigrid_area written_by(const struct qp_plan *plan, const struct work_pass *work)
{
    const struct qp_multigrid_textures *grid =
        works[work->work].draw == COARSEN ? work->grid + 1 : work->grid;
    const int width = work->to_pair ? plan->layout.domain_x : grid->width;
    return (struct qp_multigrid_area){0, 0, width, grid->height};
}

/* A dispatch takes all texels at once. */
static const struct qp_multigrid_area *inside_of(const struct qp_plan *plan,
                                                 const struct work_pass *work)
{
    static const struct qp_multigrid_area none;
    const struct qp_multigrid_textures *grid = work->grid;
    return computes(plan, work->work)          ? &none
           : reads_matrix(work->work)          ? &grid->equal
           : works[work->work].draw == COARSEN ? &grid->gathers
           : works[work->work].draw == REFINE  ? &grid->regular
                                               : &none;
}

static void add_area(struct qp_plan *plan, const struct work_pass *work, enum form form,
                     struct qp_multigrid_area area, struct qp_passes *to)
{
    struct qp_step_value values[NAMES];
    const bool scaled = form != ANY && work->work == REST;
    const bool at_once = works[work->work].draw == INVERT && computes(plan, work->work);
    const enum work as = scaled ? STEP : work->work;
    struct qp_gl_pass pass = {
        .step = step_of(plan, as, form),
        .values = values,
        .width = at_once ? AT_ONCE : written_by(plan, work).x1,
        .height = at_once ? 1 : written_by(plan, work).y1,
        .geometry = qp_quad((float)area.x0, (float)area.y0, (float)area.x1, (float)area.y1)};
    if (area.x0 >= area.x1 || area.y0 >= area.y1)
        return;
    list_values(plan, work, values);
    if (scaled)
        values[WEIGHT].x *= work->grid->diagonal;
    if (work->work == RESTRICT)
        values[WEIGHT].x = 1.0 / work->grid[1].diagonal;
    if (work->to_pair) {
        pass.surface = qp_passes_target(to, &own_of(plan)->gl.pair);
        pass.x = plan->layout.origin_x;
        pass.y = plan->layout.origin_y;
    } else {
        pass.surface = (struct qp_surface){work->to->framebuffer_id, GL_COLOR_ATTACHMENT0};
    }
    qp_passes_add(to, &pass);
}

static void add_all(struct qp_plan *plan, const struct work_pass *work, struct qp_passes *to)
{
    const struct qp_multigrid_area in = *inside_of(plan, work);
    const int width = written_by(plan, work).x1, height = written_by(plan, work).y1;
    const bool five = work->grid->five && reads_matrix(work->work);
    add_area(plan, work, five ? FIVE : EQUAL, in, to);
    add_area(plan, work, ANY, (struct qp_multigrid_area){0, 0, width, in.y0}, to);
    add_area(plan, work, ANY, (struct qp_multigrid_area){0, in.y1, width, height}, to);
    add_area(plan, work, ANY, (struct qp_multigrid_area){0, in.y0, in.x0, in.y1}, to);
    add_area(plan, work, ANY, (struct qp_multigrid_area){in.x1, in.y0, width, in.y1}, to);
}

/* A smoothing step or residual from the newest x of a grid to the other, which becomes the newest
 * unless it is a residual. */
static void add_step(struct qp_plan *plan, struct qp_multigrid_textures *grid, enum work work,
                     double keep, double weight, struct qp_passes *to)
{
    const struct work_pass pass = {.work = work,
                                   .grid = grid,
                                   .x = &grid->x[grid->now].texture,
                                   .b = &grid->b.texture,
                                   .keep = keep,
                                   .weight = weight,
                                   .to = &grid->x[1 - grid->now],
                                   .to_pair = work == LAST};
    add_all(plan, &pass, to);
    if (work != REST)
        grid->now = 1 - grid->now;
}

/* A grid's residual to the next coarser one, from x[at]. */
static void add_restriction(struct qp_plan *plan, const struct qp_multigrid_textures *grid, int at,
                            enum work work, struct qp_passes *to)
{
    const struct work_pass restricts = {.work = work,
                                        .grid = grid,
                                        .x = &grid->x[at].texture,
                                        .weight = 1.0,
                                        .to = work == RESTRICT ? &grid[1].b : &grid[1].x[0]};
    add_all(plan, &restricts, to);
}

/* Smoothing steps, from 0 the first two in one pass, and the residual's restriction. */
static void add_down(struct qp_plan *plan, struct qp_multigrid_textures *grid, bool from_0,
                     struct qp_passes *to)
{
    const struct qp_multigrid_smoother *smoother = own_of(plan)->on.scheme->smoother;
    const double w = smoother->weight[0] / grid->radius, v = smoother->weight[1] / grid->radius;
    const struct work_pass begin = {.work = BEGIN,
                                    .grid = grid,
                                    .x = &grid->b.texture,
                                    .keep = w + v,
                                    .weight = w * v,
                                    .to = &grid->x[0]};
    if (from_0) {
        add_all(plan, &begin, to);
        grid->now = 0;
    }
    for (int i = from_0 ? 2 : 0; i < smoother->steps; i++)
        add_step(plan, grid, STEP, 1.0, smoother->weight[i] / grid->radius, to);
    add_step(plan, grid, REST, 0.0, 1.0, to);
    add_restriction(plan, grid, 1 - grid->now, RESTRICT, to);
}

/* Adds the coarser grid's answer to this one's, or to 0. */
static void add_answer(struct qp_plan *plan, struct qp_multigrid_textures *grid, enum work work,
                       struct qp_passes *to)
{
    const struct work_pass answer = {.work = work,
                                     .grid = grid,
                                     .x = &grid->x[grid->now].texture,
                                     .to = &grid->x[1 - grid->now]};
    add_all(plan, &answer, to);
    grid->now = 1 - grid->now;
}

static void add_up(struct qp_plan *plan, struct qp_multigrid_textures *grid, struct qp_passes *to)
{
    const struct qp_multigrid_smoother *smoother = own_of(plan)->on.scheme->smoother;
    const bool adds = grid == own_of(plan)->on.grid && !refines(plan);
    add_answer(plan, grid, CORRECT, to);
    for (int i = 0; i < smoother->steps; i++)
        add_step(plan, grid, adds && i + 1 == smoother->steps ? LAST : STEP, 1.0,
                 smoother->weight[i] / grid->radius, to);
}

/* A V cycle on grid `first` and the coarser ones. */
static void add_cycle(struct qp_plan *plan, int first, bool from_0, struct qp_passes *to)
{
    struct qp_multigrid_gl *on = &own_of(plan)->on;
    struct qp_multigrid_textures *coarsest = &on->grid[on->grids - 1];
    const bool only = on->grids == 1 && !refines(plan);
    const struct work_pass bottom = {.work = only ? BOTTOM_LAST : BOTTOM,
                                     .grid = coarsest,
                                     .b = &coarsest->b.texture,
                                     .to = &coarsest->x[0],
                                     .to_pair = only};
    for (int i = first; i + 1 < on->grids; i++)
        add_down(plan, &on->grid[i], i > first || from_0, to);
    add_all(plan, &bottom, to);
    coarsest->now = 0;
    for (int i = on->grids - 2; i >= first; i--)
        add_up(plan, &on->grid[i], to);
}

/* The residual of x, over the diagonal or not. */
static void add_residual(struct qp_plan *plan, enum work work, struct qp_render_texture *into,
                         struct qp_passes *to)
{
    struct qp_multigrid_gl *on = &own_of(plan)->on;
    const struct work_pass residual = {.work = work,
                                       .grid = on->grid,
                                       .x = qp_pingpong_source(&own_of(plan)->gl.pair),
                                       .b = &on->right,
                                       .weight = 1.0,
                                       .from_pair = true,
                                       .to = into};
    add_all(plan, &residual, to);
}

/* Full multigrid below the finest grid: the residual's restrictions, and from the coarsest grid on
 * a V cycle on each, which begins with the answer of the one before. */
static void add_ascent(struct qp_plan *plan, struct qp_passes *to)
{
    struct qp_multigrid_gl *on = &own_of(plan)->on;
    add_residual(plan, REST, &on->grid->x[0], to);
    for (int i = 0; i + 1 < on->grids; i++) {
        add_restriction(plan, &on->grid[i], 0, RESTRICT, to);
        if (i + 2 < on->grids)
            add_restriction(plan, &on->grid[i], 0, RESTRICT_ONLY, to);
    }
    for (int i = on->grids - 1; i > 0; i--) {
        add_cycle(plan, i, false, to);
        add_answer(plan, &on->grid[i - 1], INTERPOLATE, to);
    }
}

static void list_cycle(struct qp_plan *plan, int k, struct qp_passes *to)
{
    struct qp_multigrid_gl *on = &own_of(plan)->on;
    (void)k;
    add_residual(plan, refines(plan) ? RESIDUAL : STEP, &on->grid->b, to);
    if (is_full(plan))
        add_ascent(plan, to);
    add_cycle(plan, 0, !is_full(plan), to);
    const struct work_pass add = {
        .work = ADD, .grid = on->grid, .x = &on->grid->x[on->grid->now].texture, .to_pair = true};
    if (refines(plan))
        add_all(plan, &add, to);
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_cycle, 0);
}

/* ---- Stage 4 ---- */

static enum qp_status make_program(struct qp_plan *plan, enum work work, enum form form)
{
    static const char *const heads[FORMS] = {"", "#define EQUAL\n",
                                             "#define EQUAL\n#define FIVE\n"};
    char head[64];
    snprintf(head, sizeof head, "%s%s", works[work].head, heads[form]);
    const struct qp_draw *draw = &plan->variant->recipe->draw[works[work].draw];
    struct qp_program_source source = {.fragment = {.name = draw->fragment, .head = head},
                                       .target = qp_gl_target(plan->target)};
    if (draw->compute != NULL) {
        source.compute = (struct qp_source){.name = draw->compute, .head = head};
        source.group = works[work].draw == INVERT ? (struct qp_group){AT_ONCE, 1}
                                                  : (struct qp_group){plan->group_x, plan->group_y};
    }
    struct qp_uniform uniforms[NAMES + 1];
    memcpy(uniforms, names, sizeof names);
    if (work == RESIDUAL) {
        uniforms[X].type = QP_SAMPLER_WORDS;
        uniforms[BAND].type = QP_DOUBLE;
    }
    uniforms[OLD].type = work == ADD ? QP_SAMPLER_WORDS : QP_SAMPLER;
    return qp_step_make(plan->context, &source, uniforms, step_of(plan, work, form));
}

/* True if some pass of these works needs this form. */
static bool needs(const struct qp_plan *plan, enum work work, enum form form)
{
    const struct qp_multigrid_gl *on = &own_of(plan)->on;
    bool needed = form == ANY;
    if (refines(plan) ? work == LAST || work == BOTTOM_LAST : work == RESIDUAL || work == ADD)
        return false;
    if ((work == RESTRICT_ONLY || work == INTERPOLATE) && !is_full(plan))
        return false;
    for (int k = 0; k + 1 < on->grids && work != REST; k++) {
        const struct work_pass pass = {.work = work, .grid = &on->grid[k]};
        const bool five = on->grid[k].five && reads_matrix(work);
        needed |= inside_of(plan, &pass)->x1 > 0 && form == (five ? FIVE : EQUAL);
    }
    return needed;
}

static enum qp_status program(struct qp_plan *plan)
{
    enum qp_status status = QP_OK;
    if (computes(plan, STEP) && plan->group_x <= 0) {
        plan->group_x = 32;
        plan->group_y = 8;
    }
    for (int i = 0; i < WORKS * FORMS && status == QP_OK; i++) {
        if (needs(plan, i % WORKS, i / WORKS))
            status = make_program(plan, i % WORKS, i / WORKS);
    }
    return status == QP_OK ? qp_plan_gl_warm_up(plan, pass) : status;
}

/* ---- Stages 3 and 7 ---- */

static struct qp_multigrid_layout needs_of(const struct qp_plan *plan)
{
    return (struct qp_multigrid_layout){.format =
                                            refines(plan) ? QP_RGBA32F : plan->layout.shape.format,
                                        .nodes = refines(plan) ? 4 : plan->layout.neighbours,
                                        .at_once = computes(plan, BOTTOM),
                                        .exact = refines(plan)};
}

static enum qp_status upload(struct qp_plan *plan)
{
    plan->own = qp_alloc_zero(1, sizeof(struct plan_own), "a plan's OpenGL side");
    if (plan->own == NULL)
        return QP_NO_MEMORY;
    const struct qp_multigrid_layout needs = needs_of(plan);
    enum qp_status status = qp_engine_gl.upload(plan);
    if (status == QP_OK)
        status = qp_multigrid_gl_make(plan, &needs, &own_of(plan)->on);
    return qp_end_upload(plan, status);
}

static enum qp_status renew(struct qp_plan *plan)
{
    const struct qp_multigrid_layout needs = needs_of(plan);
    struct qp_plan_multigrid *own = own_of(plan);
    enum qp_status status = qp_plan_pack(plan);
    if (status == QP_OK)
        status = qp_context_enter(plan->context);
    if (status == QP_OK)
        status = qp_pingpong_write(&own->gl.pair, false, plan->texels);
    if (status == QP_OK)
        status = qp_pingpong_write(&own->gl.pair, true, plan->empty);
    return status == QP_OK ? qp_multigrid_gl_renew(plan, &needs, &own->on) : status;
}

static void destroy(struct qp_plan *plan)
{
    if (plan->own != NULL && qp_context_enter(plan->context) == QP_OK)
        qp_multigrid_gl_destroy(&own_of(plan)->on);
    qp_plan_gl_destroy(plan);
}

const struct qp_engine qp_engine_multigrid_gl = {.upload = upload,
                                                 .program = program,
                                                 .renew = renew,
                                                 .pass = pass,
                                                 .swap = qp_plan_gl_swap,
                                                 .finish = qp_finish_gl,
                                                 .change = qp_plan_gl_change,
                                                 .read = qp_plan_gl_read,
                                                 .destroy = destroy};
