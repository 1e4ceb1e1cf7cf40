/* SPDX-License-Identifier: MIT */
/* Model of asynchronous variants: blocks without exchange (paper 5, figure 19). A block and its
 * fringe are copied, stepped alpha + 1 times, and the block is copied back. */
#include "lab/ops/poisson5/async.h"

#include <math.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"

int qp_poisson5_components(const struct qp_problem *problem, int block)
{
    return qp_groups_in(problem->width, QP_ASYNC_ACROSS) * qp_groups_in(problem->height, block);
}

/* A block of width x height cells from (x, y) on, with its fringe: rows of width + 2 values. */
struct block {
    const struct qp_problem *problem;
    int x, y, width, height;
    const double *rhs; /* h^2 f of its cells, row after row */
    double *scale;
};

/* New value of a cell from itself, the sums left + right and below + above, and h^2 f. */
static double update(const struct block *b, double old, double across, double up, double rhs)
{
    const double w = b->problem->weight;
    const double mean = (across + up + rhs) * 0.25;
    return w == 1.0 ? mean : old + w * (mean - old);
}

/* The same in floats, each sum rounded as variants round it. */
static double update_rounded(const struct block *b, const double *u, int pitch, double rhs)
{
    const float w = (float)b->problem->weight, old = (float)u[0];
    const float left = (float)u[-1], right = (float)u[1];
    const float below = (float)u[-pitch], above = (float)u[pitch];
    const float across = left + right, up = below + above;
    const float sum = across + up;
    const float mean = (sum + (float)rhs) * 0.25f;
    const float change = w * (mean - old);
    return w == 1.0f ? mean : old + change;
}

static void note_scale(const struct block *b, const double *u, int pitch, double rhs)
{
    const double w = b->problem->weight, old = fabs(u[0]);
    const double sum =
        (fabs(u[-1]) + fabs(u[1]) + fabs(u[-pitch]) + fabs(u[pitch]) + fabs(rhs)) / 4.0;
    *b->scale = fmax(*b->scale, w == 1.0 ? sum : old + fabs(w) * (sum + old));
}

/* Takes a step of all the block's cells together; the fringe stays. */
static void step_block(const struct block *b, const double *old, double *out)
{
    const bool rounds = b->problem->order == QP_POISSON5_BLOCKS;
    const int pitch = b->width + 2;
    for (int j = 0; j < b->height; j++) {
        for (int i = 0; i < b->width; i++) {
            const int at = (j + 1) * pitch + i + 1;
            const double *u = old + at;
            const double rhs = b->rhs[j * b->width + i];
            note_scale(b, u, pitch, rhs);
            out[at] = rounds ? update_rounded(b, u, pitch, rhs)
                             : update(b, u[0], u[-1] + u[1], u[-pitch] + u[pitch], rhs);
        }
    }
}

/* Right-hand side of the block, once for all steps: a sine takes longer than a step. */
static void list_rhs(const struct block *b, double *rhs)
{
    const int kind = qp_problem_kind(b->problem);
    for (int j = 0; j < b->height; j++) {
        for (int i = 0; i < b->width; i++)
            *rhs++ = qp_poisson5_rhs_of(b->problem, kind, b->x + i, b->y + j);
    }
}

/* `grids` has room for the block twice. */
static void launch_block(const struct block *b, double *grids, const double *old, double *out)
{
    const struct qp_problem *problem = b->problem;
    const int pitch = b->width + 2, cells = pitch * (b->height + 2);
    double *from = grids, *to = grids + cells;
    for (int j = 0; j < b->height + 2; j++) {
        for (int i = 0; i < pitch; i++)
            from[j * pitch + i] = qp_poisson5_value_at(problem, old, b->x + i - 1, b->y + j - 1);
    }
    memcpy(to, from, (size_t)cells * sizeof *to); /* the fringe */
    for (int k = 0; k < problem->alpha + 1; k++) {
        step_block(b, from, to);
        double *const source = from;
        from = to;
        to = source;
    }
    for (int j = 0; j < b->height; j++)
        memcpy(out + (size_t)(b->y + j) * (size_t)problem->width + (size_t)b->x,
               from + (j + 1) * pitch + 1, (size_t)b->width * sizeof *out);
}

void qp_poisson5_step_blocks(const struct qp_problem *problem, int across, int up,
                             const double *old, double *out, double *scale)
{
    enum { MOST_ACROSS = QP_ASYNC_ACROSS, MOST_UP = QP_ASYNC_MOST_UP };
    double largest = *scale;
#pragma omp parallel for reduction(max : largest) if (qp_problem_cells(problem) > 1 << 15)
    for (int y = 0; y < problem->height; y += up) {
        double grids[2 * (MOST_ACROSS + 2) * (MOST_UP + 2)], rhs[MOST_ACROSS * MOST_UP];
        for (int x = 0; x < problem->width; x += across) {
            const struct block b = {.problem = problem,
                                    .x = x,
                                    .y = y,
                                    .width = qp_least(across, problem->width - x),
                                    .height = qp_least(up, problem->height - y),
                                    .rhs = rhs,
                                    .scale = &largest};
            list_rhs(&b, rhs);
            launch_block(&b, grids, old, out);
        }
    }
    *scale = largest;
}
