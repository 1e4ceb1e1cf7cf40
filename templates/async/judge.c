/*@ origin */
/* heat.frag as asynchronous steps: the numbers of a launch, and the judge of launches. */
/*@ end */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "async.h"

int async_alpha = ALPHA, async_block = USUAL_UP;

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
 * fourth block, so that no two touch. With Async 3 each column of a block is alone. */
static int group_of(int x, int y)
{
    const int across = SYNC == ASYNC3 ? 1 : ACROSS;
    return SYNC == RED_BLACK ? (x + y) % 2 : x / across % 2 + 2 * (y / async_block % 2);
}

/* A launch of blocks that see nothing of other blocks, as in Async 2; or a red-black step. */
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

/* True if no weight is below 0: cells three apart are 1, so that each cell sees one of them. */
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

/* Fills the state with zeros, if values only rise from them, or with ones, if they only fall, and
 * returns 1 or -1. As weights are at least 0, this holds for all later steps, in any order. Else
 * *why is the reason; NULL: the start is found. */
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

/* Steps on from `now` for as long as values change, at most as often as launches that compute one
 * cell after the other do. False if values grow without end. */
static bool find_limit(const struct grid *grid, int launches, double *now[ARRAYS])
{
    const double most = (double)cells_of(grid) * (async_alpha + 1.0) * launches;
    double *next = copy_cells(grid, 0), change = 1.0;
    for (double k = 0.0; k < most && change > 4e-16 + 1e-4 * TOLERANCE && change < 1e9; k++)
        change = step_all(grid, now, &next);
    free(next);
    return change < 1e9;
}

/* ---- The check ---- */

/* Values that are right: `near`, of blocks that see nothing of other blocks; where launches race,
 * all values from there to the limit, `far`. `apart` is the distance from `near` to the result of
 * steps of all cells together. */
struct bounds {
    double *near[ARRAYS], *far[ARRAYS], apart;
    int way; /* 1: far is above near; -1: below */
};

/* Finds the bounds of `launches` launches from a grid, and chooses its state if they race. NULL as
 * *why: they are found. */
static struct bounds find_bounds(struct grid *from, int launches, const char **why)
{
    const bool races = SYNC != ASYNC2 && SYNC != RED_BLACK,
               fits = SYNC < ASYNC2 && from->width <= ACROSS && from->height <= async_block;
    double *next = copy_cells(from, 0);
    struct bounds b;
    b.apart = 0.0;
    b.way = races ? find_start(from, why) : 1;
    for (int k = 0; k < ARRAYS; k++) {
        b.near[k] = copy_cells(from, k);
        b.far[k] = copy_cells(from, k);
    }
    for (int k = 0; k < launches; k++)
        launch_all(from, b.near);
    for (int k = 0; k < updates * launches; k++)
        step_all(from, b.far, &next);
    for (size_t i = 0; i < cells_of(from) && SYNC < ASYNC2; i++)
        b.apart = fmax(b.apart, b.way * (b.far[0][i] - b.near[0][i]));
    if (!races || fits)
        memcpy(b.far[0], b.near[0], cells_of(from) * sizeof *next);
    else if (*why == NULL && !find_limit(from, launches, b.far))
        *why = "values grow without end";
    free(next);
    return b;
}

/* True for a grid within bounds, else prints a line. A value that is not finite is infinitely far
 * from them. */
static bool judge(const struct grid *from, const struct grid *grid, const struct bounds *b,
                  int launches)
{
    double error = 0.0, beyond = 0.0, scale = 0.0;
    for (size_t i = 0; i < cells_of(grid); i++) {
        const double start = from->cells[0][i], value = grid->cells[0][i], near = b->near[0][i],
                     far = b->far[0][i],
                     off = fmax(b->way * (near - value), b->way * (value - far));
        error = fmax(error, isfinite(value) ? off : INFINITY);
        beyond = fmax(beyond, fabs(value - near));
        scale = fmax(fmax(scale, fabs(start)), fmax(fabs(value), fmax(fabs(near), fabs(far))));
    }
    const double allowed = launches * updates * TOLERANCE * scale;
    const bool stays = b->apart > 100.0 * allowed && beyond <= allowed;
    if (error > allowed || !isfinite(scale))
        printf(NAME ": %d launches of %d x %d cells: error %.2g of the largest value, and %.2g is "
                    "allowed\n",
               launches, grid->width, grid->height, error / scale, allowed / scale);
    else if (stays)
        printf(NAME ": %d launches of %d x %d cells: blocks see nothing of others\n", launches,
               grid->width, grid->height);
    return error <= allowed && isfinite(scale) && !stays;
}

/* Takes few launches: the values of many kernels die away, and errors with them. Large grids are
 * left out, as their limit takes long to find. */
int check_size(int width, int height, const struct numbers *set, int *cases)
{
    enum { MOST = 80 };
    static const char *why; /* once set, no other size is judged */
    const int launches = width > 1 ? 3 : 1;
    bool right = true;
    struct grid from, grid;
    if (why != NULL || (width > MOST && height > MOST))
        return 0;
    make_grid(width, height, set, &from);
    make_grid(width, height, set, &grid);
    for (int k = 0; k < ARRAYS; k++)
        fill(&from, k, RANDOM, (uint64_t)(width + 1000 * height + k));
    struct machine *machine = engine.create(&from);
    struct bounds bounds = find_bounds(&from, launches, &why);
    if (why == NULL) {
        advance(machine, launches, 1, &from, &grid);
        right = judge(&from, &grid, &bounds, launches);
    } else {
        printf(NAME ": not judged, as orders of this kernel have no bounds: %s\n", why);
    }
    *cases = why == NULL ? *cases + 1 : 0;
    engine.destroy(machine);
    for (int k = 0; k < ARRAYS; k++) {
        free(bounds.near[k]);
        free(bounds.far[k]);
    }
    free_grid(&from);
    free_grid(&grid);
    return !right;
}
