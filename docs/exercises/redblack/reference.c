/* SPDX-License-Identifier: MIT */
/* Half a step: cells of one colour are the mean of their neighbours, and outside all is 0. */
/* Judge by step_number, which is numbers[0]. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 64x48 --steps 40 --input x=((x*x+10*y*y)%100) */
static double at(const double *cells, int width, int height, int x, int y)
{
    return x < 0 || x >= width || y < 0 || y >= height ? 0.0 : cells[y * width + x];
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int colour = (int)numbers[0] % 2;
    (void)input;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            after[y * width + x] =
                (x + y) % 2 == colour
                    ? (at(before, width, height, x - 1, y) + at(before, width, height, x + 1, y) +
                       at(before, width, height, x, y - 1) + at(before, width, height, x, y + 1)) /
                          4.0
                    : before[y * width + x];
}
