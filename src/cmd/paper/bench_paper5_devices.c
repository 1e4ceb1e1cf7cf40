/* SPDX-License-Identifier: MIT */
/* Paper 5, figure 16 (right): two GPUs, half of the rows each, over one. */
#include "cmd/paper/bench_paper5.h"
#include "cmd/paper/table.h"

enum { SIZE = 8192, SMALLER = 4096, DEVICE_STEPS = 72 };

/* Rows in parts, and the one that they run, which has a device alone. */
static const struct {
    const char *name, *alone;
} rows[] = {{"poisson5/cuda_sweep", NULL},
            {"poisson5/parts_cuda", "poisson5/cuda_sweep"},
            {"poisson5/parts_cuda_locked", "poisson5/cuda_sweep"},
            {"poisson5/cuda_temporal", NULL},
            {"poisson5/parts_cuda_temporal", "poisson5/cuda_temporal"}};
enum { ROWS = sizeof rows / sizeof rows[0] };

void paper5_plan_devices(struct paper_bench *bench)
{
    const int first = bench->rows;
    for (int i = 0; i < ROWS && paper5_devices(bench) > 1; i++)
        paper_add_row(bench, rows[i].name);
    for (int n = SMALLER; n <= SIZE; n *= 2) {
        struct paper_line *line = paper_add_line(bench, "spike", n, n, first);
        line->tag = PAPER5_DEVICES;
        line->steps = DEVICE_STEPS;
    }
}

static void put_line(struct table *table, const struct paper_bench *bench, int line)
{
    for (int i = 0; i < ROWS; i++) {
        const struct qp_record *record = paper_record(bench, line, rows[i].name);
        if (record == NULL)
            continue;
        table_text(table, "%d|  %s", bench->line[line].width, rows[i].name);
        table_rate(table, 2, record, record->glups);
        table_gain(table, record, paper_record(bench, line, rows[i].alone));
    }
}

void paper5_print_devices(const struct paper_bench *bench, const struct paper_table *theirs)
{
    fprintf(
        bench->out,
        "\nPaper 5, figure 16, right: two GPUs, half of the rows each, over one; two C1060 gained "
        "%g times.\n\n",
        paper_figure(theirs, "speedup_two_c1060"));
    if (paper5_devices(bench) < 2) {
        fprintf(bench->out, "not measured: CUDA lists %d device%s here, and this takes two\n",
                paper5_devices(bench), paper5_devices(bench) == 1 ? "" : "s");
        return;
    }
    struct table table = table_of(bench, "6 n|-32   row|10 GLUP/s|10 / one");
    for (int line = 0; line < bench->lines; line++) {
        if (bench->line[line].tag == PAPER5_DEVICES)
            put_line(&table, bench, line);
    }
}
