/* SPDX-License-Identifier: MIT */
/* How much of the memory's speed does the honest opponent use? STREAM's triad, a = b + s c, and
 * jacobi9/openmp in turn, on arrays of the same total size. Each counts every value once, and
 * neither counts that a line is read before it is written: 12 bytes an element, and 44 a cell. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <quadpass/quadpass.h>

enum { SIDE = 2048, REPEATS = 9, SWEEPS = 10 };

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Vectors are as wide as the sweep's, which is compiled for several instruction sets too. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static void
part(float *restrict a, const float *restrict b, const float *restrict c, long begin, long end)
{
    for (long i = begin; i < end; i++)
        a[i] = b[i] + 3.0f * c[i];
}

/* 1e9 bytes a second. */
static double triad(float *a, const float *b, const float *c, long n)
{
    enum { PARTS = 64 };
    double begin = now();
    for (int k = 0; k < SWEEPS; k++) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < PARTS; i++)
            part(a, b, c, n * i / PARTS, n * (i + 1) / PARTS);
    }
    return 1e-9 * 12.0 * (double)n * SWEEPS / (now() - begin);
}

static int by_value(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0.0) - (difference < 0.0);
}

int main(void)
{
    const struct qp_variant *openmp[] = {qp_variant_find("jacobi9/openmp")};
    struct qp_problem_desc desc = {.width = SIDE, .height = SIDE};
    struct qp_bench_desc once = {.repeats = 1, .iterations = SWEEPS};
    struct qp_problem problem, *const problems[] = {&problem};
    struct qp_record record;
    double ratio[REPEATS], stream[REPEATS], sweep[REPEATS];
    long n = (long)(44.0 / 12.0 * SIDE * SIDE);
    float *a = malloc(3 * (size_t)n * sizeof *a);

    enum qp_status status = a != NULL ? qp_problem_create(&desc, &problem) : QP_NO_MEMORY;
    for (long i = 0; i < 3 * n && status == QP_OK;
         i++) /* pages nobody wrote are one page of zeros */
        a[i] = 1.0f;
    for (int k = 0; k < REPEATS && status == QP_OK; k++) {
        stream[k] = triad(a, a + n, a + 2 * n, n);
        status = qp_bench(NULL, openmp, problems, 1, &once, &record);
        sweep[k] = record.gbytes_per_s;
        ratio[k] = sweep[k] / stream[k];
    }
    if (status != QP_OK) {
        fprintf(stderr, "%s\n", qp_error());
        return 1;
    }
    qsort(ratio, REPEATS, sizeof *ratio, by_value);
    qsort(stream, REPEATS, sizeof *stream, by_value);
    qsort(sweep, REPEATS, sizeof *sweep, by_value);
    printf("medians of %d: triad %.1f GB/s, jacobi9/openmp %.1f GB/s, ratio %.2f (best of each "
           "%.2f)\n",
           REPEATS, stream[REPEATS / 2], sweep[REPEATS / 2], ratio[REPEATS / 2],
           sweep[REPEATS - 1] / stream[REPEATS - 1]);
    qp_problem_destroy(&problem);
    free(a);
    return 0;
}
