/* SPDX-License-Identifier: MIT */
/* The reference of nbody.frag, in double: each pair once, by Newton's third law. */
#include <math.h>
#include <string.h>

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int bodies = width * height;
    const double dt = numbers[0], *px = before, *py = px + bodies;
    double *vx = after + 2 * bodies, *vy = vx + bodies;
    (void)input;
    memcpy(after, before, 4 * (size_t)bodies * sizeof *after);
    for (int a = 0; a < bodies; a++) {
        for (int b = 0; b < a; b++) {
            const double x = px[b] - px[a], y = py[b] - py[a], far = sqrt(x * x + y * y + 0.01);
            const double push = dt / bodies / (far * far * far);
            vx[a] += push * x;
            vy[a] += push * y;
            vx[b] -= push * x;
            vy[b] -= push * y;
        }
    }
    for (int i = 0; i < bodies; i++) {
        after[i] += dt * vx[i];
        after[bodies + i] += dt * vy[i];
    }
}
