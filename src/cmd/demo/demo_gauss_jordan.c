/* SPDX-License-Identifier: MIT */
/* The demo's other parts: the report of 2004 on Gauss-Jordan, its experiments in its order and what it
 * only proposed; many small systems, which it put off; and what becomes of a zero pivot. */
#include "cmd/demo/demo.h"

#include <math.h>
#include <string.h>

#include "cmd/output/progress.h"

enum { UNKNOWNS = 192, REPEATS = 2 };

/* The row that each row builds on, and the report's gain over it (x1 is as fast), or its words. Where the report
 * gives times, the range is that of its seven sizes. */
static const struct demo_rung rungs[] = {
    {"doublebuffered", "basic", "x0.96 to x1.04"},
    {"branched", "doublebuffered", "x1.23 to x1.29"},
    {"branched_notex", "branched", "x0.78 to x4.03"},
    {"branched_alwayscache", "branched", "x0.78 to x2.04"},
    {"factors", "basic", "no figure"},
    {"quads", "branched", "much slower"},
    {"quads_targets", "quads", "much slower"},
    {"blocks", "branched", "1000 % slower"},
    {"blocks_vbo", "blocks", "much faster"},
    {"blocks_noop_notex", "blocks", "-"},
    {"blocks_vbo_noop_notex", "blocks_vbo", "-"},
    {"systems", "branched", "x0.8 to x1"},
    {"blend", "branched", "proposed"},
    {"blend_multiply", "blend", "proposed"},
    {"blend_half", "blend", "proposed"},
    {"blend_multiply_half", "blend_multiply", "proposed"},
    {"elimination", "branched", "proposed"},
    {"lu", "elimination", "proposed"},
    {"blend_elimination", "elimination", "-"},
    {"shrinking", "branched", "-"},
    {"pivoted", "branched", "-"},
    {"shrinking_pivoted", "shrinking", "-"},
    {"blend_shrinking", "blend", "-"},
    {"factors_pivoted", "factors", "-"},
    {"blend_pivoted", "blend", "-"},
    {"elimination_pivoted", "elimination", "-"},
    {"blend_elimination_pivoted", "blend_elimination", "-"},
    {"lu_pivoted", "lu", "-"},
    {"blocked", "lu_pivoted", "-"},
    {"passes", "openmp", "put off"},
    {"planes", "passes", "-"},
    {"registers", "openmp", "-"},
    {0},
};

/* ---- The report, row by row ---- */

static void print_row(FILE *out, const struct qp_record *record, const struct qp_record *records,
                      int count)
{
    char gain[DEMO_GAIN];
    const char *paper = demo_gain(rungs, record, records, count, gain);
    if (demo_begin_line(out, record, 25))
        fprintf(out, " %8.2f %7.1f  %-26s %s\n", 1e3 * record->seconds / record->iterations,
                1e3 * record->glups, gain, paper);
}

/* The fastest on OpenGL for one system; NULL if there is none. */
static const struct qp_record *fastest(const struct qp_record *records, int count)
{
    const struct qp_record *best = NULL;
    for (int i = 0; i < count; i++) {
        if (records[i].variant->backend == QP_GL && records[i].verdict == QP_PASS &&
            records[i].systems == 1 && (best == NULL || records[i].glups > best->glups))
            best = &records[i];
    }
    return best;
}

static void print_best(FILE *out, const struct qp_record *records, int count)
{
    const struct qp_record *best = fastest(records, count);
    const struct qp_record *branched = demo_find(records, count, "branched");
    if (best != NULL && branched != NULL && !isnan(branched->glups))
        fprintf(out, "The report's best is branched; %s is x%.2f of it.\n", demo_name(best),
                best->glups / branched->glups);
}

/* All rows of an operation on one problem; prints them and adds them to the demo. */
static enum qp_status show_rows(struct demo *demo, const char *op, const char *kind, int width,
                                int height)
{
    const struct qp_variant *rows[MOST_ROWS];
    const int count = demo_rows(op, rows);
    struct qp_record *records = demo->records + demo->count;
    struct cmd_problems problems;
    enum qp_status status =
        cmd_problems_create(demo->options, kind, width, height, true, rows, count, &problems);
    if (status != QP_OK)
        return status;
    const struct qp_bench_desc desc = {
        .iterations = 1, .repeats = REPEATS, .no_device = demo->why, .interrupt = &cmd_interrupted};
    progress_say("demo: every row of %s", op);
    status = qp_bench(demo->context, rows, problems.of, count, &desc, records);
    progress_end();
    cmd_problems_destroy(&problems);
    if (status != QP_OK)
        return status;
    demo->count += count;
    fprintf(demo->out, "\n%-25s %-5s %7s %8s %7s  %-26s %s\n", op, "", "error", "ms", "Mcell/s",
            "speed here", "the report's");
    for (int i = 0; i < count; i++) {
        demo_count(demo, rows[i], records[i].verdict);
        print_row(demo->out, &records[i], records, count);
    }
    print_best(demo->out, records, count);
    return QP_OK;
}

/* ---- Many small systems, and a zero pivot ---- */

static enum qp_status show_batch(struct demo *demo, int systems)
{
    const struct qp_variant *rows[MOST_ROWS];
    if (demo_rows("gauss_jordan_batch", rows) == 0)
        return QP_OK;
    fprintf(demo->out,
            "\n4. What it put off: %d systems of 12 unknowns at once, from burning gas.\n",
            systems);
    return show_rows(demo, "gauss_jordan_batch", "kinetics", 12, systems);
}

/* A matrix whose first pivot is zero: rows without pivoting must say so, the others must solve it. */
static enum qp_status show_pivot(struct demo *demo, struct qp_problem *problem, const char *name,
                                 bool pivots)
{
    const struct qp_variant *row = qp_variant_find(name);
    const struct qp_walk_desc desc = {.iterations = 1};
    struct qp_result result = {.verdict = QP_SKIP};
    enum qp_status status = QP_OK;
    if (row == NULL)
        return QP_OK;
    snprintf(result.reason, sizeof result.reason, "%s", demo->why);
    if (row->backend != QP_GL || demo->context != NULL)
        status = qp_walk(demo->context, row, problem, &desc, &result);
    if (status != QP_OK)
        return status;
    bool named = strstr(result.reason, "the pivot of column 1 is 0") != NULL;
    bool good = pivots ? result.verdict == QP_PASS : result.verdict == QP_FAIL && named;
    demo_count(demo, row, result.verdict == QP_SKIP ? QP_SKIP : good ? QP_PASS : QP_FAIL);
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
    const struct options *options = demo->options;
    int least = options->width < options->height ? options->width : options->height;
    int size = least > 0 && least < UNKNOWNS ? least : UNKNOWNS;
    fprintf(
        demo->out,
        "3. A report of late 2004: Gauss-Jordan elimination of %d unknowns, one column a step,\n"
        "   experiment by experiment in its order; then what it proposed, and what came of it.\n",
        size);
    enum qp_status status = show_rows(demo, "gauss_jordan", "dominant", size, size);
    if (status == QP_OK && !cmd_interrupted)
        status = show_batch(demo, 10 * size);
    return status == QP_OK && !cmd_interrupted ? show_pivots(demo) : status;
}
