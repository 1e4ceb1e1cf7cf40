/* SPDX-License-Identifier: MIT */
/* The reference of sobel.frag, by its two tables of nine weights. */
#include <math.h>

enum { CHANNELS = 4 };

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

static int within(int i, int count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    static const int across[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1},
                     up[9] = {-1, -2, -1, 0, 0, 0, 1, 2, 1};
    (void)input, (void)numbers;
    for (int i = 0; i < width * height * CHANNELS; i++) {
        const int c = i % CHANNELS, x = i / CHANNELS % width, y = i / CHANNELS / width;
        double slope = 0.0, rise = 0.0;
        for (int k = 0; k < 9; k++) {
            const int at = within(y + k / 3 - 1, height) * width + within(x + k % 3 - 1, width);
            slope += across[k] * before[at * CHANNELS + c];
            rise += up[k] * before[at * CHANNELS + c];
        }
        after[i] = c == CHANNELS - 1 ? 1.0 : hypot(slope, rise);
    }
}
