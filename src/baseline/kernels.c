/* SPDX-License-Identifier: MIT */
/* A fair opponent runs on the instructions that the processor has. OpenBLAS knows processors by their
 * models; on one younger than itself it falls back to the kernels of 2004 (Prescott, SSE3), which are
 * three to four times slower on a processor with AVX-512. Then the nearest relative it knows is chosen. */
#include "baseline/baseline.h"
#include "have.h"

#include <stdlib.h>
#include <string.h>

#if QP_HAVE_BLAS
#include <cblas.h>

/* OpenBLAS's own, which read OPENBLAS_CORETYPE; builds for one processor alone lack them. */
void gotoblas_dynamic_quit(void) __attribute__((weak));
void gotoblas_dynamic_init(void) __attribute__((weak));

static const char variable[] = "OPENBLAS_CORETYPE";

/* NULL where Prescott's may well be the best. */
static const char *relative(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        return "SKYLAKEX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "HASWELL";
#endif
    return NULL;
}

void baseline_choose_kernels(void)
{
    const char *name = relative();
    if (name == NULL || getenv(variable) != NULL || gotoblas_dynamic_quit == NULL ||
        gotoblas_dynamic_init == NULL || strcmp(openblas_get_corename(), "Prescott") != 0)
        return;
    setenv(variable, name, 1);
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
    unsetenv(variable);
}

const char *baseline_kernels(void)
{
    return openblas_get_corename();
}
#else
void baseline_choose_kernels(void)
{
}

const char *baseline_kernels(void)
{
    return NULL;
}
#endif
