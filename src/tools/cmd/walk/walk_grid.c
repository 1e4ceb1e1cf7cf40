/* SPDX-License-Identifier: MIT */
/* The tour of steps on a grid, and functions that other tours share with it. */
#include <math.h>
#include <stdlib.h>

#include "lab/engines/parts/parts.h"
#include "lab/engines/shared.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "toolkit/gl/strips.h"
#include "tools/cmd/output/terminal.h"
#include "tools/cmd/walk/walk.h"

void walk_values(const struct trace *trace, int width, int height, const void *values,
                 enum qp_precision precision)
{
    trace_print(trace, &(struct trace_numbers){.values = values,
                                               .precision = precision,
                                               .width = width,
                                               .height = height,
                                               .apart = width,
                                               .columns = trace->upright ? 9 : 8,
                                               .lines = 8,
                                               .decimals = 3});
}

static void print_reference(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    if (p->reference == NULL) {
        fputs("    left out: it only sharpens the tolerance, and this is too large for it\n",
              trace->out);
        return;
    }
    fputs("    the same steps in plain C, double inside:\n", trace->out);
    walk_values(trace, p->answer_width, p->answer_height, p->reference, QP_DOUBLES);
}

const char *walk_state_name(const struct trace *trace)
{
    const struct qp_op *op = trace->plan->problem->op;
    return op->field[op->state].name;
}

void walk_storage(const struct trace *trace, const struct qp_layout *layout, const void *texels)
{
    enum { MOST_FLOATS = 64, MOST_LINES = 64, CELL = 8 };
    const int room = (terminal_columns(trace->out) - CELL) / CELL; /* 0 columns: no terminal */
    const int most = room > 0 && room < MOST_FLOATS ? room : MOST_FLOATS;
    const int floats = layout->storage_x * layout->channels;
    const int first = layout->shape.flat ? layout->origin_x - layout->pad_x - 1 : 0;
    if (layout->storage_y > MOST_LINES)
        fprintf(trace->out, "    ... %d lines left out\n", layout->storage_y - MOST_LINES);
    trace_print(trace, &(struct trace_numbers){
                           .values = qp_value_at(texels, layout->precision, (size_t)first),
                           .precision = layout->precision,
                           .width = floats - first,
                           .height = layout->storage_y,
                           .apart = floats,
                           .columns = most,
                           .lines = MOST_LINES,
                           .decimals = 3});
}

/* Words for arrays, kernels and computing on a device. */
struct words {
    const char *arrays, *kernels, *computing, *kernel, *call;
};

static const struct words *words_of(const struct trace *trace)
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
    const enum qp_sharing sharing = qp_sharing_of(trace->plan->variant->recipe);
    if (sharing != QP_UNSHARED)
        return &shared[sharing < QP_SHARE_KEPT ? sharing : QP_SHARE_KEPT];
    return &words[trace->plan->variant->backend];
}

static void print_problem(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    const bool on_grid = p->op->judge == NULL;
    const char *counts = on_grid ? qp_problem_kind_row(p)->range.what : NULL;
    if (!on_grid)
        fprintf(trace->out, "    %s: %s; %d x %d values of %s, row 0 at the %s:\n", p->kind,
                p->op->equation, p->width, p->height, p->op->field[0].name,
                trace->upright ? "top" : "bottom");
    else if (counts != NULL)
        fprintf(trace->out,
                "    %s, parameter %d (%s), %d x %d cells; the start x, row 0 at the bottom:\n",
                p->kind, p->parameter, counts, p->width, p->height);
    else
        fprintf(trace->out,
                "    %s: %s, %d x %d cells, w = %g, %s; the start x, row 0 at the bottom:\n",
                p->kind, p->op->equation, p->width, p->height, p->weight,
                p->wraps ? "entries wrap at row ends" : "no wrap entries");
    walk_values(trace, p->width, p->height, p->field[on_grid ? p->op->state : 0].values, QP_FLOATS);
}

/* Prints a line on an array's layout. */
static void print_layout(const struct trace *trace, const char *name,
                         const struct qp_layout *layout)
{
    fprintf(trace->out, "    %-14s %4d x %-4d %-13s domain %d x %d at (%d, %d), %d matri%s\n", name,
            layout->storage_x, layout->storage_y, qp_format_name(layout->shape.format),
            layout->domain_x * layout->stride, layout->domain_y, layout->origin_x, layout->origin_y,
            layout->slots, layout->slots > 1 ? "ces" : "x");
}

void walk_layouts(const struct trace *trace)
{
    print_layout(trace, walk_state_name(trace), &trace->plan->layout);
    for (int i = 0; i < trace->plan->inputs; i++)
        print_layout(trace, trace->plan->variant->recipe->input[i].name,
                     &trace->plan->input_layout[i]);
}

void walk_texels(const struct trace *trace)
{
    walk_storage(trace, &trace->plan->layout, trace->plan->texels);
}

