/* SPDX-License-Identifier: MIT */
/* The tour of steps on a grid, and functions that other tours share with it. */
#include <math.h>
#include <stdlib.h>

#include "cmd/output/terminal.h"
#include "cmd/tour/tour.h"
#include "engines/parts.h"
#include "engines/shared.h"
#include "gl/strips.h"
#include "ops/poisson5/poisson5.h"
#include "plan/plan.h"
#include "plan/problem.h"

enum { MOST_ROWS_PRINTED = 8, MOST_COLUMNS_PRINTED = 9 };

static void print_number(FILE *out, double value)
{
    if (isnan(value))
        fputs("       #", out);
    else
        fprintf(out, " %7.3f", value);
}

static void print_matrix(const struct tour *tour, const struct qp_matrix *matrix)
{
    const int width = matrix->width, height = matrix->height;
    const int rows = height < MOST_ROWS_PRINTED ? height : MOST_ROWS_PRINTED;
    const int most = tour->upright ? MOST_COLUMNS_PRINTED : MOST_ROWS_PRINTED;
    for (int line = 0; line < rows; line++) {
        const int y = tour->upright ? line : rows - 1 - line;
        fputs("   ", tour->out);
        for (int x = 0; x < width && x < most; x++)
            print_number(tour->out, qp_matrix_value(matrix, (size_t)y * (size_t)width + (size_t)x));
        fputs(width > most ? " ...\n" : "\n", tour->out);
    }
}

void tour_values(const struct tour *tour, int width, int height, float *values)
{
    print_matrix(tour, &(struct qp_matrix){.width = width, .height = height, .values = values});
}

static void print_reference(const struct tour *tour)
{
    print_matrix(tour, &(struct qp_matrix){.width = tour->problem->answer_width,
                                           .height = tour->problem->answer_height,
                                           .precision = QP_DOUBLES,
                                           .doubles = tour->problem->reference});
}

const char *tour_state_name(const struct tour *tour)
{
    const struct qp_op *op = tour->problem->op;
    return op->field[op->state].name;
}

void tour_storage(const struct tour *tour, const struct qp_layout *layout, const void *texels)
{
    enum { MOST_FLOATS = 64, MOST_LINES = 64, CELL = 8 };
    const int room = (terminal_columns(tour->out) - CELL) / CELL; /* 0 columns: no terminal */
    const int most = room > 0 && room < MOST_FLOATS ? room : MOST_FLOATS;
    int floats = layout->storage_x * layout->channels;
    int first = layout->shape.flat ? layout->origin_x - layout->pad_x - 1 : 0;
    int top = layout->storage_y < MOST_LINES ? layout->storage_y : MOST_LINES;
    if (top < layout->storage_y)
        fprintf(tour->out, "    ... %d lines left out\n", layout->storage_y - top);
    for (int line = 0; line < top; line++) {
        const int y = tour->upright ? line : top - 1 - line;
        fputs("   ", tour->out);
        for (int k = first; k < floats && k < first + most; k++)
            print_number(tour->out, qp_value(texels, layout->precision,
                                             (size_t)y * (size_t)floats + (size_t)k));
        fputs(floats > first + most ? " ...\n" : "\n", tour->out);
    }
}

/* Words for arrays, kernels and computing on a device. */
struct words {
    const char *arrays, *kernels, *computing, *kernel, *call;
};

static const struct words *words_of(const struct tour *tour)
{
    static const struct words words[QP_BACKENDS] = {
        [QP_CPU] = {"memory", "functions", "calling", "a C function",
                    "call the function once over all cells"},
        [QP_GL] = {"textures", "shaders", "drawing", NULL, NULL},
        [QP_CUDA] = {"device memory", "CUDA kernels", "launching", "a CUDA kernel",
                     "launch the kernel over all cells"},
        [QP_MPI] = {"memory", "functions", "calling", "a C function",
                    "call the function over each process's cells"},
    };
    static const struct words shared[] = {
        [QP_SHARE_HALVES] = {"textures that CUDA knows too", "shaders, and CUDA kernels",
                             "drawing, and launching", "a CUDA kernel",
                             "of its lower half; launch the kernel over the upper one"},
        [QP_SHARE_ALTERNATE] = {"textures that CUDA knows too", "shaders, and CUDA kernels",
                                "drawing, and launching", "a CUDA kernel",
                                "or, in every other step, launch the kernel over all cells"},
        [QP_SHARE_KEPT] = {"textures that CUDA knows too", "CUDA kernels", "launching",
                           "a CUDA kernel", "launch the kernel over all cells"},
    };
    const enum qp_sharing sharing = qp_sharing_of(tour->variant->recipe);
    if (sharing != QP_UNSHARED)
        return &shared[sharing < QP_SHARE_KEPT ? sharing : QP_SHARE_KEPT];
    return &words[tour->variant->backend];
}

