/* SPDX-License-Identifier: MIT */
#include "lab/ops/poisson5/seen.h"

#include <math.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"

enum { CASES = 16 };

static size_t place(const struct qp_poisson5_seen *seen, int x, int y)
{
    int column, row;
    qp_layout_place(seen->layout, x, y, &column, &row);
    return (size_t)row * (size_t)seen->layout->storage_x + (size_t)column;
}

/* A neighbour's value; the cells are surrounded by a rim of zeros in both arrays. */
static float value_of(const struct qp_poisson5_seen *seen, size_t i, bool updated)
{
    return (updated ? seen->after : seen->before)[i];
}

/* The value that a cell gets in a case, added up as the shader does it. */
static float update(const struct qp_poisson5_seen *seen, int x, int y, int found)
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
static int unchanged(const struct qp_poisson5_seen *seen, int x, int y)
{
    const size_t i = place(seen, x, y), up = (size_t)seen->layout->storage_x;
    const size_t neighbour[] = {i - 1, i + 1, i - up, i + up};
    int found = 0;
    for (int k = 0; k < 4; k++)
        found |= (seen->before[neighbour[k]] == seen->after[neighbour[k]]) << k;
    return found;
}

char qp_poisson5_case(const struct qp_poisson5_seen *seen, int x, int y)
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
