/* SPDX-License-Identifier: MIT */
/* References of exercises, and random numbers, in one program for tests/live/page.mjs: standard
 * input has which one, width, height, step and cells; out go as many cells. fold.h is the function
 * fold_in_c of docs/exercises/sum/judge.c. */
#include <stdio.h>

#include "src/toolkit/base/random.c"

#define reference shift
#include "docs/exercises/shift/reference.c"
#undef reference
#define reference wrap
#include "docs/exercises/wrap/reference.c"
#undef reference
#define reference blur
#include "docs/exercises/blur/reference.c"
#undef reference
#define reference life
#include "docs/exercises/life/reference.c"
#undef reference
#define reference prefix
#include "docs/exercises/prefix/reference.c"
#undef reference
#define reference packing
#define at        packing_at
#include "docs/exercises/packing/reference.c"
#undef reference
#undef at
#define reference redblack
#include "docs/exercises/redblack/reference.c"

struct qp_kernel_array {
    int width, height;
    const double *cells;
};
struct qp_kernel_grid {
    int width, height;
    struct qp_kernel_array input[1];
};

/* Outside is 0, as in the library. */
static double qp_kernel_array_at(const struct qp_kernel_array *x, int i, int j, int channel)
{
    return channel == 0 && i < x->width && j < x->height ? x->cells[j * x->width + i] : 0.0;
}

#include "fold.h"

static void sum(int width, int height, const float *const *input, const double *numbers,
                const double *before, double *after)
{
    const struct qp_kernel_grid grid = {
        (width + 1) / 2, (height + 1) / 2, {{width, height, before}}};
    (void)input, (void)numbers;
    fold_in_c(&grid, &after);
}

static void drawn(int width, int height, const float *const *input, const double *numbers,
                  const double *before, double *after)
{
    uint64_t state = (uint64_t)numbers[0];
    (void)input, (void)before;
    for (int i = 0; i < width * height; i++)
        after[i] = (float)qp_random(&state, 0.0, 1.0);
}

int main(void)
{
    enum { PACKING = 5, MOST = 1 << 14 };
    static double before[MOST], after[MOST];
    void (*const all[])(int, int, const float *const *, const double *, const double *,
                        double *) = {shift,   wrap, blur,     life, prefix,
                                     packing, sum,  redblack, drawn};
    int head[4];
    while (fread(head, sizeof head, 1, stdin) == 1) {
        const double step = head[3];
        const size_t cells = (size_t)head[1] * (size_t)head[2];
        if (cells > MOST || fread(before, sizeof *before, cells, stdin) != cells)
            return 1;
        all[head[0]](head[0] == PACKING ? head[1] / 4 : head[1], head[2], NULL, &step, before,
                     after);
        fwrite(after, sizeof *after, cells, stdout);
    }
    return 0;
}
