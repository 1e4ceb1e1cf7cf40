/* SPDX-License-Identifier: MIT */
#include "lab/walk/patches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/compare.h"
#include "toolkit/base/random.h"
#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"
#include "toolkit/base/whole.h"

enum { ROWS = 8, TILE = 64, DRAWN = 12 };

/* ---- Which ---- */

/* Patches that have been chosen, and what may still be spent. */
struct choice {
    const struct qp_problem *problem;
    int steps, reach, count;
    double left; /* updates */
    struct qp_patch *patch;
};

static bool overlap(const struct qp_patch *a, const struct qp_patch *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

/* Adds a patch around this place, moved into the grid, unless it costs too much or has cells of
 * another one; false then. */
static bool add(struct choice *choice, double x, double y, int width, int height)
{
    const struct qp_problem *problem = choice->problem;
    struct qp_patch new = {.width = qp_least(width, problem->width),
                           .height = qp_least(height, problem->height)};
    new.x = qp_clamp(x - new.width / 2, 0, problem->width - new.width);
    new.y = qp_clamp(y - new.height / 2, 0, problem->height - new.height);
    const double cost = qp_patch_updates(problem, &new, choice->steps, choice->reach);
    bool good = choice->count < QP_PATCHES && cost <= choice->left;
    for (int i = 0; i < choice->count; i++)
        good = good && !overlap(&new, &choice->patch[i]);
    if (good) {
        choice->patch[choice->count++] = new;
        choice->left -= cost;
    }
    return good;
}

/* Seams between parts: a split, or shares of equal height. */
static void add_seams(struct choice *choice, const struct qp_parts_desc *parts)
{
    const double height = choice->problem->height, middle = 0.5 * choice->problem->width;
    if (parts->split > 0)
        add(choice, middle, parts->split, TILE, TILE);
    for (int i = 1; i < qp_least(parts->count, QP_PATCHES - DRAWN - 5); i++)
        add(choice, middle, height * i / parts->count, TILE, TILE);
}

int qp_patches_choose(const struct qp_variant *variant, const struct qp_problem *problem, int steps,
                      const struct qp_parts_desc *parts, double most,
                      struct qp_patch patch[QP_PATCHES])
{
    const struct qp_runs *runs = problem->op->runs;
    const double width = problem->width, height = problem->height;
    struct choice choice = {.problem = problem, .steps = steps, .left = most, .patch = patch};
    choice.reach = runs->reach != NULL ? runs->reach(variant->recipe) : 0;
    if (choice.reach == 0 || problem->systems > 1 ||
        !add(&choice, 0.0, 0.0, problem->width, ROWS) ||
        !add(&choice, 0.0, height, problem->width, ROWS) ||
        !add(&choice, 0.5 * width, 0.5 * height, TILE, TILE))
        return 0;
    add(&choice, 0.0, 0.5 * height, TILE, TILE);
    add(&choice, width, 0.5 * height, TILE, TILE);
    add_seams(&choice, parts);
    uint64_t seed = 18;
    for (int i = 0; i < DRAWN; i++) {
        const double x = qp_random(&seed, 0.0, width), y = qp_random(&seed, 0.0, height);
        add(&choice, x, y, TILE, TILE);
    }
    return choice.count;
}

/* ---- Judging them ---- */

/* Compares one patch of the answer. */
static enum qp_status compare(const struct qp_matrix *answer, const struct qp_patch *patch,
                              const double *wanted, double scale, struct qp_comparison *out)
{
    struct qp_matrix got;
    const enum qp_status status =
        qp_matrix_make(patch->width, patch->height, answer->precision, &got);
    if (status != QP_OK)
        return status;
    const size_t bytes = qp_value_bytes(answer->precision), row = (size_t)patch->width * bytes;
    for (int y = 0; y < patch->height; y++) {
        const size_t first = (size_t)(patch->y + y) * (size_t)answer->width + (size_t)patch->x;
        memcpy((char *)qp_matrix_values(&got) + (size_t)y * row,
               (const char *)qp_matrix_values(answer) + first * bytes, row);
    }
    *out = qp_compare(&got, wanted, scale > 0.0 ? scale : 1.0);
    qp_matrix_destroy(&got);
    return QP_OK;
}

static void fail(const struct qp_problem *problem, const struct qp_patch *patch,
                 struct qp_comparison *worst, struct qp_result *result)
{
    char place[96];
    const int used =
        snprintf(result->reason, sizeof result->reason, "after %d steps: ", result->iterations);
    worst->x += patch->x;
    worst->y += patch->y;
    qp_problem_name(problem, &worst->x, &worst->y, place, sizeof place);
    qp_comparison_tell(worst, NULL, place, result->tolerance, result->reason + used,
                       sizeof result->reason - (size_t)used);
    result->verdict = QP_FAIL;
}

enum qp_status qp_patches_judge(const struct qp_variant *variant, const struct qp_problem *problem,
                                const struct qp_patch *patch, int count,
                                const volatile sig_atomic_t *interrupt, struct qp_result *result)
{
    const int steps = result->iterations, reach = problem->op->runs->reach(variant->recipe);
    enum qp_status status = QP_OK;
    result->tolerance = qp_recipe_tolerance(variant->recipe, problem, steps);
    result->error = result->error_rms = 0.0;
    for (int i = 0; i < count && status == QP_OK && result->verdict == QP_PASS; i++) {
        struct qp_comparison worst;
        double *wanted, scale;
        if (qp_watch_leaves((double)i / count))
            return qp_watch_fail();
        status = qp_problem_patch(problem, &patch[i], steps, reach, interrupt, &wanted, &scale);
        if (status == QP_OK)
            status = compare(&result->solution, &patch[i], wanted, scale, &worst);
        free(wanted);
        if (status != QP_OK)
            return status;
        result->error = fmax(result->error, worst.error);
        result->error_rms = fmax(result->error_rms, worst.rms);
        if (!(worst.error <= result->tolerance))
            fail(problem, &patch[i], &worst, result);
    }
    return status;
}
