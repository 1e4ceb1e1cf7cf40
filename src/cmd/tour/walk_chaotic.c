/* SPDX-License-Identifier: MIT */
/* Map of a step in place, who saw which value: a cell's value shows which of its neighbours it
 * found updated, since each of the 16 cases gives another value, unless neighbours hold what they
 * held before. */
#include <math.h>
#include <stdlib.h>

#include "base/whole.h"
#include "cmd/tour/tour.h"
#include "ops/poisson5/poisson5.h"
#include "plan/plan.h"
#include "plan/problem.h"

enum { CASES = 16, MOST_ACROSS = 80, MOST_UP = 40 };

/* The iterate before the step and after it, one value a texel. */
struct step_seen {
    const struct qp_problem *problem;
    const struct qp_layout *layout;
    const float *before, *after;
};

static size_t place(const struct step_seen *seen, int x, int y)
{
    int column, row;
    qp_layout_place(seen->layout, x, y, &column, &row);
    return (size_t)row * (size_t)seen->layout->storage_x + (size_t)column;
}

/* A neighbour's value; the cells are surrounded by a rim of zeros in both arrays. */
static float value_of(const struct step_seen *seen, size_t i, bool updated)
{
    return (updated ? seen->after : seen->before)[i];
}

/* The value that a cell gets in a case, added up as the shader does it. */
static float update(const struct step_seen *seen, int x, int y, int found)
{
    const size_t i = place(seen, x, y), up = (size_t)seen->layout->storage_x;
    const float row = value_of(seen, i - 1, found & 1) + value_of(seen, i + 1, found & 2);
    const float column = value_of(seen, i - up, found & 4) + value_of(seen, i + up, found & 8);
    const float sum = (row + column) + (float)qp_poisson5_rhs(seen->problem, x, y);
    const float weight = (float)qp_problem_step_weight(seen->problem, 0), old = seen->before[i];
    return weight == 1.0f ? sum * 0.25f : old + weight * (sum * 0.25f - old);
}

/* Equal but for a rounding, and for numbers that a device may take for 0. */
static bool equals(float got, float wanted)
{
    return fabsf(got - wanted) <= fmaxf(0x1p-22f * fabsf(wanted), 0x1p-120f);
}

/* Neighbours whose values did not change, such as the rim: nobody can see which one was read. */
static int unchanged(const struct step_seen *seen, int x, int y)
{
    const size_t i = place(seen, x, y), up = (size_t)seen->layout->storage_x;
    const size_t neighbour[] = {i - 1, i + 1, i - up, i + up};
    int found = 0;
    for (int k = 0; k < 4; k++)
        found |= (seen->before[neighbour[k]] == seen->after[neighbour[k]]) << k;
    return found;
}

static char case_seen(const struct step_seen *seen, int x, int y)
{
    const int same = unchanged(seen, x, y);
    const float got = seen->after[place(seen, x, y)];
    int fits = 0, found = 0;
    for (int k = 0; k < CASES; k++) {
        if ((k & same) == 0 && equals(got, update(seen, x, y, k))) {
            fits++;
            found = k;
        }
    }
    if (fits != 1)
        return fits == 0 ? '!' : '?';
    return same == CASES - 1 ? '.' : "0123456789abcdef"[found];
}

static void print_map(FILE *out, const struct step_seen *seen)
{
    const int width = seen->problem->width, height = seen->problem->height;
    const int across = qp_least(width, MOST_ACROSS), up = qp_least(height, MOST_UP);
    for (int y = up - 1; y >= 0; y--) {
        fputs("    ", out);
        for (int x = 0; x < across; x++)
            fputc(case_seen(seen, x, y), out);
        fputc('\n', out);
    }
    if (across < width || up < height)
        fprintf(out, "    (the lower left %d x %d cells of %d x %d)\n", across, up, width, height);
}

void tour_seen(const struct tour *tour)
{
    float *after = malloc(qp_layout_bytes(&tour->plan->layout));
    const struct step_seen seen = {tour->plan->problem, &tour->plan->layout, tour->plan->texels,
                                   after};
    if (after != NULL && tour->plan->engine->read(tour->plan, false, after) == QP_OK) {
        fputs("    who saw which value: the sum of the neighbours that a cell found updated,\n"
              "    1 left, 2 right, 4 below, 8 above; . none of them changed; ? several cases give "
              "this\n    value; ! no case does:\n",
              tour->out);
        print_map(tour->out, &seen);
    }
    free(after);
}
