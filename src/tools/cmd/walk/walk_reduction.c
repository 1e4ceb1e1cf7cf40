/* SPDX-License-Identifier: MIT */
/* The tour of a reduction: many values become one. */
#include "toolkit/base/whole.h"
#include "tools/cmd/walk/walk.h"

#include <stdlib.h>

#include "lab/ops/reduce/reduce.h"
#include "lab/plan/plan.h"
#include "toolkit/gl/readback.h"

static void print_inputs(const struct trace *trace)
{
    const struct qp_problem *p = trace->plan->problem;
    const struct qp_recipe *recipe = trace->plan->variant->recipe;
    fprintf(trace->out, "    %s, of: %s; %d x %d values\n", p->kind, p->op->equation, p->width,
            p->height);
    for (int i = 0; i < qp_recipe_inputs_for(recipe, p); i++) {
        fprintf(trace->out, "    %s, row 0 at the %s:\n", recipe->input[i].name,
                trace->upright ? "top" : "bottom");
        walk_values(trace, p->width, p->height, p->field[recipe->input[i].field[0]].values,
                    QP_FLOATS);
    }
}

static void print_packed_inputs(const struct trace *trace)
{
    walk_layouts(trace);
    fputs("    x with its padding; # is a guard, NaN:\n", trace->out);
    walk_storage(trace, &trace->plan->input_layout[0], trace->plan->input_texels[0]);
}

static void print_upload(const struct trace *trace)
{
    fprintf(trace->out, "    arrays = textures: %d, and a pyramid of ever smaller ones\n",
            trace->plan->inputs);
}

/* The texels of one level that the latest way up has drawn. */
static void print_level(const struct trace *trace, int level, int width, int height)
{
    const struct qp_reducer *reducer = qp_reduce_pyramid(trace->plan);
    const struct qp_texture *texture = &reducer->texture[level];
    struct qp_surface surface = {reducer->framebuffer_id[level], GL_COLOR_ATTACHMENT0};
    int channels = qp_format_channels(texture->format);
    float *texels = malloc((size_t)(width * height * channels) * sizeof *texels);
    fprintf(trace->out, "    level %d, drawn as a quad over %d x %d texels of %s:\n", level, width,
            height, qp_format_name(texture->format));
    if (texels != NULL && qp_readback(trace->plan->context, surface, texture->format, 0, 0, width,
                                      height, texels) == QP_OK)
        walk_values(trace, width * channels, height, texels, QP_FLOATS);
    free(texels);
}

static void print_levels(const struct trace *trace)
{
    const struct qp_reducer *reducer = qp_reduce_pyramid(trace->plan);
    int fan = reducer->climb->fan, width = reducer->width, height = reducer->height;
    for (int level = 1; level <= reducer->top; level++) {
        width = qp_groups_in(width, fan);
        height = qp_groups_in(height, fan);
        print_level(trace, level, width, height);
    }
}

/* Levels take the place of a swap. Unpacking and judging are those of all variants. */
const struct trace_stage walk_reduction[QP_STAGES + 1] = {
    [QP_STAGE_PROBLEM] = {NULL, print_inputs},
    [QP_STAGE_PACK] = {NULL, print_packed_inputs},
    [QP_STAGE_UPLOAD] = {NULL, print_upload},
    [QP_STAGE_PROGRAM] = {"    kernels = shaders:\n", walk_program},
    [QP_STAGE_PASS] = {"    computing = drawing, level by level:\n", print_levels},
    [QP_STAGE_SWAP] = {"    nothing to swap: each level is read by the next\n", NULL},
    [QP_STAGE_READBACK] = {"    one texel comes back, and becomes the answer:\n", walk_texels},
};
