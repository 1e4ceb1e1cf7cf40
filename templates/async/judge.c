/*@ origin */
/* heat.frag as asynchronous steps: the numbers of a launch, and the judge of launches. */
/*@ end */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "async.h"

int async_alpha = ALPHA, async_block = 8;

bool set_launch(const char *key, size_t length, const char *value)
{
    const bool is_alpha = length == 5 && strncmp(key, "alpha", length) == 0,
               is_block = length == 5 && strncmp(key, "block", length) == 0;
    char *end;
    const long number = strtol(value, &end, 10);
    if (SYNC == RED_BLACK || (!is_alpha && !is_block))
        return false;
    if (is_alpha && (*end != '\0' || number < 1 || number > 1024))
        fail("alpha is a whole number from 1 to 1024, not '%s'", value);
    if (is_block && (*end != '\0' || (number != 4 && number != 8 && number != 16 && number != 32)))
        fail("block is 4, 8, 16 or 32, rows of a block's cells, not '%s'", value);
    *(is_alpha ? &async_alpha : &async_block) = (int)number;
    return true;
}

/* ---- Launches of the reference ---- */

static void swap(double **a, double **b)
{
    double *other = *a;
    *a = *b;
    *b = other;
}

/* A step of all cells. Returns the largest change. */
static double step_all(const struct grid *grid, double *now[ARRAYS], double **next)
{
    double change = 0.0;
    reference_step(grid->width, grid->height, &grid->set, (const double *const *)now, next);
    for (size_t i = 0; i < cells_of(grid); i++)
        change = fmax(change, fabs((*next)[i] - now[0][i]));
    swap(&now[0], next);
    return change;
}

/* Groups of cells that are computed together, while all others stay: one of two colours, or every
 * fourth block, which touches no other. With Async 3 each column of a block is alone. */
static int group_of(int x, int y)
{
    const int across = SYNC == ASYNC3 ? 1 : ACROSS;
    return SYNC == RED_BLACK ? (x + y) % 2 : x / across % 2 + 2 * (y / async_block % 2);
}

/* A launch, as blocks take it that see nothing of others: Async 2. Or a red-black step. */
static void launch_all(const struct grid *grid, double *now[ARRAYS])
{
    const size_t bytes = cells_of(grid) * sizeof(double);
    double *next = copy_cells(grid, 0), *made = copy_cells(grid, 0);
    memcpy(made, now[0], bytes);
    for (int group = 0; group < (SYNC == RED_BLACK ? 2 : 4); group++) {
        for (int step = 0; step < (SYNC == RED_BLACK ? 1 : async_alpha + 1); step++) {
            reference_step(grid->width, grid->height, &grid->set, (const double *const *)now,
                           &next);
            for (size_t i = 0; i < cells_of(grid); i++)
                if (group_of((int)i % grid->width, (int)i / grid->width) == group)
                    now[0][i] = next[i];
        }
        for (size_t i = 0; i < cells_of(grid) && SYNC != RED_BLACK; i++) {
            if (group_of((int)i % grid->width, (int)i / grid->width) == group) {
                const double old = made[i];
                made[i] = now[0][i];
                now[0][i] = old;
            }
        }
    }
    if (SYNC != RED_BLACK)
        swap(&now[0], &made);
    free(next);
    free(made);
}

/* ---- Bounds of launches that race ---- */

/* True if no cell's weight is below 0: cells three apart have 1, so that each sees one of them. */
static bool has_weights(const struct grid *grid, double *now[ARRAYS], double *next)
{
    double *zero = copy_cells(grid, 0);
    bool good = true;
    for (int shift = -1; shift < 9; shift++) {
        for (size_t i = 0; i < cells_of(grid); i++)
            now[0][i] = (int)i % grid->width % 3 + (int)i / grid->width % 3 * 3 == shift;
        reference_step(grid->width, grid->height, &grid->set, (const double *const *)now, &next);
        for (size_t i = 0; i < cells_of(grid) && shift >= 0; i++)
            good = good && next[i] - zero[i] >= -1e-12 * (1.0 + fabs(zero[i]));
        if (shift < 0)
            memcpy(zero, next, cells_of(grid) * sizeof *zero);
    }
    free(zero);
    return good;
}

/* Fills the state with zeros, from which no step falls, or with ones, from which none rises: 1 or
 * -1. So it goes on, for weights are at least 0, whatever the order is. NULL as *why: there is one. */
