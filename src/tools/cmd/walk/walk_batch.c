/* SPDX-License-Identifier: MIT */
/* The tour of a batch: many systems at once. */
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "lab/plan/plan.h"
#include "tools/cmd/walk/walk.h"

static void print_systems(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    fprintf(trace->out, "    %s: %s\n    %d systems of %d unknowns, [A | b] of the first ones:\n",
            p->kind, p->op->equation, qp_batch_count(p), qp_batch_unknowns(p));
    walk_values(trace, p->width, p->height, p->field[QP_BATCH_AUGMENTED].values, QP_FLOATS);
}

static void print_packed(const struct trace *trace)
{
    walk_layouts(trace);
    fputs("    all systems; # is a guard, NaN:\n", trace->out);
    walk_storage(trace, &trace->plan->input_layout[0], trace->plan->input_texels[0]);
}

static void print_upload(const struct trace *trace)
{
    fprintf(trace->out, "    arrays = textures: %d of systems, one a tile, and %d of x\n",
            trace->plan->input_layout[0].batch.tiles, trace->plan->layout.sheets);
}

static void print_draws(const struct trace *trace)
{
    if (qp_recipe_draws(trace->plan->variant->recipe) == 1)
        fputs("    one quad a tile: each of its fragments solves a system\n", trace->out);
    else if (trace->plan->variant->recipe->not_kinds != 0)
        fputs("    a quad copies all systems; for every column row k of all of them is divided "
              "into the\n"
              "    target and copied back to the source, and a quad subtracts it from all other "
              "rows;\n"
              "    after the last column a quad takes the unknowns out\n",
              trace->out);
    else
        fputs("    for every column a quad that finds the pivots of all systems, and one that\n"
              "    eliminates; after the last column a quad that takes the unknowns out\n",
              trace->out);
}

/* From readback on a batch is like any other problem. */
const struct trace_stage walk_batch[QP_STAGES + 1] = {
    [QP_STAGE_PROBLEM] = {NULL, print_systems},
    [QP_STAGE_PACK] = {NULL, print_packed},
    [QP_STAGE_UPLOAD] = {NULL, print_upload},
    [QP_STAGE_PASS] = {"    computing = drawing:\n", print_draws},
    [QP_STAGE_SWAP] = {"    nothing to swap: every pass solves the systems anew\n", NULL},
};
