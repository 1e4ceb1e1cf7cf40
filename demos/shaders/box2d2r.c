/* SPDX-License-Identifier: MIT */
/* The reference of box2d2r.frag, for `quadpass check` and `run --check`. */

enum { REACH = 2, SIDE = 2 * REACH + 1 };

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    static const double weights[SIDE][SIDE] = {
        {0.03125, 0.03126, 0.03127, 0.03128, 0.03129},
        {0.03130, 0.03131, 0.03132, 0.03133, 0.03134},
        {0.03135, 0.03136, 0.24712, 0.03138, 0.03139},
        {0.03140, 0.03141, 0.03142, 0.03143, 0.03144},
        {0.03145, 0.03146, 0.03147, 0.03148, 0.03149},
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
