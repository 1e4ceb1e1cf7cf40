/* SPDX-License-Identifier: MIT */
/* Steps that all parts of the demonstration share: run variants, draw a picture, print a table. */
#include <math.h>
#include <string.h>

#include "lab/plan/half.h"
#include "lab/plan/op.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/demo/demo.h"
#include "tools/cmd/output/figures.h"
#include "tools/cmd/output/picture.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/output/terminal.h"

/* ---- Runs ---- */

void demo_begin(const struct demo *demo, struct demo_run *run)
{
    const struct options *o = demo->options;
    run->width = o->width > 0 ? o->width : run->size;
    run->height = o->width > 0 ? o->height : run->size;
    if (run->square)
        run->width = run->height = qp_least(qp_least(run->width, run->height), run->size);
    else if (o->iterations > 0)
        run->steps = o->iterations;
}

/* Launches of a variant that make about this many steps: a launch of an asynchronous variant takes
 * alpha + 1, of others one. */
static int launches_of(const struct qp_variant *variant, int steps)
{
    return qp_most(steps / (qp_recipe_alpha(variant->recipe, 0) + 1), 1);
}

/* Benchmarks neighbours of equal launches together, so that all variants do equal work. */
static enum qp_status bench_variants(struct demo *demo, const struct demo_run *run,
                                     const struct qp_variant *const variants[],
                                     struct qp_problem *const problems[], int count)
{
    char what[64];
    struct qp_bench_desc desc = {
        .repeats = run->repeats, .on_walk = command_show_walk, .user = what};
    enum qp_status status = QP_OK;
    snprintf(what, sizeof what, "demo, variants of %s", run->op);
    command_show_walk(what, 0, run->repeats * count);
    for (int i = 0, end = 0; i < count && status == QP_OK && !cmd_interrupted; i = end) {
        desc.iterations = launches_of(variants[i], run->steps);
        while (end < count && launches_of(variants[end], run->steps) == desc.iterations)
            end++;
        status = command_bench(demo->command, variants + i, problems + i, end - i, &desc);
    }
    progress_end();
    return status;
}

enum qp_status demo_bench(struct demo *demo, const struct demo_run *run,
                          const struct qp_variant *const variants[], int count,
                          struct demo_picture *picture)
{
    struct cmd_problems problems;
    fflush(demo->out);
    enum qp_status status = cmd_problems_create(demo->options, run->kind, run->width, run->height,
                                                true, variants, count, &problems);
    if (status != QP_OK)
        return status;
    status = bench_variants(demo, run, variants, problems.of, count);
    if (status == QP_OK && !cmd_interrupted && picture != NULL && problems.one.reference != NULL)
        status = demo_draw(picture, run->width, run->height, problems.one.reference);
    cmd_problems_destroy(&problems);
    return status;
}

/* ---- Pictures ---- */

enum qp_status demo_draw(struct demo_picture *picture, int width, int height, const double *values)
{
    enum qp_status status =
        picture_write(picture->path, width, height, values, &picture->low, &picture->high);
    picture->is_there = status == QP_OK;
    return status;
}

void demo_name_picture(const struct demo *demo, const struct demo_picture *picture)
{
    if (picture->is_there)
        fprintf(demo->out, "   %s: %s, violet %.6g to yellow %.6g\n", picture->path, picture->what,
                picture->low, picture->high);
}

/* ---- Variants ---- */

const char *demo_name(const struct qp_record *record)
{
    return strchr(record->variant->name, '/') + 1;
}

const struct qp_record *demo_find(const struct qp_record *records, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(demo_name(&records[i]), name) == 0)
            return &records[i];
    }
    return NULL;
}

int demo_variants(const char *op, const struct qp_variant *variants[])
{
    int count = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        if (strcmp(qp_variant_at(i)->op, op) == 0)
            variants[count++] = qp_variant_at(i);
    }
    return count;
}

