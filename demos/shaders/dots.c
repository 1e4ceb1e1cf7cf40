/* SPDX-License-Identifier: MIT */
/* The reference of dots.frag, for as many bodies as the sky has cells. It rounds as a shader does,
 * for a dot must not go to the next cell. */
#include <math.h>
#include <string.h>

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

static int cell(double place, int size)
{
    const double part = (float)(0.5f + (float)((double)0.4f * place));
    return (int)floor((float)(part * size));
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)numbers;
    memcpy(after, before, (size_t)(width * height) * sizeof *after);
    for (int i = 0; i < width * height; i++) {
        const int x = cell(input[0][i], width), y = cell(input[1][i], height);
        if (x >= 0 && x < width && y >= 0 && y < height)
            after[y * width + x] += 1.0;
    }
}
