/* SPDX-License-Identifier: MIT */
/* Row of the largest magnitude in column x from row y on, the first of equals. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 48x48 --input a=(sin(x*y*0.7)*100) */
#include <math.h>

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const float *a = input[0];
    (void)numbers, (void)before;
    for (int x = 0; x < width; x++)
        for (int y = 0; y < height; y++) {
            int best = y;
            for (int row = y + 1; row < height; row++)
                if (fabs(a[row * width + x]) > fabs(a[best * width + x]))
                    best = row;
            after[y * width + x] = best;
        }
}
