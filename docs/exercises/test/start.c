/* SPDX-License-Identifier: MIT */
/* A reference that does nothing: each cell stays as it was. Change this. */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input, (void)numbers;
    for (int i = 0; i < width * height; i++)
        after[i] = before[i];
}
