/* SPDX-License-Identifier: MIT */
/* Smoke comes from the left by the wind and from below by the lift, and a part of it is lost. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 96x96 --steps 100 --input x=((x-20)*(x-20)+(y-20)*(y-20)<150) */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const double wind = numbers[0], lift = numbers[1];
    (void)input;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const double own = before[y * width + x],
                         left = x > 0 ? before[y * width + x - 1] : 0.0,
                         below = y > 0 ? before[(y - 1) * width + x] : 0.0;
            after[y * width + x] = own + wind * (left - own) + lift * (below - own) - own / 32.0;
        }
}
