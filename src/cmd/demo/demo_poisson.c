/* SPDX-License-Identifier: MIT */
/* Part 6 of the demonstration: Poisson's equation for a spike, the problem of paper 5, by every
 * row. */
#include <math.h>

#include "base/status.h"
#include "base/whole.h"
#include "cmd/demo/demo.h"
#include "cmd/output/figures.h"
#include "cmd/output/progress.h"
#include "plan/op.h"

enum { CELLS = 512, STEPS = 64, REPEATS = 3 };

static void print_table(struct demo *demo, const struct qp_record *records, int count)
{
    const struct qp_record *one = demo_find(records, count, "sequential");
    char ratio[FIGURE_SIZE];
    fprintf(demo->out, "\n%-26s %-5s %7s %6s %6s %s\n", "poisson5/", "", "error", "Mcell", "GFLOP",
            "of sequential");
    for (int i = 0; i < count; i++) {
        demo_count(demo, records[i].variant, records[i].verdict);
        if (!demo_begin_line(demo->out, &records[i], 26))
            continue;
        figure_print_ratio(ratio, 2, &records[i], one,
                           one != NULL ? records[i].glups / one->glups : NAN);
        fprintf(demo->out, " %6.0f %6.2f %s%s\n", 1e3 * records[i].glups, records[i].gflops,
                ratio[0] != '-' ? "x" : "", ratio);
    }
    fputs("\nGFLOP: a second, 5 flops an update as in paper 5. sequential is one thread. "
          "Asynchronous\n"
          "rows take whole launches of several steps, about as many steps in all.\n\n",
          demo->out);
}

/* Launches of a row that make about this many steps: a launch of an asynchronous row takes alpha + 1,
 * of others one. */
static int launches_of(const struct qp_variant *row, int steps)
{
    return qp_most(steps / (qp_recipe_alpha(row->recipe, 0) + 1), 1);
}

/* Benchmarks neighbours of equal launches together, so that all rows do equal work. */
static enum qp_status run_rows(struct demo *demo, const struct qp_variant *const rows[],
                               struct qp_problem *const problems[], int count, int steps,
                               struct qp_record *records)
{
    struct qp_bench_desc desc = {
        .repeats = REPEATS, .no_device = demo->why, .interrupt = &cmd_interrupted};
    enum qp_status status = QP_OK;
    for (int i = 0, end = 0; i < count && status == QP_OK && !cmd_interrupted; i = end) {
        desc.iterations = launches_of(rows[i], steps);
        while (end < count && launches_of(rows[end], steps) == desc.iterations)
            end++;
        status = qp_bench(demo->context, rows + i, problems + i, end - i, &desc, records + i);
    }
    return status;
}

enum qp_status demo_poisson(struct demo *demo)
{
    const struct options *options = demo->options;
    const struct qp_variant *rows[MOST_ROWS];
    const int count = demo_rows("poisson5", rows);
    const int width = options->width > 0 ? options->width : CELLS;
    const int height = options->width > 0 ? options->height : CELLS;
    const int steps = options->iterations_given ? options->iterations : STEPS;
    struct qp_record *records = demo->records + demo->count;
    struct cmd_problems problems;
    fprintf(demo->out,
            "\n6. A thesis of 2009: -laplace(u) = f for a spike in the middle, on %d x %d points,\n"
            "   %d steps of Jacobi by every row, from one thread to several steps a pass.\n",
            width, height, steps);
    enum qp_status status =
        cmd_problems_create(options, "spike", width, height, true, rows, count, &problems);
    if (status != QP_OK)
        return status;
    progress_say("demo: every row of poisson5");
    status = run_rows(demo, rows, problems.of, count, steps, records);
    progress_end();
    cmd_problems_destroy(&problems);
    if (status == QP_OK && !cmd_interrupted)
        print_table(demo, records, count);
    demo->count += cmd_interrupted ? 0 : count; /* of an interrupted part not all have begun */
    return status;
}
