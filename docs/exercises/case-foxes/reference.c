/* SPDX-License-Identifier: MIT */
/* Hares and foxes of each cell, both from the old numbers. States are hares, then foxes. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 80x60 --steps 30 --input hares=(x+10) --input foxes=(y/2) */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int cells = width * height;
    const double grow = numbers[0], eat = numbers[1], *hares = before, *foxes = before + cells;
    (void)input;
    for (int i = 0; i < cells; i++) {
        const double met = eat * hares[i] * foxes[i];
        after[i] = hares[i] + grow * hares[i] - met;
        after[cells + i] = foxes[i] + met - foxes[i] / 8.0;
    }
}
