/* SPDX-License-Identifier: MIT */
/* Each row is a ring, turned by one cell. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 64x48 --steps 20 --input x=((x-50)*(x-50)+(y-24)*(y-24)<100) */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input, (void)numbers;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            after[y * width + x] = before[y * width + (x + width - 1) % width];
}
