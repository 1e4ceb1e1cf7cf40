/* SPDX-License-Identifier: MIT */
/* The reference of colours.frag. */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)numbers;
    for (int i = 0; i < width * height; i++) {
        const double sum = before[i] + input[0][i];
        after[i] = sum < 255.0 ? sum : 255.0;
    }
}
