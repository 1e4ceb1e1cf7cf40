/* SPDX-License-Identifier: MIT */
/* Parts 3 to 5 of demo --all: the report of 2004 on Gauss-Jordan, its experiments in its order and
 * what it only proposed; many small systems, which it put off; and what becomes of a zero pivot. */
#include "tools/cmd/demo/demo.h"

#include <string.h>

/* Gains of each variant over the one that it builds on, by the report (x1 is as fast), or its
 * words. Where the report gives times, the range is that of its seven sizes. */
static const struct demo_rung rungs[] = {
    {"doublebuffered", "x0.96 to x1.04"},
    {"branched", "x1.23 to x1.29"},
    {"branched_notex", "x0.78 to x4.03"},
    {"branched_alwayscache", "x0.78 to x2.04"},
    {"factors", "no figure"},
    {"quads", "much slower"},
    {"quads_targets", "much slower"},
    {"blocks", "1000 % slower"},
    {"blocks_vbo", "much faster"},
    {"blocks_noop_notex", "-"},
    {"blocks_vbo_noop_notex", "-"},
    {"systems", "x0.8 to x1"},
    {"blend", "proposed"},
    {"blend_multiply", "proposed"},
    {"blend_half", "proposed"},
    {"blend_multiply_half", "proposed"},
    {"elimination", "proposed"},
    {"lu", "proposed"},
    {"blend_elimination", "-"},
    {"shrinking", "-"},
    {"pivoted", "-"},
    {"shrinking_pivoted", "-"},
    {"blend_shrinking", "-"},
    {"factors_pivoted", "-"},
    {"blend_pivoted", "-"},
    {"elimination_pivoted", "-"},
    {"blend_elimination_pivoted", "-"},
    {"lu_pivoted", "-"},
    {"blocked", "-"},
    {"passes", "put off"},
    {"planes", "-"},
    {"registers", "-"},
    {0},
};

/* ---- The report, variant by variant ---- */

/* All variants of an operation on one problem. */
static enum qp_status show_rows(struct demo *demo, const struct demo_run *run)
{
    const struct qp_variant *variants[MOST_VARIANTS];
    const int count = demo_variants(run->op, variants), first = demo->command->count;
    enum qp_status status = demo_bench(demo, run, variants, count, NULL);
    if (status == QP_OK)
        demo_print_table(demo, first, rungs, NULL, true);
    return status;
}

/* ---- Many small systems, and a zero pivot ---- */

static enum qp_status show_batch(struct demo *demo, int systems)
{
    const struct demo_run run = {"gauss_jordan_batch", "kinetics", 0, 1, 2, true, 12, systems};
    fprintf(demo->out,
            "\n4. What it put off: %d systems of 12 unknowns at once, from burning gas.\n",
            systems);
    return show_rows(demo, &run);
}

/* A matrix whose first pivot is zero: variants without pivoting must say so, the others must solve
 * it. */
static enum qp_status show_pivot(struct demo *demo, struct qp_problem *problem, const char *name,
                                 bool pivots)
{
    const struct qp_variant *variant = qp_variant_find(name);
    const struct qp_walk_desc desc = {.iterations = 1};
    struct qp_result result = {.verdict = QP_SKIP};
    enum qp_status status = QP_OK;
    if (variant == NULL)
        return QP_OK;
    snprintf(result.reason, sizeof result.reason, "%s", demo->command->why);
    if (variant->backend != QP_GL || demo->command->context != NULL)
        status = qp_walk(demo->command->context, variant, problem, &desc, &result);
    if (status != QP_OK)
        return status;
    bool named = strstr(result.reason, "the pivot of column 1 is 0") != NULL;
    bool good = pivots ? result.verdict == QP_PASS : result.verdict == QP_FAIL && named;
    demo_count(demo, variant, result.verdict == QP_SKIP ? QP_SKIP : good ? QP_PASS : QP_FAIL);
    fprintf(demo->out, "   %s: ", name);
    if (result.verdict == QP_PASS)
        fprintf(demo->out, "pass, error %.1e\n", result.error);
    else
        fprintf(demo->out, "%s: %s\n",
                good ? "refuses, as it should" : qp_verdict_name(result.verdict), result.reason);
    return QP_OK;
}

static enum qp_status show_pivots(struct demo *demo)
{
    static const struct {
        const char *name;
        bool pivots;
    } rows[] = {{"gauss_jordan/branched", false},
                {"gauss_jordan/pivoted", true},
                {"gauss_jordan/shrinking_pivoted", true},
                {"gauss_jordan/blocked", true}};
    struct qp_problem problem;
    fprintf(demo->out, "\n5. A zero where the first pivot should be.\n");
    enum qp_status status =
        cmd_problem(demo->options, "gauss_jordan", "dominant", 64, 64, 1, &problem);
    if (status != QP_OK)
        return status;
    qp_problem_field(&problem, "a")->values[0] = 0.0f;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == QP_OK; i++)
        status = show_pivot(demo, &problem, rows[i].name, rows[i].pivots);
    qp_problem_destroy(&problem);
    return status;
}

enum qp_status demo_gauss_jordan(struct demo *demo)
{
    struct demo_run run = {"gauss_jordan", "dominant", 192, 1, 2, true, 0, 0};
    demo_begin(demo, &run);
    fprintf(
        demo->out,
        "\n3. A report of late 2004: Gauss-Jordan elimination of %d unknowns, one column a step,\n"
        "   experiment by experiment in its order; then what it proposed, and what came of it.\n",
        run.width);
    enum qp_status status = show_rows(demo, &run);
    if (status == QP_OK && !cmd_interrupted)
        status = show_batch(demo, 10 * run.width);
    return status == QP_OK && !cmd_interrupted ? show_pivots(demo) : status;
}
