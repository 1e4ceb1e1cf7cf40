/* SPDX-License-Identifier: MIT */
/* Mean of the cells at most one away in x and in y. */
/* Judge at 1x1 13x5 as well. */
/* Picture by --size 64x48 --steps 4 --input x=((x*x+10*y*y)%100<50) */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input, (void)numbers;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double sum = 0.0;
            int cells = 0;
            for (int j = y - 1; j <= y + 1; j++)
                for (int i = x - 1; i <= x + 1; i++)
                    if (i >= 0 && i < width && j >= 0 && j < height) {
                        sum += before[j * width + i];
                        cells++;
                    }
            after[y * width + x] = sum / cells;
        }
}
