/* SPDX-License-Identifier: MIT */
/* Adds 1 to the cell of each value of a row, if there is one. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 64x48 --input data=(floor((sin(x*y)+1.0)*(y+8.0)/2.0)) */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const float *data = input[0];
    (void)numbers;
    for (int i = 0; i < width * height; i++)
        after[i] = before[i];
    for (int i = 0; i < width * height; i++) {
        const int bin = (int)data[i];
        if (bin < width)
            after[i / width * width + bin] += 1.0;
    }
}
