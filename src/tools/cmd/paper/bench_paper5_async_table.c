/* SPDX-License-Identifier: MIT */
/* Prints figure 21 and what section 5.1 counts. */
#include <math.h>
#include <string.h>

#include "tools/cmd/paper/bench_paper5.h"
#include "tools/cmd/paper/bench_paper5_async.h"
#include "tools/cmd/paper/table.h"

/* m, p and d; none for variants whose parts are no thread blocks. */
static void print_components(const struct paper_bench *bench, const struct paper5_async *async)
{
    struct table table = {.out = NULL};
    for (int k = 0; k < async->variants; k++) {
        const struct qp_launch_blocks *o = &async->components[k];
        if (o->d <= 0)
            continue;
        if (table.out == NULL) {
            fputs("\nPaper 5, 5.1: m components, p multiprocessors or threads, d components on "
                  "each at once\n\n",
                  bench->out);
            table = table_of(bench, "-26 variant|10 m|8 p|8 d|12 m / (p d)");
        }
        table_text(&table, "%s|%d|%d|%d|%.2f", async->variant[k]->name, o->m, o->p, o->d,
                   (double)o->m / o->p / o->d);
    }
}

/* Steps that were taken, alpha + 1 a launch, over the opponent's. */
static double step_ratio(const struct paper5_async *async, const struct paper5_point *point,
                         int launches)
{
    return launches > 0 ? (double)launches * (point->alpha + 1) / async->steps : NAN;
}

/* Steps until a variant was near enough, the least and the most of its runs. */
static void put_spread(struct table *table, const int least, const int most)
{
    if (least > 0 && most > 0)
        table_text(table, "%d-%d", least, most);
    else if (least > 0)
        table_text(table, "%d-never", least);
    else
        table_text(table, "-");
}

static void put_point(struct table *table, const struct paper5_async *async,
                      const struct paper5_point *point)
{
    const struct qp_equal *equal = &point->equal;
    const double base = async->scene[point->scene].seconds;
    const int launches = equal->launches[QP_EQUAL_LARGEST];
    table_text(table, "%s|%d|%d", point->variant->name, point->alpha, point->block);
    if (launches > 0)
        table_text(table, "%d", launches);
    else
        table_text(table, "never");
    put_spread(table, equal->least[QP_EQUAL_LARGEST], equal->most[QP_EQUAL_LARGEST]);
    table_number(table, 2, step_ratio(async, point, launches));
    table_number(table, 2, step_ratio(async, point, equal->launches[QP_EQUAL_TWO]));
    table_number(table, 2, base / equal->seconds);
    table_number(table, 2, base / equal->seconds_most);
    table_number(table, 2, base / equal->seconds_least);
}

static void print_scene(const struct paper_bench *bench, const struct paper5_async *async,
                        int number)
{
    const struct paper5_scene *scene = &async->scene[number];
    const struct paper5_point *best = paper5_async_best(async, number, NULL);
    fprintf(
        bench->out,
        "\nn = %d, %s\n%s after %d steps: %.4g from %d steps of %s\n(2-norm %.4g), in %.3f ms\n",
        scene->n, scene->name, async->opponent != NULL ? async->opponent->name : "-", async->steps,
        scene->enough[QP_EQUAL_LARGEST], async->many, scene->judge, scene->enough[QP_EQUAL_TWO],
        1e3 * scene->seconds);
    struct table table = table_of(bench, "-26 variant|6 alpha|6 block|9 launches|13 least-most|9 "
                                         "T_eff/T|9 2-norm|9 speed-up|8 |7 least, most");
    for (int k = 0; k < async->points; k++) {
        if (async->point[k].scene == number)
            put_point(&table, async, &async->point[k]);
    }
    table_end(&table);
    if (scene->waits != NULL)
        fprintf(bench->out, "%s, the host waiting after each step: %.3f ms, %.2f times as long\n",
                scene->waits->name, 1e3 * scene->waits_seconds,
                scene->waits_seconds / scene->seconds);
    if (best != NULL)
        fprintf(bench->out, "best here: %s, alpha %d, blocks of 64 x %d: %.2f%s\n",
                best->variant->name, best->alpha, best->block, scene->seconds / best->equal.seconds,
                bench->options->repeats == 1 ? ", of one sample" : "");
}

static void print_contest(const struct paper_bench *bench, const struct paper5_async *async)
{
    FILE *out = bench->out;
    if (async->scenes > 0)
        print_components(bench, async);
    for (int k = 0; k < async->scenes; k++)
        print_scene(bench, async, k);
    if (async->opponent != NULL && strstr(async->opponent->name, "tuned_sync") != NULL)
        fprintf(out, "%s has blocks of 64 x 8 in all of these\n", async->opponent->name);
    if (async->reason[0] != '\0')
        fprintf(out, "%s: %s\n", async->scenes > 0 ? "not all could be measured" : "not measured",
                async->reason);
}

void paper5_async_print(const struct paper_bench *bench,
                        const struct paper5_async async[PAPER5_CONTESTS])
{
    fprintf(
        bench->out,
        "\nPaper 5, figure 21: launches until a variant is as near to %d steps in double as the "
        "synchronous\nvariant after T = %d, and stays so up to %d times as many; T_eff counts "
        "alpha + 1 steps a launch.\nTheirs, n = 4096: async1 never faster; async2 %g at "
        "alpha 6, with T_eff/T = %g; async3 %g.\n",
        async->many, async->steps, QP_EQUAL_STAYS, paper5_figure(bench, "speedup_async2_alpha6"),
        paper5_figure(bench, "flops_ratio_async2_alpha6"), paper5_figure(bench, "speedup_async3"));
    if (async->steps < PAPER5_T)
        fprintf(bench->out,
                "Without a CUDA device n and T are smaller than the thesis's 4096 and %d, so that "
                "software\ncomes to an end; each table is of one kind of variants.\n",
                PAPER5_T);
    for (int k = 0; k < PAPER5_CONTESTS; k++)
        print_contest(bench, &async[k]);
}
