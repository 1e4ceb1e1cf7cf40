/* SPDX-License-Identifier: MIT */
/* The demo's first two parts: the Jacobi papers' ladders on a heart and on a matrix of the
 * Harwell-Boeing collection. */
#include "cmd/demo/demo.h"

#include <stdlib.h>

#include "base/status.h"
#include "cmd/output/progress.h"
#include "plan/half.h"

enum { CELLS = 512, STEPS = 100, REPEATS = 3 };

/* The rung that each rung builds on, and the gain by its paper. */
static const struct demo_rung rungs[] = {
    {"amorim_cpu", "bands_cpu", "0.76-0.97 GFLOP/s"},
    {"openmp", "amorim_cpu", "-"},
    {"bands", "generic", "no figure"},
    {"inverse", "bands", "+100 MFLOP/s"},
    {"multipass", "inverse", "+400 MFLOP/s"},
    {"vertex", "multipass", "+300 MFLOP/s"},
    {"bands_systems", "bands", "x0.5 to x2"},
    {"inverse_systems", "bands_systems", "-"},
    {"multipass_systems", "inverse_systems", "-"},
    {"vertex_systems", "vertex", "x0.42 to x3.01"},
    {"rgba_2x2", "vertex", "-"},
    {"symmetric", "luminance", "-"},
    {"symmetric_conditionals", "luminance", "x0.90"},
    {"luminance", "amorim_cpu", "x12.84 to x39.72"},
    {"rgba", "luminance", "x1.29 and x1.00"},
    {"luminance_notex", "luminance", "-"},
    {"luminance_alwayscache", "luminance", "-"},
    {"rgba_notex", "rgba", "-"},
    {"rgba_alwayscache", "rgba", "-"},
    {"luminance_half", "luminance", "-"},
    {"rgba_half", "rgba", "-"},
    {"compute", "rgba", "-"},
    {"compute_abreast", "compute", "-"},
    {"rgba_abreast", "rgba", "-"},
    {"rgba_tiles", "rgba_abreast", "-"},
    {"rgba_stamps", "rgba_abreast", "-"},
    {"rgba_targets", "rgba", "-"},
    {"rgba_targets_notex", "rgba_targets", "-"},
    {0},
};

struct show {
    struct demo *demo;
    const struct qp_variant *rows[MOST_ROWS];
    struct qp_record *records;            /* the heart */
    struct qp_solution solved[MOST_ROWS]; /* gr_30_30 */
    bool failed[MOST_ROWS];
    int count;
};

/* ---- The heart ---- */

static enum qp_status run_heart(struct show *show)
{
    const struct options *options = show->demo->options;
    int width = options->width > 0 ? options->width : CELLS;
    int height = options->width > 0 ? options->height : CELLS;
    int steps = options->iterations_given ? options->iterations : STEPS;
    struct cmd_problems problems;
    enum qp_status status = cmd_problems_create(options, "bidomain", width, height, true,
                                                show->rows, show->count, &problems);
    if (status != QP_OK)
        return status;
    fprintf(
        show->demo->out,
        "1. A heart. The elliptic bidomain equation on %d x %d nodes, %d steps with weight %.3f.\n"
        "   To converge Jacobi would need millions of steps here; every row is compared with the\n"
        "   reference after the same steps instead.\n",
        width, height, steps, problems.one.weight);
    struct qp_bench_desc desc = {.iterations = steps,
                                 .repeats = REPEATS,
                                 .no_device = show->demo->why,
                                 .interrupt = &cmd_interrupted};
    progress_say("demo: every row on the heart");
    status =
        qp_bench(show->demo->context, show->rows, problems.of, show->count, &desc, show->records);
    progress_end();
    if (status == QP_OK && problems.one.reference != NULL)
        status = demo_keep_picture(&show->demo->heart, width, height, problems.one.reference);
    cmd_problems_destroy(&problems);
    return status;
}

/* ---- The Harwell-Boeing matrix ---- */

