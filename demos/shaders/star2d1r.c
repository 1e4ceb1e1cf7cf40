/* SPDX-License-Identifier: MIT */
/* The reference of star2d1r.frag, for `quadpass check` and `run --check`. */

enum { REACH = 1, SIDE = 2 * REACH + 1 };

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    static const double weights[SIDE][SIDE] = {
        {0.0, 0.1873, 0.0},
        {0.1876, 0.25, 0.1877},
        {0.0, 0.1874, 0.0},
    };
    (void)input;
    (void)numbers;
    for (int i = 0; i < width * height; i++) {
        double sum = 0.0;
        for (int k = 0; k < SIDE * SIDE; k++) {
            const int x = i % width + k % SIDE - REACH, y = i / width + k / SIDE - REACH;
            if (x >= 0 && x < width && y >= 0 && y < height)
                sum += weights[k / SIDE][k % SIDE] * before[y * width + x];
        }
        after[i] = sum;
    }
}
