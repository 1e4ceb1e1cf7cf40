/* SPDX-License-Identifier: MIT */
/* The reference of gray_scott.frag: each cell reacts, then hands on to its neighbours what
 * flows. */

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

/* Each cell exchanges with the next one to the right and with the next one above. */
static void flow(int width, int height, double rate, const double *before, double *after)
{
    for (int i = 0; i < width * height; i++) {
        const int x = i % width, y = i / width;
        const int next[2] = {y * width + (x + 1) % width, (y + 1) % height * width + x};
        for (int k = 0; k < 2; k++) {
            const double moved = rate * (before[i] - before[next[k]]);
            after[i] -= moved;
            after[next[k]] += moved;
        }
    }
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int cells = width * height;
    const double feed = numbers[0], kill = numbers[1];
    const double *v = before, *u = before + cells;
    (void)input;
    for (int i = 0; i < cells; i++) {
        after[i] = v[i] + u[i] * v[i] * v[i] - (feed + kill) * v[i];
        after[cells + i] = u[i] - u[i] * v[i] * v[i] + feed * (1.0 - u[i]);
    }
    flow(width, height, 0.08, v, after);
    flow(width, height, 0.16, u, after + cells);
}
