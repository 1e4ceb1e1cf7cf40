/* SPDX-License-Identifier: MIT */
/* Two sweeps a step, each thread over its own share of the rows, and 32 bytes a cell: the first
 * makes p and adds up (p, A p) a row later, the second changes x and r and adds up (r, r). A p is
 * computed twice rather than kept. */
#include "support/cg.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/sets.h"

enum {
    LINE = 16,
    MOST = 1 << 20,
    THREADS = 64
}; /* floats of a cache line; steps; threads at most */

/* Rows of zeros lie around the grid, and a line of them before and after each row. */
struct cg {
    int n, stride; /* floats from row to row */
    float *x, *r, *p, *old;
    double sum[2][THREADS][8]; /* sums of each thread, a cache line each: (p, A p) and (r, r) */
};

/* ---- Rows ---- */

QP_EACH_VECTOR_SET static void direct(float *restrict p, const float *restrict r,
                                      const float *restrict old, float beta, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = r[i] + beta * old[i];
}

QP_EACH_VECTOR_SET static float product(const float *restrict p, const float *restrict below,
                                        const float *restrict above, int n)
{
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += p[i] * (4.0f * p[i] - ((p[i - 1] + p[i + 1]) + (below[i] + above[i])));
    return sum;
}

QP_EACH_VECTOR_SET static float update(float *restrict x, float *restrict r,
                                       const float *restrict p, const float *restrict below,
                                       const float *restrict above, float alpha, int n)
{
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * (4.0f * p[i] - ((p[i - 1] + p[i + 1]) + (below[i] + above[i])));
        sum += r[i] * r[i];
    }
    return sum;
}

/* ---- Sweeps over rows begin to end - 1 ---- */

/* The rows beside the share are another thread's to write, so that they are made once more in
 * `beside`. */
static double sweep_directions(const struct cg *cg, float beta, int begin, int end,
                               float *beside[2])
{
    const int n = cg->n;
    double sum = 0.0;
    for (int y = begin - 1; y <= end; y++) {
        const long at = (long)y * cg->stride;
        float *p = y < begin ? beside[0] : y == end ? beside[1] : cg->p + at;
        direct(p, cg->r + at, cg->old + at, beta, n);
        if (y > begin) {
            float *row = cg->p + at - cg->stride;
            sum += (double)product(row, y - 1 == begin ? beside[0] : row - cg->stride, p, n);
        }
    }
    return sum;
}

static double sweep_updates(const struct cg *cg, float alpha, int begin, int end)
{
    double sum = 0.0;
    for (int y = begin; y < end; y++) {
        const long at = (long)y * cg->stride;
        const float *p = cg->p + at;
        sum +=
            (double)update(cg->x + at, cg->r + at, p, p - cg->stride, p + cg->stride, alpha, cg->n);
    }
    return sum;
}

/* ---- Steps ---- */

/* Sum of all threads' shares, the same in each. */
static double total(struct cg *cg, int which, double share)
{
    double sum = 0.0;
    cg->sum[which][omp_get_thread_num()][0] = share;
#pragma omp barrier
    for (int i = 0; i < omp_get_num_threads(); i++)
        sum += cg->sum[which][i][0];
    return sum;
}

static void run(struct cg *cg, double rr, double enough, float *beside[2], int *steps)
{
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const int begin = (int)((long)cg->n * thread / threads),
              end = (int)((long)cg->n * (thread + 1) / threads);
    struct cg own = *cg; /* its p and old take turns */
    double before = rr, pq;
    int k = 0;
    while (rr > enough && k < MOST) {
        pq = total(cg, 0,
                   sweep_directions(&own, (float)(k > 0 ? rr / before : 0.0), begin, end, beside));
        before = rr;
        rr = total(cg, 1, sweep_updates(&own, (float)(rr / pq), begin, end));
        float *p = own.p;
        own.p = own.old;
        own.old = p;
        k++;
    }
#pragma omp master
    *steps = k;
}

/* ---- Memory ---- */

/* The grid's first value in the k-th of the arrays that `memory` holds. */
static float *field(const struct cg *cg, float *memory, int k)
{
    return memory + ((size_t)k * (size_t)(cg->n + 2) + 1) * (size_t)cg->stride + LINE;
}

static float *make(struct cg *cg, int n)
{
    cg->n = n;
    cg->stride = (n + 2 * LINE + LINE - 1) / LINE * LINE;
    const size_t bytes = 4 * (size_t)(n + 2) * (size_t)cg->stride * sizeof(float);
    float *memory = aligned_alloc(LINE * sizeof(float), bytes);
    if (memory == NULL)
        return NULL;
    memset(memory, 0, bytes);
    cg->x = field(cg, memory, 0);
    cg->r = field(cg, memory, 1);
    cg->p = field(cg, memory, 2);
    cg->old = field(cg, memory, 3);
    return memory;
}

bool support_cg(int n, const float *b, double tolerance, float *x, int *steps)
{
    static struct cg cg;
    const size_t width = (size_t)(n + 3) / 4 * 4, rows = (size_t)n,
                 line = (size_t)(n + LINE - 1) / LINE * LINE;
    float *memory = make(&cg, n),
          *beside = aligned_alloc(LINE * sizeof *beside, 2 * line * THREADS * sizeof *beside);
    double bb = 0.0;
    const bool made = memory != NULL && beside != NULL;
    for (size_t y = 0; y < rows && made; y++) {
        memcpy(cg.r + y * (size_t)cg.stride, b + y * width, rows * sizeof *b);
        for (size_t i = 0; i < rows; i++)
            bb += (double)b[y * width + i] * (double)b[y * width + i];
    }
#pragma omp parallel num_threads(omp_get_max_threads() < THREADS ? omp_get_max_threads() \
                                                                 : THREADS) if (made)
    if (made) {
        float *own = beside + 2 * line * (size_t)omp_get_thread_num();
        run(&cg, bb, tolerance * tolerance * bb, (float *[2]){own, own + line}, steps);
    }
    for (size_t y = 0; y < rows && made; y++) {
        memset(x + y * width, 0, width * sizeof *x);
        memcpy(x + y * width, cg.x + y * (size_t)cg.stride, rows * sizeof *x);
    }
    free(beside);
    free(memory);
    return made;
}