/* A row of 16 bits gets there by refinement alone. */
static enum qp_status solve_row(struct show *show, int row, const struct qp_market *matrix,
                                const double *b)
{
    struct qp_solve_desc desc = {.variant = show->rows[row],
                                 .refine = qp_recipe_is_half(show->rows[row]->recipe),
                                 .interrupt = &cmd_interrupted};
    if (show->rows[row]->backend == QP_GL && show->demo->context == NULL)
        return QP_OK;
    enum qp_status status =
        qp_solve(show->demo->context, matrix, b, NULL, &desc, &show->solved[row]);
    if (status == QP_UNSUPPORTED)
        return QP_OK;
    show->failed[row] = status != QP_OK || show->solved[row].ending != QP_CONVERGED;
    return status == QP_DEVICE || status == QP_BAD_INPUT ? QP_OK : status;
}

static enum qp_status run_harwell_boeing(struct show *show)
{
    const struct qp_market *matrix = &show->demo->matrix;
    double *b = malloc((size_t)matrix->rows * sizeof *b);
    enum qp_status status = QP_OK;
    fputs("2. A matrix. GR_30_30 of the Harwell-Boeing collection, a nine-point star on 30 x 30 "
          "cells,\n"
          "   solved to a residual of 1e-5 by every row.\n",
          show->demo->out);
    if (b == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for a right-hand side");
    for (int i = 0; i < matrix->rows; i++)
        b[i] = 1.0;
    progress_say("demo: every row solves GR_30_30");
    for (int i = 0; i < show->count && status == QP_OK && !cmd_interrupted; i++)
        status = solve_row(show, i, matrix, b);
    progress_end();
    const struct qp_solution *last = &show->solved[show->count - 1];
    for (int i = 0; i < show->count && last->x == NULL; i++)
        last = &show->solved[i];
    if (status == QP_OK && last->x != NULL)
        status = demo_keep_picture(&show->demo->solution, last->width, last->height, last->x);
    free(b);
    return status;
}

/* ---- The table ---- */

static void print_row(const struct show *show, int row)
{
    const struct qp_record *record = &show->records[row];
    const struct qp_solution *solved = &show->solved[row];
    FILE *out = show->demo->out;
    char gain[DEMO_GAIN];
    const char *paper = demo_gain(rungs, record, show->records, show->count, gain);
    if (!demo_begin_line(out, record, 22))
        return;
    fprintf(out, " %6.0f %6.2f %-24s %-17s", 1e3 * record->glups, record->gflops, gain, paper);
    if (solved->x == NULL)
        fputs("     -\n", out);
    else
        fprintf(out, " %5d%s%s\n", solved->steps,
                qp_recipe_is_half(record->variant->recipe) ? "*" : "",
                show->failed[row] ? " FAILED" : "");
}

static void print_table(const struct show *show, struct demo *demo)
{
    fprintf(demo->out, "\n%-22s %-5s %7s %6s %6s %-24s %-17s %5s\n", "jacobi9/", "", "error",
            "Mcell", "GFLOP", "gain on a rung below", "the paper's gain", "steps");
    for (int i = 0; i < show->count; i++) {
        demo_count(demo, show->rows[i], show->failed[i] ? QP_FAIL : show->records[i].verdict);
        print_row(show, i);
    }
    fputs("\nMcell: million updates a second. GFLOP: a second, by each paper's own count, so a row "
          "may have\n"
          "fewer and yet be faster; vertex_systems beside vertex. Gains: ratios of updates a "
          "second, but in MFLOP/s where the "
          "paper of 2004\n"
          "tells so of its GeForce; those of 2008 are of a GeForce 8600GT and 8800GT. Steps: to "
          "solve\n"
          "GR_30_30, * by refinement.\n\n",
          demo->out);
}

enum qp_status demo_jacobi(struct demo *demo)
{
    struct show *show = calloc(1, sizeof *show);
    if (show == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the demonstration");
    show->demo = demo;
    show->records = demo->records + demo->count;
    show->count = demo_rows("jacobi9", show->rows);
    enum qp_status status = run_heart(show);
    if (status == QP_OK && !cmd_interrupted)
        status = run_harwell_boeing(show);
    if (status == QP_OK && !cmd_interrupted)
        print_table(show, demo);
    demo->count += show->count;
    for (int i = 0; i < show->count; i++)
        qp_solution_destroy(&show->solved[i]);
    free(show);
    return status;
}
