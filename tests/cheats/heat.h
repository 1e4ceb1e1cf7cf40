/* SPDX-License-Identifier: MIT */
/* A right step of heat in C, for cheats that are right where they are looked at. */
#ifndef HEAT_H
#define HEAT_H

static inline int within(int i, int size)
{
    return i < 0 ? 0 : i < size ? i : size - 1;
}

static inline void heat(int width, int height, const float *x, float *out)
{
    for (int j = 0; j < height; j++) {
        const float *row = x + j * width, *below = x + within(j - 1, height) * width,
                    *above = x + within(j + 1, height) * width;
        for (int i = 0; i < width; i++) {
            const float around =
                row[within(i - 1, width)] + row[within(i + 1, width)] + below[i] + above[i];
            out[j * width + i] = row[i] + 0.2f * (around - 4.0f * row[i]);
        }
    }
}

#endif
