/* SPDX-License-Identifier: MIT */
/* Paper 5, figure 12: what the transfers before and after T steps cost, with rows of a spike, whose x goes to the device
 * and comes back. Beside the row's own transfers stand those of as many values by other ways. */
#include <math.h>
#include <string.h>

#include "cmd/paper/bench_paper5.h"
#include "cmd/paper/papers.h"

enum { THESIS_STEPS = 32, BUDGET_SIZE = 1024, SIZE = 4096 };

/* Transfers are hidden where they take less of the time than this: the thesis's 60 to 100 steps leave 0.29 to 0.20. */
static const double hidden = 0.2;

static const char *const opponents[] = {"poisson5/openmp", "poisson5/threads"};
static const char *const computing[] = {"poisson5/rgba", "poisson5/targets_fused4",
                                        "poisson5/targets_fused8", "poisson5/cuda_naive"};
static const char *const moving[] = {"transfer/plain", "transfer/pixel_buffer",
                                     "transfer/persistent", "transfer/cuda_pageable",
                                     "transfer/cuda_pinned"};
enum {
    OPPONENTS = sizeof opponents / sizeof opponents[0],
    COMPUTING = sizeof computing / sizeof computing[0],
    MOVING = sizeof moving / sizeof moving[0]
};

static void add_rows(struct paper_bench *bench, const char *const names[], int count)
{
    for (int i = 0; i < count; i++)
        paper_add_row(bench, names[i]);
}

void paper5_plan_transfers(struct paper_bench *bench)
{
    const struct options *options = bench->options;
    const int least = options->width < options->height ? options->width : options->height;
    const int usual = options->budget > 0.0 ? BUDGET_SIZE : SIZE;
    const int n = least > 0 && least < usual ? least : usual, first = bench->rows;
    add_rows(bench, computing, COMPUTING);
    add_rows(bench, opponents, OPPONENTS);
    paper_add_line(bench, "spike", n, n, first);
    const int movers = bench->rows;
    add_rows(bench, moving, MOVING);
    paper_add_line(bench, "round", n, n, movers);
}

/* Steps, or "never" where there is no number of them. */
static void print_steps(FILE *out, int characters, double steps)
{
    if (isfinite(steps) && steps >= 0.0)
        fprintf(out, "%*.0f", characters, ceil(steps));
    else
        fprintf(out, "%*s", characters, isnan(steps) ? "-" : "never");
}

static double step_of(const struct qp_record *record)
{
    return record != NULL ? record->seconds / record->iterations : NAN;
}

/* T from which T steps and the transfers take less time than the opponent's T steps. */
static double steps_to_win(double step, double transfers, double opponent)
{
    return isnan(opponent) ? NAN : opponent > step ? transfers / (opponent - step) : INFINITY;
}

static void print_way(const struct paper_bench *bench, int line, const char *way, double step,
                      double transfers)
{
    FILE *out = bench->options->table;
    if (isnan(transfers))
        return;
    fprintf(out, "  %-30s%10.2f%10.1f %%", way, 1e3 * transfers,
            100.0 * transfers / (transfers + THESIS_STEPS * step));
    print_steps(out, 9, transfers * (1.0 - hidden) / hidden / step);
    for (int i = 0; i < OPPONENTS; i++)
        print_steps(
            out, 9,
            steps_to_win(step, transfers, step_of(paper_record(bench, line, opponents[i]))));
    fputc('\n', out);
}

static void print_device(const struct paper_bench *bench, int line, const struct qp_record *record)
{
    FILE *out = bench->options->table;
    const double step = step_of(record);
    fprintf(out, "\n%s, %.3f ms a step; T hidden, and to beat openmp and threads\n",
            record->variant->name, 1e3 * step);
    fprintf(out, "  %-30s%10s%12s%9s%9s%9s\n", "transfers by", "ms", "T = 32", "hidden", "openmp",
            "threads");
    print_way(bench, line, "the row itself", step,
              record->upload_seconds + record->readback_seconds);
    for (int i = 0; i < MOVING; i++) {
        const struct qp_record *mover = paper_record(bench, line + 1, moving[i]);
        if (mover != NULL && mover->variant->backend == record->variant->backend)
            print_way(bench, line, moving[i], step, step_of(mover));
    }
}

/* The fastest row of a backend; NULL if none ran. */
static const struct qp_record *fastest(const struct paper_bench *bench, int line,
                                       enum qp_backend backend)
{
    const struct qp_record *best = NULL;
    for (int i = 0; i < COMPUTING; i++) {
        const struct qp_record *record = paper_record(bench, line, computing[i]);
        if (record != NULL && record->variant->backend == backend && !isnan(record->seconds) &&
            (best == NULL || step_of(record) < step_of(best)))
            best = record;
    }
    return best;
}

/* The line of the rows that compute, with the movers' behind it; -1 if there is none. */
static int find_line(const struct paper_bench *bench)
{
    for (int line = 0; line < bench->lines; line++) {
        if (strcmp(bench->row[bench->line[line].first]->name, computing[0]) == 0)
            return line;
    }
    return -1;
}

enum qp_status paper5_print_transfers(const struct paper_bench *bench)
{
    FILE *out = bench->options->table;
    const int line = find_line(bench);
    const struct qp_record *gl = line >= 0 ? fastest(bench, line, QP_GL) : NULL;
    const struct qp_record *cuda = line >= 0 ? fastest(bench, line, QP_CUDA) : NULL;
    struct paper_table theirs;
    const enum qp_status status = paper_read("paper5-figures.csv", &theirs);
    if (status != QP_OK)
        return status;
    fprintf(out,
            "\nPaper 5, figure 12: transfers, at n = %d here and 4096 there. Theirs took %g %% of "
            "the time of\n32 steps; it took %g steps to match 16 threads, and 60 to 100 to hide "
            "most of them (which leaves a\nfifth or more of the time).\n",
            line >= 0 ? bench->line[line].width : 0,
            paper5_figure(&theirs, "transfer_percent_of_32_steps_n4096_c870"),
            paper5_figure(&theirs, "steps_to_match_16_threads_n4096_c870"));
    if (gl != NULL)
        print_device(bench, line, gl);
    if (cuda != NULL)
        print_device(bench, line, cuda);
    if (gl == NULL && cuda == NULL)
        fputs("no row ran on a device\n", out);
    return QP_OK;
}
