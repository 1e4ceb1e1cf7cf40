/* SPDX-License-Identifier: MIT */
/* Parts 1 and 2 of demo --all: the Jacobi papers' ladders on a heart and on a matrix of the
 * Harwell-Boeing collection. */
#include "tools/cmd/demo/demo.h"

#include <stdlib.h>

#include "lab/plan/half.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/progress.h"

/* Gains of each rung over the one that it builds on, by its paper. */
static const struct demo_rung rungs[] = {
    {"amorim_cpu", "0.76-0.97 GFLOP/s"},
    {"openmp", "-"},
    {"bands", "no figure"},
    {"inverse", "+100 MFLOP/s"},
    {"multipass", "+400 MFLOP/s"},
    {"vertex", "+300 MFLOP/s"},
    {"bands_systems", "x0.5 to x2"},
    {"inverse_systems", "-"},
    {"multipass_systems", "-"},
    {"vertex_systems", "x0.42 to x3.01"},
    {"rgba_2x2", "-"},
    {"symmetric", "-"},
    {"symmetric_conditionals", "x0.90"},
    {"luminance", "x12.84 to x39.72"},
    {"rgba", "x1.29 and x1.00"},
    {"luminance_notex", "-"},
    {"luminance_alwayscache", "-"},
    {"rgba_notex", "-"},
    {"rgba_alwayscache", "-"},
    {"luminance_half", "-"},
    {"rgba_half", "-"},
    {"compute", "-"},
    {"compute_abreast", "-"},
    {"rgba_abreast", "-"},
    {"rgba_tiles", "-"},
    {"rgba_stamps", "-"},
    {"rgba_targets", "-"},
    {"rgba_targets_notex", "-"},
    {0},
};

/* A variant of 16 bits gets there by refinement alone. */
static enum qp_status solve_row(struct demo *demo, const struct qp_variant *variant,
                                const double *b, int i)
{
    struct qp_solve_desc desc = {.variant = variant,
                                 .refine = qp_recipe_is_half(variant->recipe),
                                 .interrupt = &cmd_interrupted};
    if (variant->backend == QP_GL && demo->command->context == NULL)
        return QP_OK;
    enum qp_status status =
        qp_solve(demo->command->context, &demo->matrix, b, NULL, &desc, &demo->solved[i]);
    if (status == QP_UNSUPPORTED)
        return QP_OK;
    demo->failed[i] = status != QP_OK || demo->solved[i].ending != QP_CONVERGED;
    return status == QP_DEVICE || status == QP_BAD_INPUT ? QP_OK : status;
}

enum qp_status demo_solve(struct demo *demo, const struct qp_variant *const variants[], int count)
{
    const struct qp_solution *last = NULL;
    double *b = malloc((size_t)demo->matrix.rows * sizeof *b);
    enum qp_status status = QP_OK;
    if (b == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for a right-hand side");
    for (int i = 0; i < demo->matrix.rows; i++)
        b[i] = 1.0;
    for (int i = 0; i < count && status == QP_OK && !cmd_interrupted; i++) {
        progress_say("demo, solves of GR_30_30: variant %d of %d", i + 1, count);
        status = solve_row(demo, variants[i], b, i);
        last = demo->solved[i].x != NULL ? &demo->solved[i] : last;
    }
    progress_end();
    if (status == QP_OK && !cmd_interrupted && last != NULL)
        status = demo_draw(&demo->solution, last->width, last->height, last->x);
    free(b);
    return status;
}

enum qp_status demo_jacobi(struct demo *demo)
{
    const struct qp_variant *variants[MOST_VARIANTS];
    const int count = demo_variants("jacobi9", variants);
    struct demo_run run = {"jacobi9", "bidomain", 512, 100, 3, false, 0, 0};
    demo_begin(demo, &run);
    fprintf(demo->out,
            "1. A heart. The elliptic bidomain equation on %d x %d nodes, %d steps.\n"
            "   To converge Jacobi would need millions of steps here; every variant is compared\n"
            "   with the reference after the same steps instead.\n"
            "2. A matrix. GR_30_30 of the Harwell-Boeing collection, a nine-point star on 30 x 30 "
            "cells,\n"
            "   solved to a residual of 1e-5 by every variant.\n",
            run.width, run.height, run.steps);
    enum qp_status status = demo_bench(demo, &run, variants, count, &demo->heart);
    if (status == QP_OK && !cmd_interrupted)
        status = demo_solve(demo, variants, count);
    if ((status != QP_OK && !cmd_interrupted) || demo->command->count == 0)
        return status;
    demo_print_table(demo, 0, rungs, NULL, false);
    fputs("\nMcell: million updates a second. GFLOP: a second, by each paper's own count, so a "
          "variant may have\n"
          "fewer and yet be faster; vertex_systems beside vertex. Gains: ratios of updates a "
          "second, but in\n"
          "MFLOP/s where the paper of 2004 says so of its GeForce; those of 2008 are of a GeForce "
          "8600GT\n"
          "and 8800GT. Steps: to solve GR_30_30, * by refinement.\n",
          demo->out);
    demo_name_picture(demo, &demo->heart);
    demo_name_picture(demo, &demo->solution);
    return QP_OK;
}
