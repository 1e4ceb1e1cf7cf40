/* SPDX-License-Identifier: MIT */
/* Paper 5: the parts of its tables in their order; and of them 3.1, the CPU baselines, sequential
 * against threads that are bound to cores and that are not. The paper prints one figure of
 * theirs, 4.8 GFLOP/s on 16 cores; its rates count 5 flops an update, and its bandwidths follow
 * from 9.125 bytes (18.25 in double), a block of 64 x 8 unknowns with its fringes. */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "cmd/paper/bench_paper5.h"
#include "cmd/paper/bench_paper5_async.h"
#include "cmd/paper/table.h"

static const char *const floats[] = {"poisson5/sequential",    "poisson5/sequential_vectors",
                                     "poisson5/threads",       "poisson5/threads_strips",
                                     "poisson5/threads_bound", "poisson5/threads_numa",
                                     "poisson5/openmp",        NULL};
static const char *const doubles[] = {"poisson5/sequential_double",
                                      "poisson5/sequential_vectors_double",
                                      "poisson5/threads_double",
                                      "poisson5/threads_bound_double",
                                      "poisson5/threads_numa_double",
                                      "poisson5/openmp_double",
                                      NULL};
enum { SMALLEST = 512, LARGEST = 4096 }; /* grids */

/* Measurements after the lines. */
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

static void print_models(const struct paper_bench *bench, const struct paper_table *theirs)
{
    const struct measured *measured = bench->own;
    if (measured != NULL)
        paper5_print_models(bench, &measured->models, theirs);
}

/* Figure 21. */
static void print_async(const struct paper_bench *bench, const struct paper_table *theirs)
{
    const struct measured *measured = bench->own;
    if (measured != NULL)
        paper5_async_print(bench, measured->async, theirs);
}

void paper5_plan(struct paper_bench *bench)
{
    const int least = paper_side(bench, SMALLEST);
    bench->steps = 32; /* as in its figure 12 */
    bench->repeats = 3;
    paper_add_rows(bench, floats);
    paper_add_rows(bench, doubles);
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
}

static void put_rows(struct table *table, const struct paper_bench *bench, int line,
                     const char *const *rows, double wide)
{
    for (; *rows != NULL; rows++) {
        const struct qp_record *ours = paper_record(bench, line, *rows);
        const double rate = paper_rate(ours);
        if (ours == NULL)
            continue;
        table_text(table, "%d|  %s", bench->line[line].width, *rows);
        table_rate(table, 3, ours, rate);
        table_rate(table, 2, ours, paper5_flops * rate);
        table_rate(table, 2, ours, wide * paper5_least_bytes * rate);
        table_rate(table, 2, ours, wide * paper5_bytes * rate);
    }
}

static void print_baselines(const struct paper_bench *bench, const struct paper_table *theirs)
{
    fprintf(bench->out,
            "\nPaper 5, 3.1: the CPU baselines for a spike, %d threads, bound to cores or not. "
            "GFLOP/s\n"
            "are the paper's, 5 flops an update, of which it reports %g on 16 cores of an Opteron\n"
            "8350 (its double has no figure). GB/s count 8 bytes an update (16 in double), and\n"
            "9.125 (18.25) as the paper's bandwidths do.\n\n",
            paper5_threads(bench),
            paper_number(theirs, paper_line(theirs, "barcelona", "single"), "gflops"));
    struct table table =
        table_of(bench, "6 n|-36   row|10 GLUP/s|10 GFLOP/s|10 GB/s|12 GB/s, paper");
    for (int line = 0; line < bench->lines && bench->line[line].first == 0; line++) {
        put_rows(&table, bench, line, floats, 1.0);
        put_rows(&table, bench, line, doubles, 2.0);
    }
}

enum qp_status paper5_print(const struct paper_bench *bench)
{
    static const char figures[] = "paper5-figures.csv", tuned[] = "paper5-tuned.csv";
    static const struct paper_part parts[] = {
        {"paper5-platforms.csv", paper5_print_machines},
        {tuned, print_baselines},
        {tuned, paper5_print_sizes},
        {figures, paper5_print_ladder},
        {figures, paper5_print_transfers},
        {figures, print_models},
        {figures, paper5_print_devices},
        {figures, print_async},
        {0},
    };
    return paper_print_parts(bench, parts);
}
