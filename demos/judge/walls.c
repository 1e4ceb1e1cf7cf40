/* SPDX-License-Identifier: MIT */
/* The reference of walls.frag, a step: a cell gains a quarter of what its neighbours at the left
 * and at the right have more, and the walls have no part in it. */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input, (void)numbers;
    for (int i = 0; i < width * height; i++) {
        double flow = 0.0;
        if (i % width > 0)
            flow += before[i - 1] - before[i];
        if (i % width < width - 1)
            flow += before[i + 1] - before[i];
        after[i] = before[i] + 0.25 * flow;
    }
}
