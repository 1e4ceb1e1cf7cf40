/* SPDX-License-Identifier: MIT */
/* The three stories of `quadpass demo`: what is computed, eight variants with a bar for the speed
 * of each, and what one should see in them. */
#include <math.h>
#include <string.h>

#include "tools/cmd/demo/demo.h"
#include "tools/cmd/output/figures.h"
#include "tools/cmd/output/terminal.h"

enum { BAR = 50 };

static const struct story {
    struct demo_run run;
    const char *told, *more; /* the equation, to which size and steps are added; and a line below */
    const char *seen, *ahead, *base; /* how two variants differ, whose ratio is the run's */
    const char *record; /* their ratio in docs/measurements, by llvmpipe on two cores */
    const char *rows[DEMO_LADDER];
} stories[DEMO_STORIES] = {
    {{"jacobi9", "bidomain", 512, 100, 3, false, 0, 0},
     "1. A heart: the potential outside of its cells",
     "Jacobi with nine bands, in C, as the shaders of 2004 and 2008, and in CUDA.",
     "rgba has four cells in a texel, luminance one, as in 2008",
     "rgba",
     "luminance",
     "1.9 times, 512 x 512",
     {"jacobi9/amorim_cpu", "jacobi9/openmp", "jacobi9/generic", "jacobi9/vertex",
      "jacobi9/luminance", "jacobi9/rgba", "jacobi9/cuda_simple", "jacobi9/cuda_resident"}},
    {{"gauss_jordan", "dominant", 192, 1, 3, true, 0, 0},
     "2. A dense matrix: Gauss-Jordan elimination",
     "A report of 2004 took a pass over the matrix for each column, a step; then came blocks.",
     "blocked takes many columns in one go, branched one",
     "blocked",
     "branched",
     "9.8 times, 256 x 256",
     {"gauss_jordan/loop", "gauss_jordan/basic", "gauss_jordan/branched", "gauss_jordan/blend",
      "gauss_jordan/elimination", "gauss_jordan/blocked", "gauss_jordan/cuda_column",
      "gauss_jordan/cuda_blocked"}},
    {{"poisson5", "spike", 512, 64, 3, false, 0, 0},
     "3. A charge in a box: Poisson's equation",
     "Jacobi again, from one thread as in a thesis of 2009 to several steps in one go.",
     "openmp_blocked takes several steps in one go, sequential one",
     "openmp_blocked",
     "sequential",
     "8.7 times, 4096 x 4096",
     {"poisson5/sequential", "poisson5/threads", "poisson5/openmp_blocked", "poisson5/luminance",
      "poisson5/rgba", "poisson5/targets_fused4", "poisson5/cuda_shared",
      "poisson5/cuda_temporal"}},
};

/* ---- A ladder ---- */

static double fastest(const struct qp_record *records, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, records[i].glups); /* which ignores NaN */
    return most;
}

static void print_row(FILE *out, const struct qp_record *record, const struct qp_record *first,
                      double most)
{
    static const char bar[] = "##################################################";
    char ratio[FIGURE_SIZE];
    fprintf(out, "   %-14s %s", demo_name(record), terminal_verdict(out, record->verdict, 4));
    if (isnan(record->glups)) {
        fprintf(out, " %.75s\n", record->reason);
        return;
    }
    figure_print_ratio(ratio, 2, record, first, record->glups / first->glups);
    fprintf(out, " %9.1f  %s%-12s %.*s\n", 1e3 * record->glups, ratio[0] != '-' ? "x" : " ", ratio,
            (int)ceil(BAR * record->glups / most), bar);
}

/* Variants that are not here share a line. */
static void print_ladder(struct demo *demo, const struct qp_record *records, int count)
{
    const double most = fastest(records, count);
    char absent[FIGURE_SIZE * DEMO_LADDER] = "";
    const char *reason = "";
    for (int i = 0; i < count; i++) {
        if (!demo_count(demo, records[i].variant, records[i].verdict))
            continue;
        if (records[i].verdict != QP_SKIP) {
            print_row(demo->out, &records[i], records, most);
            continue;
        }
        snprintf(absent + strlen(absent), sizeof absent - strlen(absent), " %s",
                 demo_name(&records[i]));
        reason = records[i].reason;
    }
    if (absent[0] != '\0')
        fprintf(demo->out, "   skipped:%s; %.*s\n", absent, (int)(88 - strlen(absent)), reason);
}

static void print_seen(const struct demo *demo, const struct story *story,
                       const struct qp_record *records, int count)
{
    const struct qp_record *ahead = demo_find(records, count, story->ahead),
                           *base = demo_find(records, count, story->base);
    const double ratio = ahead != NULL && base != NULL ? ahead->glups / base->glups : NAN;
    const double spread = figure_spread(ahead) + figure_spread(base);
    fprintf(demo->out, "   To see: %s", story->seen);
    if (isnan(ratio))
        fputs(".\n", demo->out);
    else if (ratio > 1.0 + (isnan(spread) ? 0.0 : spread))
        fprintf(demo->out, "; here %.3g times as fast.\n", ratio);
    else
        fprintf(demo->out,
                ".\n   Not on this machine today: %.3g times as fast (recorded on two cores: "
                "%s).\n",
                ratio, story->record);
}

/* ---- The stories ---- */

static enum qp_status tell(struct demo *demo, const struct story *story,
                           struct demo_picture *picture)
{
    const struct qp_variant *variants[DEMO_LADDER];
    struct demo_run run = story->run;
    const int first = demo->command->count;
    for (int i = 0; i < DEMO_LADDER; i++)
        variants[i] = qp_variant_find(story->rows[i]);
    demo_begin(demo, &run);
    fprintf(demo->out, "\n%s, %d x %d, %d step%s.\n   %s\n", story->told, run.width, run.height,
            run.square ? run.width : run.steps, run.square || run.steps > 1 ? "s" : "",
            story->more);
    enum qp_status status = demo_bench(demo, &run, variants, DEMO_LADDER, picture);
    if (status != QP_OK)
        return status;
    print_ladder(demo, demo->command->records + first, demo->command->count - first);
    if (!cmd_interrupted)
        print_seen(demo, story, demo->command->records + first, demo->command->count - first);
    return QP_OK;
}

enum qp_status demo_stories(struct demo *demo)
{
    struct demo_picture *const pictures[DEMO_STORIES] = {&demo->heart, NULL, &demo->spike};
    const struct qp_variant *solver = qp_variant_find("jacobi9/openmp");
    enum qp_status status = QP_OK;
    for (int i = 0; i < DEMO_STORIES && status == QP_OK && !cmd_interrupted; i++) {
        status = tell(demo, &stories[i], pictures[i]);
        if (status == QP_OK && pictures[i] != NULL)
            demo_name_picture(demo, pictures[i]);
        if (i == 0 && status == QP_OK && !cmd_interrupted) {
            status = demo_solve(demo, &solver, 1);
            demo_name_picture(demo, &demo->solution);
        }
    }
    return status;
}
