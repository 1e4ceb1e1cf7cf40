/* SPDX-License-Identifier: MIT */
/* Two plain steps, one after the other. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 64x48 --steps 20 */
#include <stdlib.h>

static double at(const double *cells, int width, int height, int x, int y)
{
    return x < 0 || x >= width || y < 0 || y >= height ? 0.0 : cells[y * width + x];
}

static void step(int width, int height, const double *old, double *new)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            new[y * width + x] =
                (at(old, width, height, x - 1, y) + at(old, width, height, x + 1, y) +
                 at(old, width, height, x, y - 1) + at(old, width, height, x, y + 1)) /
                4.0;
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    double *between = malloc(sizeof *between * (size_t)width * (size_t)height);
    (void)input, (void)numbers;
    step(width, height, before, between);
    step(width, height, between, after);
    free(between);
}
