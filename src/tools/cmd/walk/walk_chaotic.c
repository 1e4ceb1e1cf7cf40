/* SPDX-License-Identifier: MIT */
/* Map of a step in place, who saw which value (lab/ops/poisson5/seen.h). */
#include <stdlib.h>

#include "lab/ops/poisson5/seen.h"
#include "lab/plan/plan.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/walk/walk.h"

enum { MOST_ACROSS = 80, MOST_UP = 40 };

static void print_map(FILE *out, const struct qp_poisson5_seen *seen)
{
    const int width = seen->problem->width, height = seen->problem->height;
    const int across = qp_least(width, MOST_ACROSS), up = qp_least(height, MOST_UP);
    for (int y = up - 1; y >= 0; y--) {
        fputs("    ", out);
        for (int x = 0; x < across; x++)
            fputc(qp_poisson5_case(seen, x, y), out);
        fputc('\n', out);
    }
    if (across < width || up < height)
        fprintf(out, "    (the lower left %d x %d cells of %d x %d)\n", across, up, width, height);
}

void walk_seen(const struct trace *trace)
{
    void *after;
    if (trace_texels(trace->plan, false, &after) == QP_OK) {
        const struct qp_poisson5_seen seen = {trace->plan->problem, &trace->plan->layout,
                                              trace->plan->texels, after};
        fputs("    who saw which value: the sum of the neighbours that a cell found updated,\n"
              "    1 left, 2 right, 4 below, 8 above; . none of them changed; ? several cases give "
              "this\n    value; ! no case does:\n",
              trace->out);
        print_map(trace->out, &seen);
    }
    free(after);
}
