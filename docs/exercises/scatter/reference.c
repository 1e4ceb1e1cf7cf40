/* SPDX-License-Identifier: MIT */
/* Adds the mass of each particle to the cell that it is in; outside there is none. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 96x96 --input px=(48+40*sin(x/9.0)) --input py=(48+40*sin(x/6.0)) */
#include <math.h>

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const float *px = input[0], *py = input[1], *mass = input[2];
    (void)numbers;
    for (int i = 0; i < width * height; i++)
        after[i] = before[i];
    for (int i = 0; i < width * height; i++) {
        const int column = (int)floorf(px[i]), row = (int)floorf(py[i]);
        if (column >= 0 && column < width && row >= 0 && row < height)
            after[row * width + column] += (double)mass[i];
    }
}
