/* SPDX-License-Identifier: MIT */
/* Step s adds the cell 2^s to the left. */
/* Judge by step_number, which is numbers[0]. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 64x32 */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int span = 1 << (int)numbers[0];
    (void)input;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            after[y * width + x] =
                before[y * width + x] + (x >= span ? before[y * width + x - span] : 0.0);
}
