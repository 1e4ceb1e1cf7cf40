/* SPDX-License-Identifier: MIT */
/* Part 6 of demo --all: Poisson's equation for a spike, the problem of paper 5, by every
 * variant. */
#include "tools/cmd/demo/demo.h"

enum qp_status demo_poisson(struct demo *demo)
{
    const struct qp_variant *variants[MOST_VARIANTS];
    const int count = demo_variants("poisson5", variants), first = demo->command->count;
    struct demo_run run = {"poisson5", "spike", 512, 64, 3, false, 0, 0};
    demo_begin(demo, &run);
    fprintf(demo->out,
            "\n6. A thesis of 2009: -laplace(u) = f for a spike in the middle, on %d x %d points,\n"
            "   %d steps of Jacobi by every variant, from one thread to several steps a pass.\n",
            run.width, run.height, run.steps);
    enum qp_status status = demo_bench(demo, &run, variants, count, &demo->spike);
    if (status != QP_OK)
        return status;
    demo_print_table(demo, first, NULL, "sequential", false);
    fputs("\nGFLOP: a second, 5 flops an update as in paper 5. sequential is one thread. "
          "Asynchronous\n"
          "variants take whole launches of several steps, about as many steps in all.\n",
          demo->out);
    demo_name_picture(demo, &demo->spike);
    return QP_OK;
}
