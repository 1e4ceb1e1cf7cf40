/* SPDX-License-Identifier: MIT */
/* The reference of fft.frag: the samples are found again by plain inverse transforms of length
 * span, and transformed anew by plain transforms of twice that length. Of transform j of n, which
 * has samples j, j + n, j + 2 n and so on, number k is at k * n + j. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

/* Returns the sum of re[n t] + i im[n t] times exp(i angle t), for t below count. */
static double complex sum(const double *re, const double *im, int n, int count, double angle)
{
    double complex result = 0.0;
    for (int t = 0; t < count; t++)
        result += (re[n * t] + I * im[n * t]) * cexp(I * angle * t);
    return result;
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int span = (int)numbers[0], cells = width * height, n = width / span;
    const double turn = 2.0 * acos(-1.0);
    double *re = malloc(2 * (size_t)cells * sizeof *re), *im = re + cells;
    (void)input;
    for (int i = 0; re != NULL && i < cells; i++) { /* sample x / n of transform x % n */
        const int x = i % width, j = i - x + x % n;
        const double complex sample =
            sum(before + j, before + cells + j, n, span, turn * (x / n) / span);
        re[i] = creal(sample);
        im[i] = cimag(sample);
    }
    for (int i = 0; re != NULL && i < cells;
         i++) { /* number k of a transform of twice the length */
        const int x = i % width, k = x / (n / 2), j = i - x + x % (n / 2);
        const double complex number = sum(re + j, im + j, n / 2, 2 * span, -turn * k / (2 * span));
        after[i] = creal(number) / (2 * span);
        after[cells + i] = cimag(number) / (2 * span);
    }
    free(re);
}
