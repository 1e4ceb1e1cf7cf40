/* SPDX-License-Identifier: MIT */
/* Half of x. */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int cells = width * height;
    (void)numbers, (void)input;
    for (int i = 0; i < cells; i++)
        after[i] = 0.5 * before[i];
}
