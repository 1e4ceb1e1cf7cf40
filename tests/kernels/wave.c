/* SPDX-License-Identifier: MIT */
/* The reference of wave.frag: u comes first in `before` and `after`, then v. */

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int cells = width * height;
    const double *u = before, *v = before + cells, c = numbers[0];
    (void)input;
    for (int i = 0; i < cells; i++) {
        const int x = i % width, y = i / width;
        const double left = x > 0 ? u[i - 1] : 0.0, right = x < width - 1 ? u[i + 1] : 0.0,
                     below = y > 0 ? u[i - width] : 0.0,
                     above = y < height - 1 ? u[i + width] : 0.0;
        after[cells + i] = v[i] + c * (left + right + below + above - 4.0 * u[i]);
        after[i] = u[i] + after[cells + i];
    }
}
