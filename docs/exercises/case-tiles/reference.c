/* SPDX-License-Identifier: MIT */
/* The mean of a cell's tile: of four columns, or of those that are left at the end of the row. */
/* Judge at 13x5 1x1 as well. */
/* Picture by --size 90x60 --input x=(x*y%17+x) */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input, (void)numbers;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int first = x / 4 * 4, end = first + 4 < width ? first + 4 : width;
            double sum = 0.0;
            for (int i = first; i < end; i++)
                sum += before[y * width + i];
            after[y * width + x] = sum / (end - first);
        }
}
