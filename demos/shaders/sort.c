/* SPDX-License-Identifier: MIT */
/* The reference of sort.frag: the last step of a merge leaves blocks that qsort puts in order;
 * those before it compare and exchange pairs. */
#include <stdlib.h>
#include <string.h>

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after);

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int falling(const void *a, const void *b)
{
    return rising(b, a);
}

void reference(int width, int height, const float *const *input, const double *numbers,
               const double *before, double *after)
{
    const int count = width * height, block = (int)numbers[0], span = (int)numbers[1];
    (void)input;
    memcpy(after, before, (size_t)count * sizeof *after);
    for (int i = 0; span == 1 && i < count; i += block)
        qsort(after + i, (size_t)block, sizeof *after, i / block % 2 == 0 ? rising : falling);
    for (int i = 0; span > 1 && i < count; i++) {
        const int k = i ^ span;
        if (i < k && (before[i] > before[k]) == ((i & block) == 0)) {
            after[i] = before[k];
            after[k] = before[i];
        }
    }
}
