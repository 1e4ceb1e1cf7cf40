/*@ origin */
/* heat.frag as C: the judge of steps, which compares them with the reference. */
/*@ end */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stencil.h"

/* Steps of the reference, from the grid's values on; *scale is the largest magnitude of all. */
static void step_reference(const struct grid *grid, int steps, double *now[ARRAYS], double *scale)
{
    double *next[STATES];
    for (int k = 0; k < ARRAYS; k++)
        now[k] = copy_cells(grid, k);
    for (int k = 0; k < STATES; k++)
        next[k] = copy_cells(grid, k);
    *scale = 0.0;
    for (int step = 0; step < steps; step++) {
        reference_step(grid->width, grid->height, &grid->set, (const double *const *)now, next);
        for (int k = 0; k < STATES; k++) {
            double *other = now[k];
            now[k] = next[k];
            next[k] = other;
            for (size_t i = 0; i < cells_of(grid); i++)
                *scale = fmax(*scale, fmax(fabs(now[k][i]), fabs(other[i])));
        }
    }
    for (int k = 0; k < STATES; k++)
        free(next[k]);
}

/* The largest error, in parts of the scale; infinite if only the reference has a value. */
static double compare(const struct grid *grid, double *const wanted[ARRAYS], double scale)
{
    double error = 0.0;
    for (int k = 0; k < STATES; k++) {
        for (size_t i = 0; i < cells_of(grid); i++) {
            const double off = fabs((double)grid->cells[k][i] - wanted[k][i]);
            error = fmax(error, isnan(off) && isfinite(wanted[k][i]) ? INFINITY : off);
        }
    }
    return scale > 0.0 ? error / scale : error;
}

/* Checks a step more than at_once, from the grid's values on. Steps are few, as the values of many
 * kernels die away, and errors with them. False, with a line, where values are wrong. */
static bool check_steps(struct machine *machine, int at_once, const struct grid *from,
                        struct grid *grid)
{
    const int steps = at_once + 1;
    double *wanted[ARRAYS], scale;
    advance(machine, steps, at_once, from, grid);
    if (!leads)
        return true;
    step_reference(from, steps, wanted, &scale);
    const double error = compare(grid, wanted, scale), allowed = steps * TOLERANCE;
    const bool right = error <= allowed;
    if (!right)
        printf(NAME ": %d steps of %d x %d cells, %d at once: error %.2g of the largest value, and "
                    "%.2g is allowed\n",
               steps, grid->width, grid->height, at_once, error, allowed);
    for (int k = 0; k < ARRAYS; k++)
        free(wanted[k]);
    return right;
}

/* Random values, and all steps at once that the machine takes. */
int check_size(int width, int height, const struct numbers *set, int *cases)
{
    struct grid from, grid;
    int failed = 0;
    make_grid(width, height, set, &from);
    make_grid(width, height, set, &grid);
    for (int k = 0; k < ARRAYS && leads; k++)
        fill(&from, k, RANDOM, (uint64_t)(width + 1000 * height + k));
    struct machine *machine = engine.create(&from);
    for (int at_once = MOST_AT_ONCE; at_once > 0; at_once /= 2) {
        if (engine.at_once(machine, at_once) != at_once)
            continue;
        ++*cases;
        failed += !check_steps(machine, at_once, &from, &grid);
    }
    engine.destroy(machine);
    free_grid(&from);
    free_grid(&grid);
    return failed;
}
