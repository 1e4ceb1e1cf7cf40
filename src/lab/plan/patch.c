/* SPDX-License-Identifier: MIT */
/* Stage 9 for a patch of a grid: the reference's own steps on a window, which shrinks as fewer of
 * them are left that could carry anything into the patch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/op.h"
#include "lab/plan/problem.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"

/* The cells up to `by` away, from an even column and row on. */
static struct qp_patch widen(const struct qp_problem *problem, const struct qp_patch *patch, int by)
{
    struct qp_patch out = {qp_most(patch->x - by, 0) & ~1, qp_most(patch->y - by, 0) & ~1, 0, 0};
    out.width = qp_least(patch->x + patch->width + by, problem->width) - out.x;
    out.height = qp_least(patch->y + patch->height + by, problem->height) - out.y;
    return out;
}

static size_t cells_of(const struct qp_patch *patch)
{
    return (size_t)patch->width * (size_t)patch->height;
}

/* Leaves of the window's values those of a patch within. */
static void crop(struct qp_patch *window, const struct qp_patch *to, double *values)
{
    const size_t from = (size_t)(to->y - window->y) * (size_t)window->width;
    for (size_t row = 0; row < (size_t)to->height; row++)
        memmove(values + row * (size_t)to->width,
                values + from + row * (size_t)window->width + (to->x - window->x),
                (size_t)to->width * sizeof *values);
    *window = *to;
}

static struct qp_problem part_of(const struct qp_problem *whole, const struct qp_patch *window,
                                 int step)
{
    struct qp_problem part = *whole;
    part.window = (struct qp_window){whole, window->x, window->y};
    part.width = part.answer_width = window->width;
    part.height = part.answer_height = window->height;
    part.weight = qp_problem_step_weight(whole, step);
    part.first = whole->first + step;
    return part;
}

static void copy_start(const struct qp_problem *problem, const struct qp_patch *window, double *to)
{
    const struct qp_matrix *start = &problem->field[problem->op->state];
    for (int y = 0; y < window->height; y++) {
        const size_t first = (size_t)(window->y + y) * (size_t)problem->width + (size_t)window->x;
        for (int x = 0; x < window->width; x++)
            *to++ = qp_matrix_value(start, first + (size_t)x);
    }
}

enum qp_status qp_problem_patch(const struct qp_problem *problem, const struct qp_patch *patch,
                                int steps, int reach, const volatile sig_atomic_t *interrupt,
                                double **answer, double *scale)
{
    struct qp_patch window = widen(problem, patch, steps * reach);
    const size_t cells = cells_of(&window);
    double *old = qp_alloc(cells, sizeof *old, "the reference"),
           *new = qp_alloc(cells, sizeof *new, "the reference");
    const bool there = old != NULL && new != NULL;
    bool left = false;
    *answer = NULL;
    *scale = 0.0;
    if (there)
        copy_start(problem, &window, old);
    for (int k = 0; k < steps && there && !left && *scale >= 0.0; k++) {
        const struct qp_patch next = widen(problem, patch, (steps - k) * reach);
        if (5 * cells_of(&next) < 4 * cells_of(&window)) /* less often than it is copied */
            crop(&window, &next, old);
        const struct qp_problem part = part_of(problem, &window, k);
        problem->op->step(&part, old, new, scale);
        double *newest = new;
        new = old;
        old = newest;
        left = qp_is_interrupted(interrupt);
    }
    free(new);
    const bool failed = !there || *scale < 0.0;
    if (!failed && !left) {
        crop(&window, patch, old);
        *answer = old;
        return QP_OK;
    }
    free(old);
    return failed ? QP_NO_MEMORY : qp_watch_fail();
}

double qp_patch_updates(const struct qp_problem *problem, const struct qp_patch *patch, int steps,
                        int reach)
{
    double sum = 0.0;
    for (int k = 0; k < steps; k++) {
        const struct qp_patch window = widen(problem, patch, (steps - k) * reach);
        sum += (double)cells_of(&window);
    }
    return sum;
}
