/* SPDX-License-Identifier: MIT */
/* The reference of life.frag, for `quadpass check` and `run --check`. */

/* Returns 1 if a cell is alive; the grid is a torus. */
static int alive(const double *cells, int width, int height, int x, int y)
{
    x = (x + width) % width;
    y = (y + height) % height;
    return cells[y * width + x] >= 0.5;
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input, (void)numbers;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int around = -alive(before, width, height, x, y);
            for (int k = 0; k < 9; k++)
                around += alive(before, width, height, x + k % 3 - 1, y + k / 3 - 1);
            after[y * width + x] =
                around == 3 || (around == 2 && alive(before, width, height, x, y));
        }
    }
}
