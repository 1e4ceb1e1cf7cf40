/* SPDX-License-Identifier: MIT */
/* The reference of product.frag: value by value, from the arrays of even and odd rows. */

enum { A, B = 2, FOUR = 4 };

/* Value of row i and column j of a matrix whose even rows are `of[0]` and odd rows `of[1]`. */
static double value(const float *const *of, int width, int i, int j)
{
    return of[i % 2][i / 2 * width * FOUR + j];
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int columns = FOUR * width, rows = 2 * height,
              count = columns < rows / FOUR * FOUR ? columns : rows / FOUR * FOUR;
    (void)numbers, (void)before;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0.0;
            for (int k = 0; k < count; k++)
                sum += value(input + A, width, i, k) * value(input + B, width, k, j);
            after[(i % 2 * height + i / 2) * columns + j] = sum;
        }
}
