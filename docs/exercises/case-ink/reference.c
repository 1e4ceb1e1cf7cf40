/* SPDX-License-Identifier: MIT */
/* Ink flows to neighbours of the same row by one number, to those of the column by another. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 64x64 --steps 150 --input x=((x-32)*(x-32)+(y-32)*(y-32)<20) */
static double at(const double *cells, int width, int height, int x, int y)
{
    x = x < 0 ? 0 : x < width ? x : width - 1;
    y = y < 0 ? 0 : y < height ? y : height - 1;
    return cells[y * width + x];
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const double own = before[y * width + x],
                         row = at(before, width, height, x - 1, y) +
                               at(before, width, height, x + 1, y),
                         column = at(before, width, height, x, y - 1) +
                                  at(before, width, height, x, y + 1);
            after[y * width + x] =
                own + numbers[0] * (row - 2.0 * own) + numbers[1] * (column - 2.0 * own);
        }
}
