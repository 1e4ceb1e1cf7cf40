/* SPDX-License-Identifier: MIT */
/* The reference of slits.frag: every cell is pulled to the height of each neighbour, and to 0
 * outside. */
#include <math.h>

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int cells = width * height, apart[2] = {1, width};
    double *v = after + cells;
    for (int i = 0; i < cells; i++)
        v[i] = before[cells + i];
    for (int i = 0; i < cells; i++) {
        const int x = i % width, y = i / width;
        const int last[2] = {x == width - 1, y == height - 1}, first[2] = {x == 0, y == 0};
        for (int k = 0; k < 2; k++) {
            v[i] -= 0.25 * before[i] * (last[k] + first[k]);
            if (last[k])
                continue;
            const double pull = 0.25 * (before[i + apart[k]] - before[i]);
            v[i] += pull;
            v[i + apart[k]] -= pull;
        }
    }
    for (int i = 0; i < cells; i++) {
        v[i] *= input[0][i];
        after[i] = before[i] + v[i] + (i % width == 16 ? 0.2 * sin(0.25 * numbers[0]) : 0.0);
    }
}
