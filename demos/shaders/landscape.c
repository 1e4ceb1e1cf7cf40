/* SPDX-License-Identifier: MIT */
/* The reference of landscape.frag: a cell shows the nearest of its layers, and where one ends, a
 * part of what is beyond. */
#include <math.h>

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

/* Returns how much of a layer is seen whose end is `depth` away, if it fades over `blur`. */
static double cover(double depth, double blur)
{
    const double t = fmin(fmax(depth / blur, 0.0), 1.0);
    return (3.0 - 2.0 * t) * t * t;
}

static double crest(double x, int k)
{
    const double waves = 0.07 * sin(3.0 * x + 2.0 * k) + 0.03 * sin((5.0 + 3.0 * k) * x + k);
    return 0.55 - 0.13 * k + waves + 0.008 * k * fabs(sin((20.0 + 5.0 * k) * x));
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    static const double low[3] = {1.0, 0.75, 0.45}, high[3] = {0.2, 0.35, 0.7},
                        sun[3] = {1.0, 0.95, 0.7}, hill[3] = {0.45, 0.5, 0.6},
                        darker[3] = {0.1, 0.08, 0.14};
    (void)input, (void)numbers, (void)before;
    for (int i = 0; i < 4 * width * height; i++) {
        const int c = i % 4;
        const double x = (i / 4 % width + 0.5) / height, y = (i / 4 / width + 0.5) / height;
        double seen = 1.0, sum = 0.0; /* from the front to the back */
        for (int k = 3; k >= 0 && c < 3; k--) {
            const double part = cover(crest(x, k) - y, 0.012);
            sum += seen * part * (hill[c] - k * darker[c]);
            seen *= 1.0 - part;
        }
        const double disc = cover(0.11 - hypot(x - 1.0, y - 0.66), 0.01);
        after[i] =
            c == 3 ? 1.0
                   : sum + seen * (disc * sun[c] +
                                   (1.0 - disc) * (low[c] + (1.5 * y - 0.5) * (high[c] - low[c])));
    }
}