static int find_start(struct grid *grid, const char **why)
{
    double *now[ARRAYS], *next = copy_cells(grid, 0);
    int sign = 0;
    for (int k = 0; k < ARRAYS; k++)
        now[k] = copy_cells(grid, k);
    *why = has_weights(grid, now, next) ? NULL : "a weight is below 0";
    for (int way = 1; way >= -1 && sign == 0 && *why == NULL; way -= 2) {
        double least = 0.0, most = 0.0;
        for (size_t i = 0; i < cells_of(grid); i++)
            now[0][i] = way < 0;
        reference_step(grid->width, grid->height, &grid->set, (const double *const *)now, &next);
        for (size_t i = 0; i < cells_of(grid); i++) {
            least = fmin(least, way * (next[i] - now[0][i]));
            most = fmax(most, way * (next[i] - now[0][i]));
        }
        sign = least >= -1e-12 && most > 1e-3 ? way : 0;
        fill(grid, 0, way < 0 ? ONES : ZEROS, 0);
    }
    if (sign == 0 && *why == NULL)
        *why = "values neither rise from zeros nor fall from ones in all cells";
    for (int k = 0; k < ARRAYS; k++)
        free(now[k]);
    free(next);
    return sign;
}

/* Steps on from `now` for as long as values change, at most as often as launches compute a cell,
 * each after the one before. False if they grow without end. */
static bool find_limit(const struct grid *grid, int launches, double *now[ARRAYS])
{
    const double most = (double)cells_of(grid) * (async_alpha + 1.0) * launches;
    double *next = copy_cells(grid, 0), change = 1.0;
    for (double k = 0.0; k < most && change > 4e-16 + 1e-3 * TOLERANCE && change < 1e9; k++)
        change = step_all(grid, now, &next);
    free(next);
    return change < 1e9;
}

/* ---- The check ---- */

/* How far values are outside of those from `near` to `far`, which are that way from each other; NaN
 * if one is none. *beyond is how far they went from `near`. */
static double measure(const struct grid *grid, const double *near, const double *far, int way,
                      double *beyond)
{
    double off = 0.0;
    *beyond = 0.0;
    for (size_t i = 0; i < cells_of(grid); i++) {
        const double value = grid->cells[0][i], short_by = way * (near[i] - value),
                     over_by = way * (value - far[i]);
        off = short_by <= off ? off : short_by;
        off = over_by <= off ? off : over_by;
        *beyond = fmax(*beyond, -short_by);
    }
    return off;
}

static double largest(const struct grid *grid, const double *near, const double *far)
{
    double scale = 0.0;
    for (size_t i = 0; i < cells_of(grid); i++)
        scale = fmax(scale, fmax(fabs(grid->cells[0][i]), fmax(fabs(near[i]), fabs(far[i]))));
    return scale;
}

/* Launches, and what they are compared with: that is one answer, or for those that race what is between
 * two, from blocks that see nothing of others to the limit. */
int check_size(int width, int height, const struct numbers *set, int *cases)
{
    const bool races = SYNC != ASYNC2 && SYNC != RED_BLACK,
               is_one = !races || (SYNC < ASYNC2 && width <= ACROSS && height <= async_block);
    const int launches = width > 1 ? 3 : 1; /* values of few cells die away, and errors with them */
    const char *why = NULL;
    double *near[ARRAYS], *far[ARRAYS], *next;
    double beyond, most = 0.0;
    struct grid from, grid;
    make_grid(width, height, set, &from);
    make_grid(width, height, set, &grid);
    for (int k = 0; k < ARRAYS; k++)
        fill(&from, k, RANDOM, (uint64_t)(width + 1000 * height + k));
    const int way = races ? find_start(&from, &why) : 1;
    struct machine *machine = engine.create(&from);
    advance(machine, launches, 1, &from, &grid);
    engine.destroy(machine);
    for (int k = 0; k < ARRAYS; k++) {
        near[k] = copy_cells(&from, k);
        far[k] = copy_cells(&from, k);
    }
    next = copy_cells(&from, 0);
    for (int k = 0; k < launches; k++)
        launch_all(&from, near);
    for (int k = 0; k < updates * launches && !is_one; k++)
        step_all(&from, far, &next);
    for (size_t i = 0; i < cells_of(&from) && !is_one; i++)
        most = fmax(most, way * (far[0][i] - near[0][i]));
    if (why == NULL && !is_one && !find_limit(&from, launches, far))
        why = "values grow without end";
    const double scale = fmax(largest(&from, near[0], far[0]), 1e-300),
                 allowed = launches * updates * TOLERANCE * scale,
                 error = measure(&grid, near[0], is_one ? near[0] : far[0], way, &beyond);
    const bool stays = SYNC < ASYNC2 && most > 100.0 * allowed && beyond <= allowed,
               right = error <= allowed && !stays;
    static bool said;
    if (why != NULL && !said)
        printf(NAME ": not judged, as orders of this kernel have no bounds: %s\n", why);
    else if (why == NULL && !right)
        printf(NAME ": %d launches of %d x %d cells: %s%.2g of the largest value, and %.2g is "
                    "allowed\n",
               launches, width, height, stays ? "no block sees another; they differ by " : "error ",
               (stays ? most : error) / scale, allowed / scale);
    said = said || why != NULL;
    *cases = said ? 0 : *cases + 1;
    for (int k = 0; k < ARRAYS; k++) {
        free(near[k]);
        free(far[k]);
    }
    free(next);
    free_grid(&from);
    free_grid(&grid);
    return why == NULL && !right;
}
