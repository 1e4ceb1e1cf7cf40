/* SPDX-License-Identifier: MIT */
/* Paper 5, figure 11: what each technique of section 3.2 brings over the row that it changes; and
 * the blocks of 16 x 8 unknowns that took 1.7 times as long as those of 64 x 8. */
#include <math.h>

#include "cmd/paper/bench_paper5.h"
#include "cmd/paper/table.h"

enum { SIZE = 4096, LADDER_STEPS = 16 };

/* Blocks of 16 x 8 as --block names them (100 times the unknowns across and those up): by 16
 * threads, a column each, and by 64. */
static const int narrow[] = {1608, 641608};
enum { NARROW = sizeof narrow / sizeof narrow[0] };

/* Each is made and checked for half a second on a grid so large, so it is timed once. */
static const struct rung {
    const char *row, *what;
    const char *changes; /* the row that this one begins from; NULL: none */
} rungs[] = {
    {"poisson5/cuda_naive", "a thread an unknown", NULL},
    {"poisson5/cuda_padded", "rows at 256 bytes", "poisson5/cuda_naive"},
    {"poisson5/cuda_texture", "the same by a texture", "poisson5/cuda_padded"},
    {"poisson5/cuda_shared", "shared memory, without padding", "poisson5/cuda_naive"},
    {"poisson5/cuda_shared_fringe_threads", "two more threads for fringes", "poisson5/cuda_shared"},
    {"poisson5/cuda_shared_one_grid", "one grid: a race", "poisson5/cuda_shared"},
    {"poisson5/cuda_shared_padded", "shared memory, padded", "poisson5/cuda_shared"},
    {"poisson5/cuda_unrolled", "unrolled", "poisson5/cuda_shared_padded"},
    {"poisson5/cuda_tuned_sync", "the whole", "poisson5/cuda_unrolled"},
    {"poisson5/cuda_prefetch", "prefetching", "poisson5/cuda_tuned_sync"},
    {"poisson5/cuda_sweep", "ours: a step by the fastest", "poisson5/cuda_tuned_sync"},
    {"poisson5/cuda_temporal", "ours: several steps a launch", "poisson5/cuda_sweep"},
    {"poisson5/cuda_naive_double", "a thread an unknown, double", NULL},
    {"poisson5/cuda_padded_double", "rows at 256 bytes, double", "poisson5/cuda_naive_double"},
    {"poisson5/cuda_double_plain", "the whole, double", "poisson5/cuda_padded_double"},
    {"poisson5/cuda_double_hilo", "words apart, double", "poisson5/cuda_double_plain"},
    {"poisson5/cuda_sweep_double", "ours, double", "poisson5/cuda_double_hilo"},
    {"poisson5/cuda_temporal_double", "ours, double, several steps", "poisson5/cuda_sweep_double"},
};
enum { RUNGS = sizeof rungs / sizeof rungs[0], FIRST_DOUBLE = 12 };

static struct paper_line *add(struct paper_bench *bench, enum paper5_tag tag, int first)
{
    const int n = paper_side(bench, SIZE);
    struct paper_line *line = paper_add_line(bench, "spike", n, n, first);
    line->tag = tag;
    line->steps = LADDER_STEPS;
    line->repeats = 1;
    return line;
}

/* Without a device there is nothing to be measured. */
void paper5_plan_ladder(struct paper_bench *bench)
{
    const int first = bench->rows;
    if (paper5_devices(bench) == 0)
        return;
    for (int i = 0; i < RUNGS; i++)
        paper_add_row(bench, rungs[i].row);
    add(bench, PAPER5_LADDER, first);
    const int again = bench->rows;
    paper_add_row(bench, paper5_tuned);
    for (int i = 0; i < NARROW; i++)
        add(bench, PAPER5_BLOCKS, again)->block = narrow[i];
}

/* Ratios to the rung that each changes, and to the first of this precision. */
static void put_rungs(struct table *table, const struct paper_bench *bench, int line, int from,
                      int end)
{
    const struct qp_record *first = NULL;
    for (int i = from; i < end; i++) {
        const struct qp_record *record = paper_record(bench, line, rungs[i].row);
        const double rate = paper_rate(record);
        if (record == NULL)
            continue;
        table_text(table, "%s|%s", rungs[i].row, rungs[i].what);
        table_rate(table, 2, record, rate);
        table_rate(table, 1, record, paper5_flops * rate);
        table_gain(table, record, paper_record(bench, line, rungs[i].changes));
        table_gain(table, record, first);
        first = first == NULL && !isnan(rate) ? record : first;
    }
}

static int threads_of(int block)
{
    return block > 10000 ? block / 10000 : block / 100;
}

static void print_blocks(const struct paper_bench *bench, const struct paper_table *theirs)
{
    const double usual =
        paper_rate(paper_record(bench, paper_tagged(bench, PAPER5_LADDER), paper5_tuned));
    bool any = false;
    for (int line = 0; line < bench->lines; line++) {
        const double ratio = usual / paper_rate(paper_record(bench, line, paper5_tuned));
        if (bench->line[line].tag != PAPER5_BLOCKS || isnan(ratio))
            continue;
        if (!any)
            fprintf(bench->out,
                    "Blocks of 16 x 8 unknowns took %g times as long as those of 64 x 8 there; "
                    "here they take",
                    paper_figure(theirs, "time_ratio_of_16x8_blocks"));
        fprintf(bench->out, "%s%.2f times as long by %d threads", any ? ", " : "\n", ratio,
                threads_of(bench->line[line].block));
        any = true;
    }
    if (any)
        fputs(".\n", bench->out);
}

void paper5_print_ladder(const struct paper_bench *bench, const struct paper_table *theirs)
{
    const int line = paper_tagged(bench, PAPER5_LADDER);
    fputs(
        "\nPaper 5, figure 11: each technique over the row that it changes, n = 4096 there. Theirs "
        "has\nno numbers: shared memory with padding was \"absolutely necessary\" on the two older "
        "cards and a\nsmall gain on the C1060, and prefetching brought nothing.\n",
        bench->out);
    if (line < 0) {
        fprintf(bench->out, "not measured: its %d rows are CUDA's%s\n", RUNGS,
                paper5_devices(bench) == 0 ? ", which lists no device here" : "");
        return;
    }
    struct table table = table_begin(bench);
    fputc('\n', table.out);
    table_columns(&table, "-36 n = %d|-30 |8 GLUP/s|9 GFLOP/s|10 / changed|9 / first",
                  bench->line[line].width);
    table_heads(&table);
    put_rungs(&table, bench, line, 0, FIRST_DOUBLE);
    put_rungs(&table, bench, line, FIRST_DOUBLE, RUNGS);
    table_end(&table);
    print_blocks(bench, theirs);
}
