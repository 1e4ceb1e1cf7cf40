/* SPDX-License-Identifier: MIT */
/* The reference of heat.frag. */
static double at(const double *x, int width, int height, int i, int j)
{
    i = i < 0 ? 0 : i < width ? i : width - 1;
    j = j < 0 ? 0 : j < height ? j : height - 1;
    return x[j * width + i];
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input;
    for (int j = 0; j < height; j++) {
        for (int i = 0; i < width; i++) {
            const double old = at(before, width, height, i, j),
                         around = at(before, width, height, i - 1, j) +
                                  at(before, width, height, i + 1, j) +
                                  at(before, width, height, i, j - 1) +
                                  at(before, width, height, i, j + 1);
            after[j * width + i] = i == 0 ? 1.0 : old + numbers[0] * (around - 4.0 * old);
        }
    }
}