static void print_problem(const struct tour *tour)
{
    const struct qp_problem *p = tour->problem;
    if (p->op->judge != NULL) { /* no step on a grid */
        fprintf(tour->out, "    %s: %s; %d x %d values of %s, row 0 at the %s:\n", p->kind,
                p->op->equation, p->width, p->height, p->op->field[0].name,
                tour->upright ? "top" : "bottom");
        tour_values(tour, p->width, p->height, p->field[0].values);
        return;
    }
    const struct qp_range *range = &qp_problem_kind_row(p)->range;
    if (range->what != NULL) {
        fprintf(tour->out,
                "    %s, parameter %d (%s), %d x %d cells; the start x, row 0 at the bottom:\n",
                p->kind, p->parameter, range->what, p->width, p->height);
        tour_values(tour, p->width, p->height, p->field[p->op->state].values);
        return;
    }
    fprintf(tour->out, "    %s: %s, %d x %d cells, w = %g, %s; the start x, row 0 at the bottom:\n",
            p->kind, p->op->equation, p->width, p->height, p->weight,
            p->wraps ? "entries wrap at row ends" : "no wrap entries");
    tour_values(tour, p->width, p->height, p->field[p->op->state].values);
}

/* One line on an array's layout. */
static void print_layout(const struct tour *tour, const char *name, const struct qp_layout *layout)
{
    fprintf(tour->out, "    %-14s %4d x %-4d %-13s domain %d x %d at (%d, %d), %d matri%s\n", name,
            layout->storage_x, layout->storage_y, qp_format_name(layout->shape.format),
            layout->domain_x * layout->stride, layout->domain_y, layout->origin_x, layout->origin_y,
            layout->slots, layout->slots > 1 ? "ces" : "x");
}

void tour_layouts(const struct tour *tour)
{
    print_layout(tour, tour_state_name(tour), &tour->plan->layout);
    for (int i = 0; i < tour->plan->inputs; i++)
        print_layout(tour, tour->variant->recipe->input[i].name, &tour->plan->input_layout[i]);
}

void tour_texels(const struct tour *tour)
{
    tour_storage(tour, &tour->plan->layout, tour->plan->texels);
}

void tour_pack(const struct tour *tour)
{
    tour_layouts(tour);
    fprintf(tour->out, "    %s with its padding; # is a guard, NaN:\n", tour_state_name(tour));
    tour_texels(tour);
}

void tour_state(const struct tour *tour)
{
    void *texels = malloc(qp_layout_bytes(&tour->plan->layout));
    if (texels != NULL && tour->plan->engine->read(tour->plan, true, texels) == QP_OK)
        tour_storage(tour, &tour->plan->layout, texels);
    free(texels);
}

/* True for rows of poisson5 that draw into the texture they read. */
static bool is_in_place(const struct tour *tour)
{
    return tour->variant->recipe->engine == &qp_engine_poisson5_in_place;
}

static bool is_chaotic(const struct tour *tour)
{
    return is_in_place(tour) &&
           qp_poisson5_row(tour->variant->recipe)->order == QP_POISSON5_CHAOTIC;
}

static void print_arrays(const struct tour *tour)
{
    const struct qp_plan_parts *parts = qp_parts_of(tour->plan);
    bool textures = tour->variant->backend == QP_GL;
    if (is_in_place(tour)) {
        fprintf(tour->out,
                "    arrays = textures: %d, one of %s, and one more for residuals; the first:\n",
                tour->plan->inputs, tour_state_name(tour));
        return;
    }
    fprintf(tour->out, "    arrays = %s: %d and two of %s%s%s%s", words_of(tour)->arrays,
            tour->plan->inputs, tour_state_name(tour), textures ? " (" : "",
            textures ? qp_pingpong_name(tour->plan->pingpong) : "", textures ? ")" : "");
    for (int k = 0; parts != NULL && k < parts->count; k++) {
        const struct qp_part_area *own = &parts->part[k].own, *all = &parts->part[k].all;
        fprintf(tour->out,
                "%s\n    part %d owns columns %d to %d of rows %d to %d, and computes %d x %d",
                k == 0 ? " for each part; beside its own cells it computes a halo:" : "", k + 1,
                own->x, own->x + own->width - 1, own->y, own->y + own->height - 1, all->width,
                all->height);
    }
    fprintf(tour->out, "%s the target of %s, nothing computed yet:\n",
            parts != NULL ? "\n   " : ";", tour_state_name(tour));
}

