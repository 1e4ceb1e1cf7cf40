/* SPDX-License-Identifier: MIT */
/* Paper 5: the parts of its tables in their order; and of them 3.1, the CPU baselines, sequential against threads that
 * are bound to cores and that are not. The paper prints one figure of theirs, 4.8 GFLOP/s on 16 cores; its rates count 5
 * flops an update, and its bandwidths follow from 9.125 bytes (18.25 in double), a block of 64 x 8 unknowns with its
 * fringes. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "base/status.h"
#include "cmd/paper/bench_paper5.h"
#include "cmd/paper/bench_paper5_async.h"

/* Floats first, then doubles. */
static const char *const rows[] = {"poisson5/sequential",
                                   "poisson5/sequential_vectors",
                                   "poisson5/threads",
                                   "poisson5/threads_strips",
                                   "poisson5/threads_bound",
                                   "poisson5/threads_numa",
                                   "poisson5/openmp",
                                   "poisson5/sequential_double",
                                   "poisson5/sequential_vectors_double",
                                   "poisson5/threads_double",
                                   "poisson5/threads_bound_double",
                                   "poisson5/threads_numa_double",
                                   "poisson5/openmp_double"};
enum {
    ROWS = sizeof rows / sizeof rows[0],
    FIRST_DOUBLE = 7,
    SMALLEST = 512, /* grids */
    LARGEST = 4096
};

/* What is measured after the lines. */
struct measured {
    struct paper5_models models;
    struct paper5_async async[PAPER5_CONTESTS];
};

static enum qp_status measure(struct paper_bench *bench)
{
    struct measured *measured = bench->own = calloc(1, sizeof *measured);
    if (measured == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for what paper 5 measures after its rows");
    const enum qp_status status = paper5_model(bench, &measured->models);
    return status == QP_OK && !cmd_interrupted ? paper5_async_measure(bench, measured->async)
                                               : status;
}

static enum qp_status print_models(const struct paper_bench *bench)
{
    const struct measured *measured = bench->own;
    return measured != NULL ? paper5_print_models(bench, &measured->models) : QP_OK;
}

/* Figure 21. */
static enum qp_status print_async(const struct paper_bench *bench)
{
    const struct measured *measured = bench->own;
    return measured != NULL ? paper5_async_print(bench, measured->async) : QP_OK;
}

/* Roughly: two models of 27 runs each, one of them with a part that takes each step many times; and without a device
 * compute shaders on software, an eightieth as fast as a processor's rows. */
static double cells_after(int least)
{
    const double software = paper5_devices() == 0 ? 10.0 : 1.0, most = software > 1.0 ? 1024 : 4096;
    const double n = least > 0 ? fmin(least, most) : most, small = fmin(n, 256.0);
    return 200.0 * software * n * n + (software > 1.0 ? 3e4 * small * small : 0.0);
}

void paper5_plan(struct paper_bench *bench)
{
    const struct options *options = bench->options;
    const int least = options->width < options->height ? options->width : options->height;
    bench->steps = 32; /* as in its figure 12 */
    bench->repeats = 3;
    for (int i = 0; i < ROWS; i++)
        paper_add_row(bench, rows[i]);
    for (int n = SMALLEST; n <= LARGEST; n *= 2)
        paper_add_line(bench, "spike", n, n, 0);
    if (bench->lines == 0) /* --size is smaller than all */
        paper_add_line(bench, "spike", least, least, 0);
    paper5_plan_machines(bench);
    paper5_plan_sizes(bench);
    paper5_plan_ladder(bench);
    paper5_plan_transfers(bench);
    paper5_plan_devices(bench);
    bench->after = measure;
    bench->cells_after = cells_after(least);
}

static void print_row(const struct paper_bench *bench, int line, int row)
{
    FILE *out = bench->options->table;
    const struct qp_record *ours = paper_record(bench, line, rows[row]);
    const double rate = ours != NULL ? ours->glups : 0.0, wide = row < FIRST_DOUBLE ? 1.0 : 2.0;
    if (ours == NULL)
        return;
    fprintf(out, "%6d  %-34s", bench->line[line].width, rows[row]);
    paper_print_ours(out, 10, 3, ours, rate, "");
    paper_print_ours(out, 10, 2, ours, paper5_flops * rate, "");
    paper_print_ours(out, 10, 2, ours, wide * paper5_least_bytes * rate, "");
    paper_print_ours(out, 12, 2, ours, wide * paper5_bytes * rate, "");
    fputc('\n', out);
}

static enum qp_status print_baselines(const struct paper_bench *bench)
{
    FILE *out = bench->options->table;
    struct paper_table theirs;
    enum qp_status status = paper_read("paper5-tuned.csv", &theirs);
    if (status != QP_OK)
        return status;
    fprintf(out,
            "\nPaper 5, 3.1: the CPU baselines for a spike, %d threads, bound to cores or not. "
            "GFLOP/s\n"
            "are the paper's, 5 flops an update, of which it reports %g on 16 cores of an Opteron\n"
            "8350 (its double has no figure). GB/s count 8 bytes an update (16 in double), and\n"
            "9.125 (18.25) as the paper's bandwidths do.\n\n",
            omp_get_max_threads(),
            paper_number(&theirs, paper_line(&theirs, "barcelona", "single"), "gflops"));
    fprintf(out, "%6s  %-34s%10s%10s%10s%12s\n", "n", "row", "GLUP/s", "GFLOP/s", "GB/s",
            "GB/s, paper");
    for (int line = 0; line < bench->lines && bench->line[line].first == 0; line++) {
        for (int row = 0; row < ROWS && !paper_left_out(bench, line); row++)
            print_row(bench, line, row);
    }
    return QP_OK;
}

enum qp_status paper5_print(const struct paper_bench *bench)
{
    static enum qp_status (*const parts[])(const struct paper_bench *bench) = {
        paper5_print_machines,  print_baselines, paper5_print_sizes,   paper5_print_ladder,
        paper5_print_transfers, print_models,    paper5_print_devices, print_async,
    };
    enum qp_status status = QP_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == QP_OK; i++)
        status = parts[i](bench);
    return status;
}
