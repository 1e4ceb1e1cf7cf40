/* SPDX-License-Identifier: MIT */
/* The reference of slits.frag: the height at the next moment follows from those at this one and the
 * one before, u - v. So the speed is not summed up here. */

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int cells = width * height;
    const double *now = before, *v = before + cells;
    (void)numbers;
    for (int i = 0; i < cells; i++) {
        const int x = i % width, y = i / width;
        const double earlier = now[i] - v[i];
        double bent = -4.0 * now[i];
        bent += x > 0 ? now[i - 1] : 0.0;
        bent += x < width - 1 ? now[i + 1] : 0.0;
        bent += y > 0 ? now[i - width] : 0.0;
        bent += y < height - 1 ? now[i + width] : 0.0;
        after[i] = input[0][i] > 0.0f ? 2.0 * now[i] - earlier + bent / 4.0 : now[i];
        after[cells + i] = after[i] - now[i];
    }
}