/* m, p and d of paper 5, section 5.1, for kernels that report them; for asynchronous rows the steps
 * of a launch. */
static void print_components(const struct tour *tour)
{
    const struct qp_launch_blocks blocks = qp_plan_blocks(tour->plan);
    const int alpha = tour->plan->problem->alpha;
    if (qp_recipe_alpha_rule(tour->variant->recipe) != NULL)
        fprintf(tour->out, "    alpha = %d: a launch takes %d steps of each block\n", alpha,
                alpha + 1);
    if (blocks.d > 0)
        fprintf(tour->out, "    m = %d blocks, of which each of p = %d %s holds d = %d at once\n",
                blocks.m, blocks.p,
                tour->variant->backend == QP_CPU ? "threads" : "multiprocessors", blocks.d);
    else if (blocks.m > 0)
        fprintf(tour->out, "    m = %d blocks\n", blocks.m);
}

/* Strips over the whole matrix, which draws of all rows cover. */
static void print_strips(const struct tour *tour)
{
    const struct qp_geometry all =
        qp_quad_strips((struct qp_geometry){.x1 = (float)tour->plan->layout.domain_x,
                                            .y1 = (float)tour->plan->layout.domain_y},
                       tour->plan->block);
    const int strips = qp_strips_count(&all);
    fprintf(tour->out,
            "    all rows are drawn in blocks, %d x %d texels each; strips: %d, vertices a column: "
            "%d\n",
            tour->plan->block, tour->plan->block, strips, strips * qp_strips_vertices(&all));
}

void tour_program(const struct tour *tour)
{
    const struct qp_recipe *recipe = tour->variant->recipe;
    const struct qp_launch_blocks blocks = qp_plan_blocks(tour->plan);
    tour_shaders(tour);
    if (tour->plan->group_x > 0)
        fprintf(tour->out, "    in groups of %d x %d%s\n", tour->plan->group_x, tour->plan->group_y,
                blocks.threads > 0 ? "" : ", the fastest of those that were tried");
    if (recipe->blocks != NULL && recipe->blocks->listed != NULL)
        fprintf(tour->out, "    in blocks of %d %s\n", tour->plan->block,
                recipe->blocks->counts != NULL ? recipe->blocks->counts : "rows of threads");
    else if (tour->plan->block > 0)
        print_strips(tour);
    if (blocks.d > 0 && tour->variant->backend == QP_CUDA)
        fprintf(tour->out,
                "    %d thread blocks; each of %d multiprocessors holds %d of them at a time\n",
                blocks.m, blocks.p, blocks.d);
    if (words_of(tour)->kernel != NULL)
        fprintf(tour->out, "    %s\n", words_of(tour)->kernel);
}

/* The draws of a row that takes one step a pass, or several. */
static void print_poisson5(const struct tour *tour)
{
    char line[160];
    for (int i = 0; i < qp_recipe_draws(tour->variant->recipe); i++) {
        qp_poisson5_tell_draw(tour->plan, i, line, sizeof line);
        fprintf(tour->out, "    draw %s\n", line);
    }
}

static void print_calls(const struct tour *tour)
{
    static const char *const covers[] = {"quad over the whole domain", "quad over the interior",
                                         "line over the left column", "line over the right column",
                                         "point for each cell of the grid"};
    const struct qp_recipe *recipe = tour->variant->recipe;
    const char *computes = qp_plan_blocks(tour->plan).m > 0 ? "one invocation a column of a block"
                                                            : "one invocation a texel";
    if (recipe->engine == &qp_engine_poisson5) {
        print_poisson5(tour);
        return;
    }
    for (int i = 0; i < qp_recipe_draws(recipe); i++)
        fprintf(tour->out, "    %s%s\n", recipe->draw[i].compute ? computes : "draw a ",
                recipe->draw[i].compute ? "" : covers[recipe->draw[i].cover]);
    if (words_of(tour)->call != NULL)
        fprintf(tour->out, "    %s\n", words_of(tour)->call);
}

