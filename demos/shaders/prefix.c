/* SPDX-License-Identifier: MIT */
/* The reference of prefix.frag. A cell of `before` is the sum of the span numbers that end there:
 * they are found again one after the other, and from the last on replaced by sums of twice as
 * many. */

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int span = (int)numbers[0];
    (void)input;
    for (int y = 0; y < height; y++) {
        const double *sum = before + y * width;
        double *number = after + y * width;
        for (int x = 0; x < width; x++)
            number[x] = sum[x] - (x > 0 ? sum[x - 1] : 0.0) + (x >= span ? number[x - span] : 0.0);
        for (int x = width - 1; x >= 0; x--)
            for (int k = 1; k < 2 * span && k <= x; k++)
                number[x] += number[x - k];
    }
}
