/* SPDX-License-Identifier: MIT */
/* The mean of four neighbours in whole numbers; outside is the nearest cell. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 64x64 --steps 4 --input x=((37*x+53*y*y)%256) */
static int at(const double *cells, int width, int height, int x, int y)
{
    x = x < 0 ? 0 : x < width ? x : width - 1;
    y = y < 0 ? 0 : y < height ? y : height - 1;
    return (int)cells[y * width + x];
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input, (void)numbers;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            after[y * width + x] =
                (at(before, width, height, x - 1, y) + at(before, width, height, x + 1, y) +
                 at(before, width, height, x, y - 1) + at(before, width, height, x, y + 1) + 2) /
                4;
}
