/* SPDX-License-Identifier: MIT */
/* Prints figure 21 and what section 5.1 counts. */
#include <math.h>
#include <string.h>

#include "cmd/paper/bench_paper5_async.h"
#include "cmd/paper/papers.h"

/* m, p and d; none for rows whose parts are no thread blocks. */
static void print_components(FILE *out, const struct paper5_async *async)
{
    bool any = false;
    for (int k = 0; k < async->rows; k++) {
        const struct qp_launch_blocks *o = &async->components[k];
        if (o->d > 0 && !any)
            fprintf(out,
                    "\nPaper 5, 5.1: m components, p multiprocessors or threads, d components on "
                    "each at "
                    "once\n\n%-26s%10s%8s%8s%12s\n",
                    "row", "m", "p", "d", "m / (p d)");
        any = any || o->d > 0;
        if (o->d > 0)
            fprintf(out, "%-26s%10d%8d%8d%12.2f\n", async->row[k]->name, o->m, o->p, o->d,
                    (double)o->m / o->p / o->d);
    }
}

/* Steps that were taken, alpha + 1 a launch, over the opponent's. */
static double step_ratio(const struct paper5_async *async, const struct paper5_point *point,
                         int launches)
{
    return launches > 0 ? (double)launches * (point->alpha + 1) / async->steps : NAN;
}

static void print_spread(FILE *out, const int least, const int most)
{
    char text[32] = "-";
    if (least > 0 && most > 0)
        snprintf(text, sizeof text, "%d-%d", least, most);
    else if (least > 0)
        snprintf(text, sizeof text, "%d-never", least);
    fprintf(out, "%13s", text);
}

static void print_point(FILE *out, const struct paper5_async *async,
                        const struct paper5_point *point)
{
    const struct qp_equal *equal = &point->equal;
    const double base = async->scene[point->scene].seconds;
    fprintf(out, "%-26s%6d%6d", point->variant->name, point->alpha, point->block);
    if (equal->launches[QP_EQUAL_LARGEST] > 0)
        fprintf(out, "%9d", equal->launches[QP_EQUAL_LARGEST]);
    else
        fprintf(out, "%9s", "never");
    print_spread(out, equal->least[QP_EQUAL_LARGEST], equal->most[QP_EQUAL_LARGEST]);
    paper_print_number(out, 9, 2, step_ratio(async, point, equal->launches[QP_EQUAL_LARGEST]));
    paper_print_number(out, 9, 2, step_ratio(async, point, equal->launches[QP_EQUAL_TWO]));
    paper_print_number(out, 9, 2, base / equal->seconds);
    paper_print_number(out, 8, 2, base / equal->seconds_most);
    paper_print_number(out, 7, 2, base / equal->seconds_least);
    fputc('\n', out);
}

static void print_scene(FILE *out, const struct paper5_async *async, int number)
{
    const struct paper5_scene *scene = &async->scene[number];
    const struct paper5_point *best = paper5_async_best(async, number, NULL);
    fprintf(out,
            "\nn = %d, %s\n%s after %d steps: %.4g from %d steps of %s\n(2-norm %.4g), in %.3f ms\n"
            "%-26s%6s%6s%9s%13s%9s%9s%9s%15s\n",
            scene->n, scene->name, async->opponent != NULL ? async->opponent->name : "-",
            async->steps, scene->enough[QP_EQUAL_LARGEST], async->many, scene->judge,
            scene->enough[QP_EQUAL_TWO], 1e3 * scene->seconds, "row", "alpha", "block", "launches",
            "least-most", "T_eff/T", "2-norm", "speed-up", "least, most");
    for (int k = 0; k < async->points; k++) {
        if (async->point[k].scene == number)
            print_point(out, async, &async->point[k]);
    }
    if (scene->waits != NULL)
        fprintf(out, "%s, the host waiting after each step: %.3f ms, %.2f times as long\n",
                scene->waits->name, 1e3 * scene->waits_seconds,
                scene->waits_seconds / scene->seconds);
    if (best != NULL)
        fprintf(out, "best here: %s, alpha %d, blocks of 64 x %d: %.2f\n", best->variant->name,
                best->alpha, best->block, scene->seconds / best->equal.seconds);
}

static void print_contest(FILE *out, const struct paper5_async *async)
{
    if (async->scenes > 0)
        print_components(out, async);
    for (int k = 0; k < async->scenes; k++)
        print_scene(out, async, k);
    if (async->opponent != NULL && strstr(async->opponent->name, "tuned_sync") != NULL)
        fprintf(out, "%s has blocks of 64 x 8 in all of these\n", async->opponent->name);
    if (async->reason[0] != '\0')
        fprintf(out, "%s: %s\n", async->scenes > 0 ? "not all could be measured" : "not measured",
                async->reason);
}

void paper5_async_print(const struct paper_bench *bench,
                        const struct paper5_async async[PAPER5_CONTESTS],
                        const struct paper_table *theirs)
{
    fprintf(
        bench->out,
        "\nPaper 5, figure 21: launches until a row is as near to %d steps in double as the "
        "synchronous\nrow after T = %d, and stays so up to %d times as many; T_eff counts "
        "alpha + 1 steps a launch.\nTheirs, n = 4096: async1 never faster; async2 %g at "
        "alpha 6, with T_eff/T = %g; async3 %g.\n",
        async->many, async->steps, QP_EQUAL_STAYS, paper_figure(theirs, "speedup_async2_alpha6"),
        paper_figure(theirs, "flops_ratio_async2_alpha6"), paper_figure(theirs, "speedup_async3"));
    if (async->steps < PAPER5_T)
        fprintf(bench->out,
                "Without a CUDA device n and T are smaller than the thesis's 4096 and %d, so that "
                "software\ncomes to an end; each table is of one kind of rows.\n",
                PAPER5_T);
    for (int k = 0; k < PAPER5_CONTESTS; k++)
        print_contest(bench->out, &async[k]);
}
