/* SPDX-License-Identifier: MIT */
/* The reference of box2d1r.frag, for `quadpass check` and `run --check`. */

enum { REACH = 1, SIDE = 2 * REACH + 1 };

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    static const double weights[SIDE][SIDE] = {
        {0.09371, 0.09374, 0.09376},
        {0.09372, 0.25001, 0.09377},
        {0.09373, 0.09375, 0.09378},
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
