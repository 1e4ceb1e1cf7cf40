/* SPDX-License-Identifier: MIT */
/* Paper 5: the parts of its tables in their order; and of them those that
 * docs/papers/paper5.table describes: 3.1, figure 11 and the right half of figure 16. */
#include <math.h>
#include <stdlib.h>

#include "toolkit/base/status.h"
#include "tools/cmd/paper/bench_paper5.h"
#include "tools/cmd/paper/bench_paper5_async.h"
#include "tools/cmd/paper/described.h"

/* Measurements after the lines. */
struct measured {
    struct paper5_models models;
    struct paper5_async async[PAPER5_CONTESTS];
};

static enum qp_status measure(struct paper_bench *bench)
{
    struct measured *measured = bench->own = calloc(1, sizeof *measured);
    if (measured == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for what paper 5 measures after its variants");
    const enum qp_status status =
        paper5_model(bench, paper5_figure(bench, "speed_ratio_c1060_to_fx570"), &measured->models);
    return status == QP_OK && !cmd_interrupted ? paper5_async_measure(bench, measured->async)
                                               : status;
}

/* Without a device there is nothing to be measured by figure 11, nor with one by figure 16. */
void paper5_plan(struct paper_bench *bench)
{
    const int devices = paper5_devices(bench);
    described_plan(bench, "baselines", NULL);
    paper5_plan_machines(bench);
    paper5_plan_sizes(bench);
    if (devices > 0) {
        described_plan(bench, "ladder", NULL);
        described_plan(bench, "blocks", NULL);
    }
    paper5_plan_transfers(bench);
    if (devices > 1)
        described_plan(bench, "devices", NULL);
    bench->after = measure;
}

/* ---- 3.1 ---- */

static void print_baselines(const struct paper_bench *bench)
{
    const struct described_value values[] = {
        DESCRIBED("threads", paper5_threads(bench)),
        DESCRIBED("theirs", described_figure(bench, "rates", "barcelona/single", "gflops")),
        {0}};
    described_print(bench, "baselines", values);
}

/* ---- Figure 11 ---- */

static int threads_of(int block)
{
    return block > 10000 ? block / 10000 : block / 100;
}

static void print_blocks(const struct paper_bench *bench)
{
    const int first = described_line(bench, "blocks");
    const double usual =
        paper_rate(paper_record(bench, described_line(bench, "ladder"), paper5_tuned));
    bool any = false;
    for (int line = first; line >= 0 && line < bench->lines; line++) {
        const double ratio = usual / paper_rate(paper_record(bench, line, paper5_tuned));
        if (bench->line[line].tag != bench->line[first].tag || isnan(ratio))
            continue;
        if (!any)
            fprintf(bench->out,
                    "Blocks of 16 x 8 unknowns took %g times as long as those of 64 x 8 there; "
                    "here they take",
                    paper5_figure(bench, "time_ratio_of_16x8_blocks"));
        fprintf(bench->out, "%s%.2f times as long by %d threads", any ? ", " : "\n", ratio,
                threads_of(bench->line[line].block));
        any = true;
    }
    if (any)
        fputs(".\n", bench->out);
}

static void print_ladder(const struct paper_bench *bench)
{
    described_print(bench, "techniques", NULL);
    if (described_line(bench, "ladder") < 0) {
        fprintf(bench->out, "not measured: its 18 variants are CUDA's%s\n",
                paper5_devices(bench) == 0 ? ", which lists no device here" : "");
        return;
    }
    described_print(bench, "ladder", NULL);
    print_blocks(bench);
}

/* ---- Figure 16, right ---- */

static void print_devices(const struct paper_bench *bench)
{
    const int devices = paper5_devices(bench);
    fprintf(
        bench->out,
        "\nPaper 5, figure 16, right: two GPUs, half of the rows each, over one; two C1060 gained "
        "%g times.\n\n",
        paper5_figure(bench, "speedup_two_c1060"));
    if (devices > 1)
        described_print(bench, "devices", NULL);
    else
        fprintf(bench->out, "not measured: CUDA lists %d device%s here, and this takes two\n",
                devices, devices == 1 ? "" : "s");
}

enum qp_status paper5_print(const struct paper_bench *bench)
{
    const struct measured *measured = bench->own;
    paper5_print_machines(bench);
    print_baselines(bench);
    paper5_print_sizes(bench);
    print_ladder(bench);
    paper5_print_transfers(bench);
    if (measured != NULL)
        paper5_print_models(bench, &measured->models);
    print_devices(bench);
    if (measured != NULL)
        paper5_async_print(bench, measured->async);
    return QP_OK;
}