static void print_pack(const struct trace *trace)
{
    walk_layouts(trace);
    fprintf(trace->out, "    %s with its padding; # is a guard, NaN:\n", walk_state_name(trace));
    walk_texels(trace);
}

void walk_state(const struct trace *trace)
{
    void *texels;
    if (trace_texels(trace->plan, true, &texels) == QP_OK)
        walk_storage(trace, &trace->plan->layout, texels);
    free(texels);
}

/* True for variants of poisson5 that draw into the texture they read. */
static bool is_in_place(const struct trace *trace)
{
    return trace->plan->variant->recipe->engine == &qp_engine_poisson5_in_place;
}

static bool is_chaotic(const struct trace *trace)
{
    return is_in_place(trace) &&
           qp_poisson5_variant(trace->plan->variant->recipe)->order == QP_POISSON5_CHAOTIC;
}

static void print_arrays(const struct trace *trace)
{
    const struct qp_plan_parts *parts = qp_parts_of(trace->plan);
    bool textures = trace->plan->variant->backend == QP_GL;
    if (is_in_place(trace)) {
        fprintf(trace->out,
                "    arrays = textures: %d, one of %s, and one more for residuals; the first:\n",
                trace->plan->inputs, walk_state_name(trace));
        return;
    }
    fprintf(trace->out, "    arrays = %s: %d and two of %s%s%s%s", words_of(trace)->arrays,
            trace->plan->inputs, walk_state_name(trace), textures ? " (" : "",
            textures ? qp_pingpong_name(trace->plan->pingpong) : "", textures ? ")" : "");
    for (int k = 0; parts != NULL && k < parts->count; k++) {
        const struct qp_part_area *own = &parts->part[k].own, *all = &parts->part[k].all;
        fprintf(trace->out,
                "%s\n    part %d owns columns %d to %d of rows %d to %d, and computes %d x %d",
                k == 0 ? " for each part; beside its own cells it computes a halo:" : "", k + 1,
                own->x, own->x + own->width - 1, own->y, own->y + own->height - 1, all->width,
                all->height);
    }
    fprintf(trace->out, "%s the target of %s, nothing computed yet:\n",
            parts != NULL ? "\n   " : ";", walk_state_name(trace));
}

/* m, p and d of paper 5, section 5.1, for kernels that report them; for asynchronous variants the
 * steps of a launch. */
static void print_components(const struct trace *trace)
{
    const struct qp_launch_blocks blocks = qp_plan_blocks(trace->plan);
    const int alpha = trace->plan->problem->alpha;
    if (qp_recipe_alpha_rule(trace->plan->variant->recipe) != NULL)
        fprintf(trace->out, "    alpha = %d: a launch takes %d steps of each block\n", alpha,
                alpha + 1);
    if (blocks.d > 0)
        fprintf(trace->out, "    m = %d blocks, of which each of p = %d %s holds d = %d at once\n",
                blocks.m, blocks.p,
                trace->plan->variant->backend == QP_CPU ? "threads" : "multiprocessors", blocks.d);
    else if (blocks.m > 0)
        fprintf(trace->out, "    m = %d blocks\n", blocks.m);
}

/* Strips over the whole matrix, which draws of all rows cover. */
static void print_strips(const struct trace *trace)
{
    const struct qp_geometry all =
        qp_quad_strips((struct qp_geometry){.x1 = (float)trace->plan->layout.domain_x,
                                            .y1 = (float)trace->plan->layout.domain_y},
                       trace->plan->block);
    const int strips = qp_strips_count(&all);
    fprintf(trace->out,
            "    all rows are drawn in blocks, %d x %d texels each; strips: %d, vertices a column: "
            "%d\n",
            trace->plan->block, trace->plan->block, strips, strips * qp_strips_vertices(&all));
}

void walk_program(const struct trace *trace)
{
    const struct qp_recipe *recipe = trace->plan->variant->recipe;
    const struct qp_launch_blocks blocks = qp_plan_blocks(trace->plan);
    walk_shaders(trace);
    if (trace->plan->group_x > 0)
        fprintf(trace->out, "    in groups of %d x %d%s\n", trace->plan->group_x,
                trace->plan->group_y,
                blocks.threads > 0 ? "" : ", the fastest of those that were tried");
    if (recipe->blocks != NULL && recipe->blocks->listed != NULL)
        fprintf(trace->out, "    in blocks of %d %s\n", trace->plan->block,
                recipe->blocks->counts != NULL ? recipe->blocks->counts : "rows of threads");
    else if (trace->plan->block > 0)
        print_strips(trace);
    if (blocks.d > 0 && trace->plan->variant->backend == QP_CUDA)
        fprintf(trace->out,
                "    %d thread blocks; each of %d multiprocessors holds %d of them at a time\n",
                blocks.m, blocks.p, blocks.d);
    if (words_of(trace)->kernel != NULL)
        fprintf(trace->out, "    %s\n", words_of(trace)->kernel);
}

