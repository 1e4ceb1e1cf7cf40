/* SPDX-License-Identifier: MIT */
/* The heat of shaders/heat.frag as a function in C:
 *     quadpass check demos/kernels/heat.c */
//@ check ../shaders/heat.c
//@ set rate=0.2

static int inside(int x, int size)
{
    return x < 0 ? 0 : x < size ? x : size - 1;
}

void heat(int width, int height, const float *x, float *out, float rate)
{
    for (int j = 0; j < height; j++) {
        const float *row = x + j * width, *below = x + inside(j - 1, height) * width,
                    *above = x + inside(j + 1, height) * width;
        for (int i = 0; i < width; i++) {
            const float around =
                row[inside(i - 1, width)] + row[inside(i + 1, width)] + below[i] + above[i];
            out[j * width + i] = row[i] + rate * (around - 4.0f * row[i]);
        }
    }
}