bool demo_count(struct demo *demo, const struct qp_variant *variant, enum qp_verdict verdict)
{
    if (cmd_interrupted && verdict == QP_SKIP)
        return false;
    bool missed = verdict == QP_SKIP && cmd_is_required(demo->options, variant);
    demo->command->verdicts[missed ? QP_FAIL : verdict]++;
    return true;
}

/* ---- Tables ---- */

/* Writes the gain over the record below, if there are both. */
static void write_gain(const struct qp_record *record, const struct qp_record *below,
                       const char *paper, char gain[FIGURE_SIZE])
{
    if (below == NULL || isnan(record->seconds) || isnan(below->seconds) ||
        figure_is_noisy(record) || figure_is_noisy(below))
        snprintf(gain, FIGURE_SIZE, "-");
    else if (strstr(paper, "MFLOP/s") != NULL)
        snprintf(gain, FIGURE_SIZE, "%+.0f MFLOP/s", 1e3 * (record->gflops - below->gflops));
    else
        snprintf(gain, FIGURE_SIZE, "x%.2f on %s", record->glups / below->glups, demo_name(below));
}

/* The rung of a record; NULL if there is none. */
static const struct demo_rung *find_rung(const struct demo_rung *rungs,
                                         const struct qp_record *record)
{
    while (rungs->variant != NULL && strcmp(rungs->variant, demo_name(record)) != 0)
        rungs++;
    return rungs->variant != NULL ? rungs : NULL;
}

static void print_row(const struct demo *demo, const struct qp_record *record, int width,
                      const char *gain, const char *paper, bool in_ms)
{
    FILE *out = demo->out;
    const int row = (int)(record - demo->command->records);
    fprintf(out, "%-*s %s", width, demo_name(record), terminal_verdict(out, record->verdict, 5));
    if (isnan(record->seconds)) {
        fprintf(out, " %s\n", record->reason);
        return;
    }
    if (record->verdict == QP_BOUND)
        fprintf(out, " %7s", "-");
    else
        fprintf(out, " %7.1e", record->error);
    fprintf(out, " %6.0f %6.2f %-24s ", 1e3 * record->glups,
            in_ms ? 1e3 * record->seconds / record->iterations : record->gflops, gain);
    if (demo->solved[row].x == NULL)
        fprintf(out, "%s\n", paper);
    else
        fprintf(out, "%-16s %5d%s%s\n", paper, demo->solved[row].steps,
                qp_recipe_is_half(record->variant->recipe) ? "*" : "",
                demo->failed[row] ? " FAILED" : "");
}

void demo_print_table(struct demo *demo, int first, const struct demo_rung *rungs, const char *base,
                      bool in_ms)
{
    const struct qp_record *records = demo->command->records + first;
    const int count = demo->command->count - first;
    char gain[FIGURE_SIZE];
    int width = 0;
    for (int i = 0; i < count; i++)
        width = qp_most(width, (int)strlen(demo_name(&records[i])));
    if (count > 0)
        fprintf(demo->out, "\n%-*s %-5s %7s %6s %6s %-24s %-16s%s\n", width, records->variant->op,
                "", "error", "Mcell", in_ms ? "ms" : "GFLOP", "gain on a row below",
                "the paper's gain", demo->solved[first].x ? " steps" : "");
    for (int i = 0; i < count; i++) {
        const struct demo_rung *rung = rungs != NULL ? find_rung(rungs, &records[i]) : NULL;
        const char *below =
                       rung != NULL ? strchr(records[i].variant->recipe->after, '/') + 1 : base,
                   *paper = rung != NULL ? rung->paper : "-";
        write_gain(&records[i], below != NULL ? demo_find(records, count, below) : NULL, paper,
                   gain);
        if (demo_count(demo, records[i].variant,
                       demo->failed[first + i] ? QP_FAIL : records[i].verdict))
            print_row(demo, &records[i], width, gain, paper, in_ms);
    }
}
