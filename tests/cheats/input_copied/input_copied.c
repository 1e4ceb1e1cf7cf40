/* SPDX-License-Identifier: MIT */
/* The mean of x and f. */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int cells = width * height;
    (void)numbers;
    for (int i = 0; i < cells; i++)
        after[i] = 0.5 * (before[i] + input[0][i]);
}
