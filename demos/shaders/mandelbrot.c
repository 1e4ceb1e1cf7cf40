/* SPDX-License-Identifier: MIT */
/* The reference of mandelbrot.frag. Next to the border of the set the last bit of z decides, so
 * each operation is rounded to float here as it is there; a cast also keeps a compiler from joining
 * two of them into one. */

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

/* Returns in how many of so many rounds z is still within the circle. */
static int rounds(double cx, double cy, int most)
{
    double x = 0.0, y = 0.0;
    for (int n = 0; n < most; n++) {
        const double xx = (float)(x * x), yy = (float)(y * y), xy = (float)(x * y);
        if ((float)(xx + yy) > 4.0f)
            return n;
        x = (float)((float)(xx - yy) + cx);
        y = (float)(2.0 * xy + cy);
    }
    return most;
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const double across = (float)numbers[2], cell = (float)(across / width);
    (void)input, (void)before;
    for (int i = 0; i < width * height; i++) {
        const double x = (float)(cell * (i % width - 0.5 * width)),
                     y = (float)(cell * (i / width - 0.5 * height));
        const int n =
            rounds((float)((float)numbers[0] + x), (float)((float)numbers[1] + y), (int)numbers[3]);
        after[i] = (float)(n / numbers[3]);
    }
}
