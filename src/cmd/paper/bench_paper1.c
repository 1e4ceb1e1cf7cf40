/* SPDX-License-Identifier: MIT */
/* Paper 1, results: MFLOP/s of the finished ladder at six problem sizes, one value a texel (RED)
 * and four systems in a texel (RGBA). A problem of N values is one system of N cells, or four of N
 * / 4. */
#include <math.h>

#include "cmd/paper/bench_paper.h"
#include "cmd/paper/papers.h"
#include "cmd/paper/table.h"

static const char red[] = "jacobi9/vertex", rgba[] = "jacobi9/vertex_systems";

void paper1_plan(struct paper_bench *bench)
{
    bench->steps = 100; /* the paper does not say */
    bench->repeats = 3;
    paper_add_row(bench, red);
    paper_add_row(bench, rgba);
    for (int side = 64; side <= 2048; side *= 2)
        paper_add_line(bench, "wraps", side, side, 0);
}

static void put_line(struct table *table, const struct paper_bench *bench, int line,
                     const struct paper_table *theirs)
{
    static const char *const heads[] = {"5900u_rgba", "5900u_red", "6800_rgba", "6800_red"};
    const struct qp_record *ours[] = {paper_record(bench, line, rgba),
                                      paper_record(bench, line, red)};
    char values[32];
    int width = bench->line[line].width, height = bench->line[line].height;
    snprintf(values, sizeof values, "%d", width * height);
    table_text(table, "%s|%d x %d", values, width, height);
    for (int i = 0; i < 4; i++)
        table_number(table, 0, paper_number(theirs, paper_line(theirs, values, NULL), heads[i]));
    for (int i = 0; i < 2; i++)
        table_rate(table, 0, ours[i], ours[i] != NULL ? 1e3 * ours[i]->gflops : 0.0);
    for (int i = 0; i < 2; i++)
        table_rate(table, 4, ours[i], paper_rate(ours[i]));
    table_number(table, 0, ours[1] != NULL ? ours[1]->iterations : NAN);
}

static void print_results(const struct paper_bench *bench, const struct paper_table *theirs)
{
    fprintf(
        bench->out,
        "\nPaper 1, results: RED is one system (%s), RGBA four systems of a quarter of\n"
        "the values each (%s). MFLOP/s are 20 flops an update, the paper's count;\n"
        "GLUP/s, our own measure, are 1e9 updates a second, of all systems together.\n"
        "Left out: the rungs below these two, which the table has no columns for (quadpass bench\n"
        "lists them), and 5900U RED at 2048 x 2048, where the paper has a blank.\n\n",
        red, rgba);
    struct table table =
        table_of(bench, "8 values|13 grid|7 RGBA@5900U MFLOP/s|7 RED@5900U MFLOP/s|7 RGBA@6800 "
                        "MFLOP/s|7 RED@6800 MFLOP/s|8 RGBA@ours MFLOP/s|8 RED@ours MFLOP/s|9 "
                        "RGBA@ours GLUP/s|9 RED@ours GLUP/s|7 steps");
    for (int line = 0; line < bench->lines; line++)
        put_line(&table, bench, line, theirs);
}

enum qp_status paper1_print(const struct paper_bench *bench)
{
    static const struct paper_part parts[] = {{"paper1-results.csv", print_results}, {0}};
    return paper_print_parts(bench, parts);
}
