/* SPDX-License-Identifier: MIT */
/* Paper 5, figure 16 (right): two GPUs, half of the rows each, over one. */
#include <math.h>

#include "cmd/paper/bench_paper5.h"

enum { SIZE = 8192, SMALLER = 4096, DEVICE_STEPS = 16 };

/* One device alone first, by the row that parts run. */
static const char *const rows[] = {"poisson5/cuda_naive", "poisson5/parts_cuda",
                                   "poisson5/parts_cuda_locked"};
enum { ROWS = sizeof rows / sizeof rows[0] };

void paper5_plan_devices(struct paper_bench *bench)
{
    const int first = bench->rows;
    for (int i = 0; i < ROWS && paper5_devices() > 1; i++)
        paper_add_row(bench, rows[i]);
    for (int n = SMALLER; n <= SIZE; n *= 2) {
        struct paper_line *line = paper_add_line(bench, "spike", n, n, first);
        if (line != NULL) {
            line->tag = PAPER5_DEVICES;
            line->steps = DEVICE_STEPS;
        }
    }
}

static void print_line(const struct paper_bench *bench, int line)
{
    FILE *out = bench->options->table;
    double alone = NAN;
    for (int i = 0; i < ROWS; i++) {
        const struct qp_record *record = paper_record(bench, line, rows[i]);
        if (record == NULL)
            continue;
        alone = i == 0 ? record->glups : alone;
        fprintf(out, "%6d  %-30s", bench->line[line].width, rows[i]);
        paper_print_ours(out, 10, 2, record, record->glups, "");
        paper_print_number(out, 10, 3, i > 0 ? record->glups / alone : NAN, "");
        fputc('\n', out);
    }
}

enum qp_status paper5_print_devices(const struct paper_bench *bench)
{
    FILE *out = bench->options->table;
    struct paper_table theirs;
    const enum qp_status status = paper_read("paper5-figures.csv", &theirs);
    if (status != QP_OK)
        return status;
    fprintf(
        out,
        "\nPaper 5, figure 16, right: two GPUs, half of the rows each, over one; two C1060 gained "
        "%g times.\n\n",
        paper5_figure(&theirs, "speedup_two_c1060"));
    if (paper5_devices() < 2) {
        fprintf(out, "not measured: CUDA lists %d device%s here, and this takes two\n",
                paper5_devices(), paper5_devices() == 1 ? "" : "s");
        return QP_OK;
    }
    fprintf(out, "%6s  %-30s%10s%10s\n", "n", "row", "GLUP/s", "/ one");
    for (int line = 0; line < bench->lines; line++) {
        if (bench->line[line].tag == PAPER5_DEVICES)
            print_line(bench, line);
    }
    return QP_OK;
}
