/* SPDX-License-Identifier: MIT */
/* The reference of ease.frag, for `quadpass check`: the function in C, of numbers from -0.1 to 1.1. */
static double ease(double t)
{
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return t * t * (3.0 - 2.0 * t);
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input, (void)numbers;
    for (int i = 0; i < width * height; i++)
        after[i] = ease(0.6 * before[i] + 0.5);
}
