/* SPDX-License-Identifier: MIT */
/* Part 6 of the demonstration: Poisson's equation for a spike, the problem of paper 5, by every row. */
#include <math.h>

#include "base/status.h"
#include "cmd/demo/demo.h"

enum { CELLS = 512, STEPS = 64, REPEATS = 3 };

static void print_table(struct demo *demo, const struct qp_record *records, int count)
{
    const struct qp_record *one = demo_find(records, count, "sequential");
    fprintf(demo->out, "\n%-26s %-5s %7s %6s %6s %s\n", "poisson5/", "", "error", "Mcell", "GFLOP",
            "of sequential");
    for (int i = 0; i < count; i++) {
        demo_count(demo, records[i].variant, records[i].verdict);
        if (!demo_begin_line(demo->out, &records[i], 26))
            continue;
        fprintf(demo->out, " %6.0f %6.2f", 1e3 * records[i].glups, records[i].gflops);
        if (one != NULL && !isnan(one->seconds))
            fprintf(demo->out, " x%.2f\n", records[i].glups / one->glups);
        else
            fputs(" -\n", demo->out);
    }
    fputs("\nGFLOP: a second, 5 flops an update as in paper 5. sequential is one thread.\n\n",
          demo->out);
}

enum qp_status demo_poisson(struct demo *demo)
{
    const struct options *options = demo->options;
    const struct qp_variant *rows[MOST_ROWS];
    const int count = demo_rows("poisson5", rows);
    const int width = options->width > 0 ? options->width : CELLS;
    const int height = options->width > 0 ? options->height : CELLS;
    struct qp_record *records = demo->records + demo->count;
    struct qp_bench_desc desc = {.iterations =
                                     options->iterations_given ? options->iterations : STEPS,
                                 .repeats = REPEATS,
                                 .no_device = demo->why,
                                 .interrupt = &cmd_interrupted};
    struct cmd_problems problems;
    fprintf(demo->out,
            "\n6. A thesis of 2009: -laplace(u) = f for a spike in the middle, on %d x %d points,\n"
            "   %d steps of Jacobi by every row, from one thread to several steps a pass.\n",
            width, height, desc.iterations);
    enum qp_status status =
        cmd_problems_create(options, "spike", width, height, true, rows, count, &problems);
    if (status != QP_OK)
        return status;
    status = qp_bench(demo->context, rows, problems.of, count, &desc, records);
    cmd_problems_destroy(&problems);
    if (status == QP_OK && !cmd_interrupted)
        print_table(demo, records, count);
    demo->count += count;
    return status;
}
