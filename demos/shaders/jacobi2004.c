/* SPDX-License-Identifier: MIT */
/* The reference of jacobi2004.frag: each coefficient of the lower half scatters its two
 * products. */

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    enum { RHS, DD, LL, LU, LD, DL };
    static const int across[] = {[LL] = -1, [LU] = 1, [LD] = 0, [DL] = -1},
                     up[] = {[LL] = -1, [LU] = -1, [LD] = -1, [DL] = 0};
    const int cells = width * height;
    const double weight = numbers[0];
    for (int i = 0; i < cells; i++)
        after[i] = input[RHS][i];
    for (int i = 0; i < cells; i++) {
        for (int band = LL; band <= DL; band++) {
            const int x = i % width + across[band], y = i / width + up[band];
            if (x < 0 || x >= width || y < 0)
                continue;
            after[i] -= input[band][i] * before[y * width + x];
            after[y * width + x] -= input[band][i] * before[i];
        }
    }
    for (int i = 0; i < cells; i++)
        after[i] = (1.0 - weight) * before[i] + weight * after[i] / input[DD][i];
}
