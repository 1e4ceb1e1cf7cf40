/* SPDX-License-Identifier: MIT */
/* The reference of red_black.frag: Gauss and Seidel's way, in place, through the cells of a
 * colour. */
#include <string.h>

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const double weight = numbers[0];
    const int step = (int)numbers[1];
    memcpy(after, before, (size_t)(width * height) * sizeof *after);
    for (int y = 0; y < height; y++) {
        for (int x = (y + step) % 2; x < width; x += 2) {
            double *cell = after + y * width + x, sum = input[0][y * width + x];
            sum += x > 0 ? cell[-1] : 0.0;
            sum += x < width - 1 ? cell[1] : 0.0;
            sum += y > 0 ? cell[-width] : 0.0;
            sum += y < height - 1 ? cell[width] : 0.0;
            *cell = (1.0 - weight) * *cell + weight * sum / 4.0;
        }
    }
}