void tour_comparison(const struct tour *tour)
{
    const struct qp_result *result = tour->result;
    if (qp_variant_is_bound(tour->variant))
        fputs("    a bound: nothing to compare with, but was every cell written?\n", tour->out);
    else if (tour->eliminates)
        fprintf(tour->out,
                "    |b - A x| / (||A|| ||x|| + ||b||) is %.2e at most, in %s %d; %.2e allowed\n",
                result->error, qp_problem_extent(tour->problem).batch > 0 ? "system" : "row",
                result->worst_y, result->tolerance);
    else if (!isfinite(result->error))
        fprintf(tour->out, "    the value at cell (%d, %d) is no number\n", result->worst_x,
                result->worst_y);
    else
        fprintf(
            tour->out, "    worst at cell (%d, %d): error %.2e of %.2e allowed after %d steps\n",
            result->worst_x, result->worst_y, result->error, result->tolerance, result->iterations);
}

/* Prints how parts exchange borders; for parts on CUDA also the way that the rows take. */
static void print_exchange(const struct tour *tour)
{
    static const char *const ways[QP_BORDERS] = {
        [QP_BORDERS_DEVICE] = ", on the device",
        [QP_BORDERS_PEERS] = ", from one device's memory to the other's",
        [QP_BORDERS_LOCKED] = ", through locked memory of the host"};
    const struct qp_parts_desc parts = tour->plan->engine->parts(tour->plan);
    const char *way = parts.devices > 0 ? ways[parts.borders] : NULL;
    fprintf(tour->out,
            "    in every part; after every %d of them neighbours give each other the rows of "
            "their borders%s\n",
            parts.depth, way != NULL ? way : "");
}

static void print_upload(const struct tour *tour)
{
    print_arrays(tour);
    tour_state(tour);
}

static void print_program(const struct tour *tour)
{
    fprintf(tour->out, "    kernels = %s:\n", words_of(tour)->kernels);
    tour_program(tour);
}

static void print_pass(const struct tour *tour)
{
    fprintf(tour->out, "    computing = %s:\n", words_of(tour)->computing);
    print_calls(tour);
    if (qp_parts_of(tour->plan) != NULL)
        print_exchange(tour);
    print_components(tour);
    fprintf(tour->out, "    the %s after it:\n", is_in_place(tour) ? "texture" : "target");
    tour_state(tour);
    if (is_chaotic(tour))
        tour_seen(tour);
}

static void print_swap(const struct tour *tour)
{
    if (is_in_place(tour)) {
        fputs("    none: the texture that was drawn is read again\n", tour->out);
        return;
    }
    fputs("    feedback = ping-pong: the target is the source now, and this the new target:\n",
          tour->out);
    tour_state(tour);
}

static void print_solution(const struct tour *tour)
{
    print_matrix(tour, &tour->result->solution);
}

static const struct tour_room grid_rooms[QP_ROOMS + 1] = {
    [QP_ROOM_PROBLEM] = {NULL, print_problem},
    [QP_ROOM_PACK] = {NULL, tour_pack},
    [QP_ROOM_UPLOAD] = {NULL, print_upload},
    [QP_ROOM_PROGRAM] = {NULL, print_program},
    [QP_ROOM_PASS] = {NULL, print_pass},
    [QP_ROOM_SWAP] = {NULL, print_swap},
    [QP_ROOM_READBACK] = {"    the source after the last step:\n", tour_texels},
    [QP_ROOM_UNPACK] = {"    guards and padding are intact; the cells go into a matrix:\n",
                        print_solution},
    [QP_ROOM_REFERENCE] = {"    the same steps in plain C, double inside:\n", print_reference},
    [QP_ROOM_COMPARE] = {NULL, tour_comparison},
};

void tour_print_room(struct tour *tour, const struct tour_room *own, enum qp_room room,
                     struct qp_plan *plan, double seconds)
{
    const bool none = own->words == NULL && own->print == NULL;
    const struct tour_room *printed = none ? &grid_rooms[room] : own;
    tour->plan = plan;
    fprintf(tour->out, "\nroom %d, %s (%.3f ms)\n", (int)room, qp_room_name(room), 1e3 * seconds);
    if (printed->words != NULL)
        fputs(printed->words, tour->out);
    if (printed->print != NULL)
        printed->print(tour);
}

void tour_grid(void *user, enum qp_room room, struct qp_plan *plan, double seconds)
{
    tour_print_room(user, &grid_rooms[room], room, plan, seconds);
}
