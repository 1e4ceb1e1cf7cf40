/* SPDX-License-Identifier: MIT */
/* Life on a torus. */
/* Judge at 1x1 13x5 4x9 as well: with 4x9 each state meets each number of neighbours. */
/* Picture by --size 96x72 --steps 60 --input x=(sin(x*y*1.7)+sin(x*3.1+y*y)>0.6) */
void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    (void)input, (void)numbers;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int around = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    if (i != 0 || j != 0)
                        around +=
                            before[(y + j + height) % height * width + (x + i + width) % width] ==
                            1.0;
            after[y * width + x] = around == 3 || (around == 2 && before[y * width + x] == 1.0);
        }
}