/* The draws of a variant that takes one step a pass, or several. */
static void print_poisson5(const struct trace *trace)
{
    char line[160];
    for (int i = 0; i < qp_recipe_draws(trace->plan->variant->recipe); i++) {
        qp_poisson5_tell_draw(trace->plan, i, line, sizeof line);
        fprintf(trace->out, "    draw %s\n", line);
    }
}

static void print_calls(const struct trace *trace)
{
    static const char *const covers[] = {"quad over the whole domain", "quad over the interior",
                                         "line over the left column", "line over the right column",
                                         "point for each cell of the grid"};
    const struct qp_recipe *recipe = trace->plan->variant->recipe;
    const char *computes = qp_plan_blocks(trace->plan).m > 0 ? "one invocation a column of a block"
                                                             : "one invocation a texel";
    if (recipe->engine == &qp_engine_poisson5) {
        print_poisson5(trace);
        return;
    }
    for (int i = 0; i < qp_recipe_draws(recipe); i++)
        fprintf(trace->out, "    %s%s\n", recipe->draw[i].compute ? computes : "draw a ",
                recipe->draw[i].compute ? "" : covers[recipe->draw[i].cover]);
    if (words_of(trace)->call != NULL)
        fprintf(trace->out, "    %s\n", words_of(trace)->call);
}

/* Prints the error, its worst place, and the tolerance. */
static void print_comparison(const struct trace *trace)
{
    const struct qp_result *result = trace->result;
    if (qp_variant_is_bound(trace->plan->variant))
        fputs("    a bound: nothing to compare with, but was every cell written?\n", trace->out);
    else if (walk_eliminates(trace->plan->problem->op))
        fprintf(trace->out,
                "    |b - A x| / (||A|| ||x|| + ||b||) is %.2e at most, in %s %d; %.2e allowed\n",
                result->error, qp_problem_extent(trace->plan->problem).batch > 0 ? "system" : "row",
                result->worst_y, result->tolerance);
    else if (!isfinite(result->error))
        fprintf(trace->out, "    the value at cell (%d, %d) is no number\n", result->worst_x,
                result->worst_y);
    else
        fprintf(
            trace->out, "    worst at cell (%d, %d): error %.2e of %.2e allowed after %d steps\n",
            result->worst_x, result->worst_y, result->error, result->tolerance, result->iterations);
}

/* Prints how parts exchange borders; for parts on CUDA also the way that the rows take. */
static void print_exchange(const struct trace *trace)
{
    static const char *const ways[QP_BORDERS] = {
        [QP_BORDERS_DEVICE] = ", on the device",
        [QP_BORDERS_PEERS] = ", from one device's memory to the other's",
        [QP_BORDERS_LOCKED] = ", through locked memory of the host"};
    const struct qp_parts_desc parts = trace->plan->engine->parts(trace->plan);
    const char *way = parts.devices > 0 ? ways[parts.borders] : NULL;
    fprintf(trace->out,
            "    in every part; after every %d of them neighbours give each other the rows of "
            "their borders%s\n",
            parts.depth, way != NULL ? way : "");
}

static void print_upload(const struct trace *trace)
{
    print_arrays(trace);
    walk_state(trace);
}

static void print_program(const struct trace *trace)
{
    fprintf(trace->out, "    kernels = %s:\n", words_of(trace)->kernels);
    walk_program(trace);
}

static void print_pass(const struct trace *trace)
{
    fprintf(trace->out, "    computing = %s:\n", words_of(trace)->computing);
    print_calls(trace);
    if (qp_parts_of(trace->plan) != NULL)
        print_exchange(trace);
    print_components(trace);
    fprintf(trace->out, "    the %s after it:\n", is_in_place(trace) ? "texture" : "target");
    walk_state(trace);
    if (is_chaotic(trace))
        walk_seen(trace);
}

static void print_swap(const struct trace *trace)
{
    if (is_in_place(trace)) {
        fputs("    none: the texture that was drawn is read again\n", trace->out);
        return;
    }
    fputs("    feedback = ping-pong: the target is the source now, and this the new target:\n",
          trace->out);
    walk_state(trace);
}

static void print_solution(const struct trace *trace)
{
    const struct qp_matrix *x = &trace->result->solution;
    walk_values(trace, x->width, x->height, qp_matrix_values(x), x->precision);
}

const struct trace_stage walk_grid[QP_STAGES + 1] = {
    [QP_STAGE_PROBLEM] = {NULL, print_problem},
    [QP_STAGE_PACK] = {NULL, print_pack},
    [QP_STAGE_UPLOAD] = {NULL, print_upload},
    [QP_STAGE_PROGRAM] = {NULL, print_program},
    [QP_STAGE_PASS] = {NULL, print_pass},
    [QP_STAGE_SWAP] = {NULL, print_swap},
    [QP_STAGE_READBACK] = {"    the source after the last step:\n", walk_texels},
    [QP_STAGE_UNPACK] = {"    guards and padding are intact; the cells go into a matrix:\n",
                         print_solution},
    [QP_STAGE_REFERENCE] = {NULL, print_reference},
    [QP_STAGE_COMPARE] = {NULL, print_comparison},
};
