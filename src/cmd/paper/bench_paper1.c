/* SPDX-License-Identifier: MIT */
/* Paper 1, results: MFLOP/s of the finished ladder at six problem sizes, one value a texel (RED) and
 * four systems in a texel (RGBA). A problem of N values is one system of N cells, or four of N / 4. */
#include <math.h>

#include "cmd/paper/bench_paper.h"
#include "cmd/paper/papers.h"

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

static void print_line(const struct paper_bench *bench, int line, const struct paper_table *theirs)
{
    static const char *const heads[] = {"5900u_rgba", "5900u_red", "6800_rgba", "6800_red"};
    const struct qp_record *ours[] = {paper_record(bench, line, rgba),
                                      paper_record(bench, line, red)};
    char values[32], grid[32];
    int width = bench->line[line].width, height = bench->line[line].height;
    snprintf(values, sizeof values, "%d", width * height);
    snprintf(grid, sizeof grid, "%d x %d", width, height);
    fprintf(bench->out, "%8s %12s", values, grid);
    for (int i = 0; i < 4; i++)
        paper_print_number(bench->out, 7, 0,
                           paper_number(theirs, paper_line(theirs, values, NULL), heads[i]));
    for (int i = 0; i < 2; i++)
        paper_print_ours(bench->out, 8, 0, ours[i], ours[i] != NULL ? 1e3 * ours[i]->gflops : 0.0);
    for (int i = 0; i < 2; i++)
        paper_print_ours(bench->out, 9, 4, ours[i], paper_rate(ours[i]));
    paper_print_number(bench->out, 7, 0, ours[1] != NULL ? ours[1]->iterations : NAN);
    fputc('\n', bench->out);
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
    fprintf(bench->out, "%8s %12s%14s%14s%16s%18s\n", "", "", "5900U MFLOP/s", "6800 MFLOP/s",
            "ours MFLOP/s", "ours GLUP/s");
    fprintf(bench->out, "%8s %12s%7s%7s%7s%7s%8s%8s%9s%9s%7s\n", "values", "grid", "RGBA", "RED",
            "RGBA", "RED", "RGBA", "RED", "RGBA", "RED", "steps");
    for (int line = 0; line < bench->lines; line++)
        print_line(bench, line, theirs);
}

enum qp_status paper1_print(const struct paper_bench *bench)
{
    static const struct paper_part parts[] = {{"paper1-results.csv", print_results}, {0}};
    return paper_print_parts(bench, parts);
}
