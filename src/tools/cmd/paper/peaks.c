/* SPDX-License-Identifier: MIT */
/* This file alone is compiled with -ffp-contract=fast, for the peak of a processor is one of fused
 * multiply-adds. */
#include "tools/cmd/paper/peaks.h"

#include <math.h>
#include <stdlib.h>

#include "toolkit/base/clock.h"
#include "toolkit/cuda/device.h"

/* ---- The CPU, measured ---- */

#if defined __x86_64__ && defined __has_attribute
#if __has_attribute(target_clones)
#define EACH_INSTRUCTION_SET __attribute__((target_clones("avx512f", "fma", "default")))
#endif
#endif
#ifndef EACH_INSTRUCTION_SET
#define EACH_INSTRUCTION_SET
#endif

enum { CHAINS = 12, ROUNDS = 1 << 18, ELEMENTS = 1 << 24, TIMES = 3 };

/* Twelve chains of x = x s + s in vectors of so many bytes, which hide the latency of an addition
 * and fit in the registers of processors that have vectors as wide. */
#define DEFINE_CHAINS(name, bytes)                                                              \
    typedef float name##_lanes __attribute__((vector_size(bytes)));                             \
    EACH_INSTRUCTION_SET static float name(float s)                                             \
    {                                                                                           \
        name##_lanes a = {0}, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, \
                     h = a + 7, i = a + 8, j = a + 9, k = a + 10, l = a + 11;                   \
        for (int round = 0; round < ROUNDS; round++) {                                          \
            a = a * s + s, b = b * s + s, c = c * s + s, d = d * s + s;                         \
            e = e * s + s, f = f * s + s, g = g * s + s, h = h * s + s;                         \
            i = i * s + s, j = j * s + s, k = k * s + s, l = l * s + s;                         \
        }                                                                                       \
        return (a + b + c + d + e + f + g + h + i + j + k + l)[0];                              \
    }

DEFINE_CHAINS(wide, 64)
DEFINE_CHAINS(narrow, 32)

static double gflops_of(float (*chains)(float s), int bytes)
{
    static volatile float sink;
    double best = 0.0;
    for (int i = 0; i < TIMES; i++) {
        double begin = qp_clock();
        sink = chains(0.5f);
        best = fmax(best, 2.0 * CHAINS * ROUNDS * (bytes / 4.0) / (qp_clock() - begin) * 1e-9);
    }
    (void)sink;
    return best;
}

EACH_INSTRUCTION_SET static void triad(float *a, const float *b, const float *c, float s)
{
    for (int i = 0; i < ELEMENTS; i++)
        a[i] = b[i] + s * c[i];
}

static double triad_gbytes_per_s(void)
{
    double best = NAN;
    float *memory = malloc(3 * sizeof *memory * ELEMENTS);
    for (int i = 0; i < 3 * ELEMENTS && memory != NULL; i++)
        memory[i] = 1.0f;
    for (int i = 0; i < TIMES && memory != NULL; i++) {
        double begin = qp_clock();
        triad(memory, memory + ELEMENTS, memory + 2 * ELEMENTS, 0.5f);
        best = fmax(best, 3.0 * sizeof *memory * ELEMENTS / (qp_clock() - begin) * 1e-9);
    }
    free(memory);
    return best;
}

void peaks_of_cpu(struct peaks *out)
{
    out->gflops = fmax(gflops_of(wide, 64), gflops_of(narrow, 32));
    out->gbytes_per_s = triad_gbytes_per_s();
}

/* First touched by the threads that go over it. */
double peaks_triad(void)
{
    double best = NAN;
    double *a = malloc(3 * sizeof *a * ELEMENTS);
    if (a == NULL)
        return NAN;
    double *const b = a + ELEMENTS, *const c = b + ELEMENTS;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < ELEMENTS; i++) {
        a[i] = 0.0;
        b[i] = c[i] = 1.0;
    }
    for (int k = 0; k < TIMES; k++) {
        const double begin = qp_clock();
#pragma omp parallel for schedule(static)
        for (int i = 0; i < ELEMENTS; i++)
            a[i] = b[i] + 0.5 * c[i];
        best = fmax(best, 3.0 * sizeof *a * ELEMENTS / (qp_clock() - begin) * 1e-9);
    }
    free(a);
    return best;
}

/* ---- The GPU, from its attributes ---- */

/* Float cores of a multiprocessor: Volta, Turing and A100 have half as many. */
int peaks_cores(const struct qp_cuda *cuda)
{
    return cuda->major == 7 || (cuda->major == 8 && cuda->minor == 0) ? 64 : 128;
}

void peaks_of_gpu(int ordinal, struct peaks *out)
{
    struct qp_cuda *cuda;
    *out = (struct peaks){.gflops = NAN, .gbytes_per_s = NAN};
    if (qp_cuda_open(ordinal, &cuda) != QP_OK)
        return;
    out->gflops = 2.0 * peaks_cores(cuda) * cuda->multiprocessors * cuda->clock_khz * 1e-6;
    out->gbytes_per_s = 2.0 * cuda->memory_clock_khz * 1e-6 * cuda->memory_bus_bits / 8;
    qp_cuda_close(&cuda);
}

void peaks_print(FILE *out, const struct peaks *cpu, const struct peaks *gpu)
{
    fprintf(
        out,
        "Peaks of the CPU, one thread, measured: %.1f GFLOP/s (multiply-adds in registers), %.1f "
        "GB/s\n(a = b + s c in 192 MiB). ",
        cpu->gflops, cpu->gbytes_per_s);
    if (isnan(gpu->gflops))
        fprintf(out, "Peaks of the GPU: unknown, for there is no CUDA device to ask.\n");
    else
        fprintf(out, "Peaks of the GPU, from its attributes: %.0f GFLOP/s, %.0f GB/s.\n",
                gpu->gflops, gpu->gbytes_per_s);
}
